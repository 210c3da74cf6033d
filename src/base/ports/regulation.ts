/** What can be paused: a tool, a task class, or the agent of a request's identity, by its name. */
export type Pausable =
  { readonly tool: string } | { readonly taskClass: string } | { readonly agent: string };

/** The name of something that can be paused, such as `tool refund`. */
export type Subject = `${'tool' | 'taskClass' | 'agent'} ${string}`;

/** Returns the name of what is paused. */
export const subjectOf = (of: Pausable): Subject => {
  if ('tool' in of) return `tool ${of.tool}`;
  return 'agent' in of ? `agent ${of.agent}` : `taskClass ${of.taskClass}`;
};

/** Returns what a name stands for. */
export const pausableOf = (subject: Subject): Pausable => {
  const name = subject.slice(subject.indexOf(' ') + 1);
  if (subject.startsWith('tool ')) return { tool: name };
  return subject.startsWith('agent ') ? { agent: name } : { taskClass: name };
};

/** A pause, as it is recorded. Times are in milliseconds since 1970. */
export interface Pause {
  readonly of: Pausable;
  /** Who ordered it. */
  readonly by: string;
  readonly reason: string;
  readonly at: number;
  /** Who ended it, and when; `null` while it lasts. */
  readonly ended: { readonly by: string; readonly at: number } | null;
}

/** What a step counts against a quota over many tasks. What one call counts against one quota counts once. */
export interface Claim {
  /** What counts together, in ASCII. */
  readonly quota: string;
  /** The time that it counts in, such as `2026-11-29`; later ones sort after it. Empty for a place, which is free when its call, or its task, has ended. */
  readonly window: string;
  /** The call; empty for the task. */
  readonly call: string;
  /** A whole number. */
  readonly amount: number;
  readonly most: number;
}

/** A call that counts no more. */
export interface Release {
  readonly call: string;
  /** Whether it was not made, or undone, so that its amounts do not count either. */
  readonly isUndone: boolean;
}

/** What a step begins and ends, for quotas and pauses. */
export interface Regulated {
  /** What it begins under: if one is paused, the step is held. */
  readonly begins: readonly Subject[];
  readonly claims: readonly Claim[];
  readonly releases: readonly Release[];
}

/** Why a step is held: something is paused, or a quota would be exceeded. */
export type Obstacle =
  | { readonly paused: Pause }
  | { readonly full: Pick<Claim, 'quota' | 'window' | 'most' | 'amount'>; readonly used: number };

/** Pauses, and quotas over many tasks, in a store. */
export interface Regulation {
  /** Begins a pause. Returns `false` if there is one. */
  readonly pause: (subject: Subject, by: string, reason: string, at: number) => Promise<boolean>;
  /** Ends a pause. Returns `false` if there is none. */
  readonly resume: (subject: Subject, by: string, at: number) => Promise<boolean>;
  /** Returns the pauses that last, or the last `limit` of all; oldest first. */
  readonly pauses: (ended?: { readonly limit: number }) => Promise<readonly Pause[]>;
  /** Returns what would hold a step; `null` for nothing. */
  readonly obstacle: (regulated: Regulated) => Promise<Obstacle | null>;
}
