import type { Tool } from 'agentcharter';
import type { ForeignTool, Run, ToolContract } from 'agentcharter/guard';

/** What a scripted model says in one turn: calls, or its answer (as JSON text, where its framework has text only). */
export type Step =
  | { readonly calls: readonly { readonly id: string; readonly tool: string; readonly arguments: object }[] }
  | { readonly answer: Readonly<Record<string, unknown>> };

/** A tool as it is before anybody guards it, and the contract that its host gives it. */
export interface ToolSpec extends ForeignTool<Record<string, unknown>> {
  readonly contract: ToolContract<Record<string, unknown>>;
}

/** Where a framework's run stopped, as whoever called the framework sees it. */
export type Stop =
  | { readonly status: 'delivered'; readonly payload: unknown }
  /** `kept` is all that the framework needs to go on, as text: it may come back in another process. */
  | { readonly status: 'paused'; readonly kept: string }
  /** No answer came out; `said` is what the caller was told, reason codes included. */
  | { readonly status: 'ended'; readonly said: string };

/** One run of a framework's agent, with the model that follows a script: its step is the number of its earlier turns. */
export interface Setup {
  readonly run: Run;
  readonly script: readonly Step[];
  /** Waits for people in place, instead of pausing: for an agent that is nested in another. */
  readonly waits?: boolean;
  /** Is given all that the agent, or the model behind it, is shown: prompts with their tools, outcomes, answers of a server. */
  readonly sees?: (shown: unknown) => void;
  /** Aborts the framework's run. */
  readonly signal?: AbortSignal;
}

/** A way to have a framework call something else than what was bound to the run. */
export interface Swap {
  /** By whose means, as in `prepareCall returns other tools`. */
  readonly name: string;
  /** Begins a run in which `raw` stands where a bound tool should: every call that reaches it is past the guard. */
  readonly begin: (setup: Setup, raw: (tool: string, input: unknown) => unknown) => Promise<Stop>;
}

/** A framework's agent around some tools. */
export interface Opened {
  /** The tools under their contracts, for `createGuard`. */
  readonly tools: readonly Tool[];
  /** What stands before their names here; a script has them without. */
  readonly prefix?: string;
  readonly begin: (setup: Setup) => Promise<Stop>;
  readonly goOn: (setup: Setup, kept: string) => Promise<Stop>;
  /** What was kept, in which the framework's own means approved whatever it asked for; nobody of ours was asked. */
  readonly approved: (kept: string) => string;
  /** What was kept, in which somebody gave a call that waits other arguments; `null` where it holds none. */
  readonly edited: (kept: string, call: string, input: object) => string | null;
  /** What was kept, in which the model has answered, though no model was asked; `null` where it holds no messages. */
  readonly answered: (kept: string, payload: object) => string | null;
  /** Every way of this framework to call something else under a bound name; or why it has none. */
  readonly swaps: readonly Swap[] | { readonly none: string };
  /** Ends what it opened, where that does not end by itself. */
  readonly close?: () => Promise<unknown>;
}

/** A framework without any guard: its own approvals, on the same attacks. */
export interface Unguarded {
  readonly begin: (setup: Omit<Setup, 'run' | 'waits'>) => Promise<Stop>;
  readonly goOn: (setup: Omit<Setup, 'run' | 'waits'>, kept: string) => Promise<Stop>;
  readonly approved: (kept: string) => string;
  readonly edited: (kept: string, call: string, input: object) => string | null;
}

/** A framework under test. */
export interface Subject {
  /** As people call it. */
  readonly framework: string;
  /** The package that is tested, whose version is printed. */
  readonly package: string;
  /** `own` are tools of ours that are no tools of the framework, such as tasks. */
  readonly open: (specs: readonly ToolSpec[], own: readonly Tool[]) => Opened | Promise<Opened>;
  /** The same tools as its documentation shows it: those named in `risky` ask for approval. */
  readonly unguarded?: (specs: readonly ToolSpec[], risky: readonly string[]) => Unguarded;
}
