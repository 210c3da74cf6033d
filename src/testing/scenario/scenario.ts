import type { OutputOf, TaskClasses, TaskClassId, Tools } from '../../base/define/inferred.ts';
import type { Submission, SubmittedIdentity } from '../../core/shell/submission.ts';
import { TestFailure } from '../failure.ts';
import type { ScenarioAnswers } from './answers.ts';
import { Journal } from './journal.ts';
import { ScenarioRun } from './run.ts';
import { ScenarioWorld, unknownNameIn, type Charter } from './world.ts';
import { contexts } from '../../core/shell/meaning.ts';
import { loadVerify } from '../../core/shell/rehydrate.ts';
import { loadRooms } from '../../core/orchestrator.ts';
import { loadClaim, loadDerive, loadMediation } from '../../core/shell/semantics.ts';

/** A request of a scenario. */
export type ScenarioRequest<Id extends string = string> = Omit<Submission<Id>, 'identity'> & {
  /** By default agent `agent` of owner `owner`, under human supervision. */
  readonly identity?: SubmittedIdentity;
};

/** A scenario whose answers are given. */
export interface GivenScenario<Has extends Tools, Classes extends TaskClasses> {
  /**
   * Begins a task in a world of its own, and waits until it rests: it has ended, or waits for a person, an event or
   * time. Throws a failure that shows the thread if an answer is missing.
   */
  readonly when: <const Id extends TaskClassId<Classes>>(
    request: ScenarioRequest<Id>,
  ) => Promise<ScenarioRun<Has, OutputOf<Classes, Id>>>;
}

/** The scenarios of a charter. */
export interface Scenarios<Has extends Tools, Classes extends TaskClasses> {
  /**
   * Sets the answers of the model or of the agents, of the tools and of the clock. Throws for the name of an unknown
   * tool or task class.
   */
  readonly given: (answers: ScenarioAnswers<Has, Classes>) => GivenScenario<Has, Classes>;
}

/** Who submits by default. */
export const agent: SubmittedIdentity = {
  agent_id: 'agent',
  owner_id: 'owner',
  control_class: 'human-supervised',
};

/** Loads the modules that the orchestrator loads at first use: no run may rest while one of them is being read. */
export const loadModules = () =>
  Promise.all([contexts(), loadDerive(), loadClaim(), loadMediation(), loadVerify(), loadRooms()]);

/** Begins a task in a new world. */
const begin = async (
  charter: Charter,
  answers: ScenarioAnswers<Tools, TaskClasses>,
  request: ScenarioRequest,
): Promise<ScenarioRun> => {
  await loadModules();
  const journal = new Journal(answers.agents === undefined ? 'the model' : 'the agent');
  const world = new ScenarioWorld(charter, answers, (line) => journal.note(line));
  const { orchestrator } = world;
  const heard = (note: () => void) => {
    note();
    world.stir();
  };
  orchestrator.on('record', (record) => heard(() => journal.record(record)));
  orchestrator.on('question', (entry) => heard(() => journal.question(entry)));
  orchestrator.on('error', ({ error }) => heard(() => journal.error(error)));
  const { taskId } = await orchestrator.submit({ identity: agent, ...request });
  return new ScenarioRun(taskId, orchestrator, world, journal);
};

/**
 * Returns scenarios of a charter: task classes, tools, a policy, verifiers and approvals, as `createOrchestrator` and
 * `createGuard` take them.
 *
 * Each runs the real orchestrator in memory; with `agents`, behind the real guard. The model or the agents, the code of
 * the tools, the ids and the clock are scripted, so that every run is the same and takes no time. Policies, verifiers and approvals run as they are; they must read the
 * time from what they are given.
 */
export const scenario = <
  const Has extends Tools = readonly [],
  const Classes extends TaskClasses = TaskClasses,
>(
  charter: Charter<Has, Classes>,
): Scenarios<Has, Classes> => {
  const given = (answers: ScenarioAnswers<Has, Classes>): GivenScenario<Has, Classes> => {
    const script = answers as unknown as ScenarioAnswers<Tools, TaskClasses>; // its names are checked next
    const all = charter as unknown as Charter; // the same, without its names
    const unknown = unknownNameIn(all, script);
    if (unknown !== null) throw new TestFailure(`given: ${unknown}`);
    const when = async (request: ScenarioRequest): Promise<ScenarioRun> => {
      const run = await begin(all, script, request);
      await run.rest();
      return run;
    };
    return { when: when as unknown as GivenScenario<Has, Classes>['when'] }; // the request names its class
  };
  return { given };
};
