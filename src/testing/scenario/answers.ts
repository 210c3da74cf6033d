import type {
  InputOf,
  OutputOf,
  TaskClasses,
  TaskClassId,
  ToolName,
  Tools,
} from '../../base/define/inferred.ts';
import type { GuardedAgent } from '../../guard/agent-runner.ts';
import type { CallOptions, Draft } from '../../guard/run.ts';
import type { CorrectionOutput, DraftOutput, PlanOutput } from '../../core/kernel/outputs.ts';
import type { Turn } from '../../base/ports/model.ts';
import type { Payload } from '../../base/ports/schema.ts';
import type { CallContext, Found } from '../../base/ports/tool.ts';

/** The answer of a model, an agent or a tool that never comes, so that a deadline passes. */
export const noAnswer: unique symbol = Symbol('agentcharter.noAnswer');

/** A JSON value. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A call that the model or an agent proposes: the name of a given tool, and arguments of its type. */
export type ScriptedCall<Given extends Tools> = {
  [Name in ToolName<Given>]: {
    readonly tool: Name;
    readonly arguments: InputOf<Given, Name>;
    /** The id that the model or the framework gives the call. */
    readonly ref?: string;
  };
}[ToolName<Given>];

/** What a model says with an output; by default it can proceed and its confidence is 1. */
type Thinking = Partial<Omit<PlanOutput, 'calls' | 'missing'>>;

/** A plan of the model, or further calls in place of a draft. With `missing` it cannot proceed by default. */
export interface ScriptedPlan<Given extends Tools> extends Thinking {
  readonly calls: readonly ScriptedCall<Given>[];
  /** The information that the request lacks, by field. */
  readonly missing?: Readonly<Record<string, string>>;
}

/** A draft of the answer. */
export interface ScriptedDraft<Output> extends Thinking, Partial<Pick<DraftOutput, 'upContext'>> {
  readonly payload: Output;
}

/** One answer of the model. A function returns the whole output for a turn, valid or not. */
export type ModelAnswer<Given extends Tools, Output> =
  | ScriptedPlan<Given>
  | ScriptedDraft<Output>
  | CorrectionOutput
  | typeof noAnswer
  | ((turn: Turn) => unknown);

/** The answers of the model, in order: for all tasks, or for each task class. */
export type ModelScript<Given extends Tools, Classes extends TaskClasses> =
  | readonly ModelAnswer<Given, OutputOf<Classes>>[]
  | { readonly [Id in TaskClassId<Classes>]?: readonly ModelAnswer<Given, OutputOf<Classes, Id>>[] };

/** The answer to every call of a tool: a result, or a function of the arguments, which may throw. */
export type ToolAnswer<Input> = Json | typeof noAnswer | ((input: Input, context: CallContext) => unknown);

/** The calls that an agent makes at once. It waits for the outcomes of all of them. */
export interface AgentCalls<Given extends Tools> extends Pick<CallOptions, 'confidence'> {
  readonly calls: readonly ScriptedCall<Given>[];
}

/** One step of a guarded agent: calls, or the answer that it concludes with. */
export type AgentStep<Given extends Tools, Output extends Payload> =
  AgentCalls<Given> | Draft<Output> | typeof noAnswer;

/**
 * The agents of a guard, by task class. Steps are taken in order. A step that pauses is repeated after the question was
 * answered; after any other outcome, also a refusal, the next one follows. A function is an agent of your own, as
 * `createGuard` takes it.
 */
export type AgentScripts<Given extends Tools, Classes extends TaskClasses> = {
  readonly [Id in TaskClassId<Classes>]?:
    readonly AgentStep<Given, OutputOf<Classes, Id>>[] | GuardedAgent<Given, OutputOf<Classes, Id>>;
};

/** The answers of tools, and the clock, of a scenario. */
export interface GivenWorld<Has extends Tools> {
  /**
   * The answers of tools, in place of their code. A call of any other tool fails the scenario. A function receives
   * the arguments after the tool's schema.
   */
  readonly tools?: { readonly [Name in ToolName<Has>]?: ToolAnswer<InputOf<Has, Name>> };
  /** The answers of rollbacks, in place of their code. By default a rollback succeeds. */
  readonly rollbacks?: { readonly [Name in ToolName<Has>]?: ToolAnswer<Json> };
  /** The answers of look-ups of effects in doubt. By default `{ found: 'unknown' }`. */
  readonly lookups?: { readonly [Name in ToolName<Has>]?: Found };
  /** When the clock starts (RFC 3339); by default 2026-01-01T00:00:00Z. It moves only by `passTime`. */
  readonly now?: string;
}

/** The answers of the model of an orchestrator. */
export interface GivenModel<Has extends Tools, Classes extends TaskClasses> {
  /** A turn for which no answer is left fails the scenario. */
  readonly model: ModelScript<Has, Classes>;
  readonly agents?: never;
}

/** The agents of a guard, in place of a model. */
export interface GivenAgents<Has extends Tools, Classes extends TaskClasses> {
  /** An agent that goes on after its last step fails the scenario. */
  readonly agents: AgentScripts<Has, Classes>;
  readonly model?: never;
}

/** The answers of a scenario: of a model or agents, of tools, and of the clock. */
export type ScenarioAnswers<Has extends Tools, Classes extends TaskClasses> = GivenWorld<Has> &
  (GivenModel<Has, Classes> | GivenAgents<Has, Classes>);

const kindOf = (answer: object): string => {
  if ('calls' in answer) return 'a plan';
  return 'payload' in answer ? 'a draft' : 'a correction';
};

/** Returns whether an answer can be the output that a turn asks for. */
const fits = (answer: object, { asks }: Turn): boolean => {
  switch (asks) {
    case 'plan':
      return 'calls' in answer;
    case 'draft':
      return 'payload' in answer || 'calls' in answer;
    case 'correction':
      return 'choice' in answer;
  }
};

/** Returns why an answer is not the one that a turn asks for; `null` if it is. */
export const misfitOf = (answer: object, turn: Turn): string | null =>
  fits(answer, turn)
    ? null
    : `the model is asked for a ${turn.asks}, and its next answer is ${kindOf(answer)}`;

/** Returns an answer as a complete output. */
export const outputOf = (answer: object): object =>
  'choice' in answer
    ? answer
    : { canProceed: !('missing' in answer), confidence: 1, explanation: '', ...answer };
