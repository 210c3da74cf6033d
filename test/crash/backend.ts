/** How a tool says that an effect in doubt is resolved; `unsure` is reconcilable, and its look-up never knows. */
export const declarations = ['idempotent', 'reconcilable', 'unsure', 'unsafe'] as const;
export type Declaration = (typeof declarations)[number];

/** A request to the system behind the tools. */
export interface Effect {
  readonly kind: 'call' | 'rollback';
  readonly tool: string;
  readonly key: string;
  /** What is done, whatever it is called: two keys of one action are one thing done twice. */
  readonly action: string;
}

const isOf =
  (key: string) =>
  (effect: Effect): boolean =>
    effect.key === key;

/** The system behind the tools. It survives every process, and records its requests and effects. */
export class Backend {
  readonly asked: Effect[] = [];
  readonly done: Effect[] = [];
  /** Tools that were called, whether they did anything or not. */
  readonly begun = new Set<string>();
  /** How often it was asked again, under a key that it knew, and did nothing. */
  repeated = 0;

  has(key: string): boolean {
    return this.done.some(isOf(key));
  }

  /** Does what is asked: once a key where keys are honoured, and each time where they are not. */
  act(effect: Effect, isHonoured: boolean): { readonly did: string } {
    this.asked.push(effect);
    if (isHonoured && this.has(effect.key)) this.repeated += 1;
    else this.done.push(effect);
    return { did: effect.action };
  }

  /** The actions that were done and not undone. */
  doneEffects(): readonly Effect[] {
    return this.done.filter(({ kind, key }) => kind === 'call' && !this.has(`rollback:${key}`));
  }
}
