import type { InputOf, OutputOf, TaskClasses, ToolName, Tools } from '../../base/define/inferred.ts';
import type { Turn } from '../../base/ports/model.ts';
import type { CorrectionOutput } from '../../core/kernel/outputs.ts';
import type { GuardedAgents } from '../../guard/agent-runner.ts';
import type { ScriptedDraft, ScriptedPlan } from '../scenario/answers.ts';
import type { ScenarioRequest } from '../scenario/scenario.ts';
import type { Choose } from './choices.ts';
import type { SimulatedAnswer } from './effects.ts';
import type { Law } from './laws.ts';
import type { Answers, SimulatedPerson } from './people.ts';

/** What is around the task in every order of events. */
interface Around<Has extends Tools> {
  /** The request. By default it is of agent `agent` of owner `owner`, under human supervision. */
  readonly request: ScenarioRequest;
  /**
   * The answers of the tools, in place of their code; `{ ok: true }` by default. The simulator lets some calls break, or lose their answer,
   * before or after the effect.
   */
  readonly tools?: { readonly [Name in ToolName<Has>]?: SimulatedAnswer<InputOf<Has, Name>> };
  /** Who answers questions and cancels; by default no one, so that questions expire. */
  readonly people?: readonly SimulatedPerson[];
  /**
   * How a question is answered. By default it is approved, sometimes rejected, or answered with an instruction. Questions about an effect
   * in doubt are answered with the truth.
   */
  readonly answers?: Answers;
  /** Sentences of your own that must be true of every order, besides the laws of the library. */
  readonly laws?: readonly Law[];
}

/** The model of an orchestrator: a function of the turn. */
interface AroundModel<Has extends Tools, Classes extends TaskClasses> {
  readonly model: (
    turn: Turn,
    choose: Choose,
  ) => ScriptedPlan<Has> | ScriptedDraft<OutputOf<Classes>> | CorrectionOutput;
  readonly agents?: never;
}

/** The agents of a guard. They may wait for their runs, and for nothing else. */
interface AroundAgents<Has extends Tools, Classes extends TaskClasses> {
  readonly agents: (choose: Choose) => GuardedAgents<Has, Classes>;
  readonly model?: never;
}

/** What is around the task of a simulation: its request, its model or agents, tools and people. */
export type Simulated<Has extends Tools, Classes extends TaskClasses> = Around<Has> &
  (AroundModel<Has, Classes> | AroundAgents<Has, Classes>);

/** The same without its names, which the compiler has checked. */
export type AnySimulated = Simulated<Tools, TaskClasses>;
