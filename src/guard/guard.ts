import type { Submission } from '../core/shell/submission.ts';
import type { OrchestratorOptions } from '../core/shell/options.ts';
import type {
  OutputOf,
  ProposalOf,
  TaskClasses,
  TaskClassId,
  ToolNameIn,
  Tools,
} from '../base/define/inferred.ts';
import { withFormerNames } from '../base/define/formerly.ts';
import type { TaskId } from '../core/kernel/summary.ts';
import type { Payload } from '../base/ports/schema.ts';
import { deepFreeze } from '../base/canonical/deep-freeze.ts';
import { joinedFor } from '../core/shell/blobs.ts';
import { checkGuardOptions } from '../core/shell/check-options.ts';
import type { Projection } from '../core/kernel/projection/projection.ts';
import { lookupIn } from '../core/kernel/projection/provenance.ts';
import { resolveReferences } from '../gates/origins/references.ts';
import { rooms } from '../core/orchestrator.ts';
import { createEngine } from '../core/shell/orchestrator.ts';
import { randomIds } from '../core/shell/clock.ts';
import { closing } from '../core/shell/task-errors.ts';
import type { Closing, Keyed, Orchestrator } from '../core/shell/surface.ts';
import type { Model } from '../base/ports/model.ts';
import { GuardedRun } from './guarded-run.ts';
import { createAgentRunner, type GuardedAgents } from './agent-runner.ts';
import type { Run } from './run.ts';
import type { GuardContext } from './guard-context.ts';
import { warnOfUnattended } from './unattended.ts';
import { warnOfUnconcluded } from './unconcluded.ts';

/** Options of a guard: those of an orchestrator, without a model. The guard owns the store. */
export interface GuardOptions<
  Given extends Tools = Tools,
  Classes extends TaskClasses = TaskClasses,
> extends Omit<OrchestratorOptions<Given, Classes>, 'model' | 'role'> {
  /**
   * Agents by task class. They run submitted and nested tasks, and resume every task after an answer or a restart
   * (call `orchestrator.recover()` first). A task of a class without an agent waits until you `resume` it and propose;
   * it fails after `deadlines.host`, 3 days by default. A warning (`AGENTCHARTER_NO_AGENT`) names the tools that begin
   * such tasks.
   */
  readonly agents?: GuardedAgents<Given, Classes>;
  /**
   * Waits for the parallel calls of one step, so that they form one round. By default, one turn of the event
   * loop.
   */
  readonly gather?: GuardContext['gather'];
}

/** Chart, gates, approvals and ledger around the agents of any framework (UAICP 10). */
export interface Guard<
  Given extends Tools = Tools,
  Classes extends TaskClasses = TaskClasses,
> extends AsyncDisposable {
  /** The orchestrator, for approvals and audits. */
  readonly orchestrator: Orchestrator<Classes>;
  /**
   * Begins a governed run of an agent that you run yourself. After a pause or a restart, `agents` go on with it. For a
   * run that `agents` begin, call `orchestrator.submit`. Throws what `submit` throws.
   */
  begin<Id extends TaskClassId<Classes>>(
    this: void,
    submission: Submission<Id, ToolNameIn<Classes, Id>>,
    options?: Keyed,
  ): Promise<Run<Given, OutputOf<Classes, Id>, ProposalOf<Classes, Id>>>;
  /** Resumes a run, also in another process. Throws `not_found`, and the errors of loading it. */
  resume<Output extends Payload>(this: void, taskId: TaskId<Output>): Promise<Run<Given, Output>>;
  resume(this: void, taskId: string): Promise<Run<Given, OutputOf<Classes>>>;
  /** Ends the work of this process, as that of its orchestrator. Tasks stay in the store. Until then, deadlines of open tasks keep Node.js running. */
  readonly close: Orchestrator['close'];
}

/** Creates a guard. Throws `definition_invalid` if task classes, tools and verifiers do not fit together. */
export const createGuard = <
  const Given extends Tools = readonly [],
  const Classes extends TaskClasses = TaskClasses,
>(
  options: GuardOptions<Given, Classes>,
): Guard<Given, Classes> => {
  checkGuardOptions(options);
  // the names and types in both exist for the compiler only
  return guardOf(options as unknown as GuardOptions) as unknown as Guard<Given, Classes>;
};

const resolvedIn = (projection: Projection, given: unknown): unknown => {
  const resolved = resolveReferences(given, lookupIn(projection).sources);
  return 'issues' in resolved ? given : resolved.value; // the chart reports the issues
};

/** A guard of tools and task classes of any names. */
interface AnyGuard extends Omit<Guard, 'begin' | 'resume'> {
  readonly begin: (submission: Submission, keyed?: Keyed) => Promise<Run>;
  readonly resume: (taskId: string) => Promise<Run>;
}

const guardOf = ({
  agents = {},
  gather = (then) => void setImmediate(then),
  ...options
}: GuardOptions): AnyGuard => {
  const runs = new Map<string, GuardedRun>();
  let isClosing = false;
  const { ids = randomIds } = options;
  const runOf = (taskId: string): GuardedRun => {
    const run = runs.get(taskId) ?? new GuardedRun(taskId, context);
    runs.set(taskId, run);
    return run;
  };
  const startAgent = createAgentRunner(agents);
  const runAgent = (taskId: string): void => {
    const run = runs.get(taskId);
    if (run !== undefined) startAgent(run);
  };
  const model: Model = {
    isElsewhere: true,
    answer: (turn, given) => {
      const run = runOf(given.taskId);
      const answer = run.ask(turn, given);
      startAgent(run);
      return answer;
    },
  };
  const live = (): readonly string[] =>
    [...runs.values()].filter(({ isLive }) => isLive).map(({ taskId }) => taskId);
  const hosted = (): readonly string[] =>
    live().filter((taskId) => !Object.hasOwn(agents, peek(taskId)?.taskClass.id ?? ''));
  const engine = createEngine(
    rooms,
    { ...options, model, role: 'owner' },
    { taskClasses: Object.keys(agents), live, hosted },
  );
  const { orchestrator, submit, view, peek, blobs, callers } = engine;
  warnOfUnattended(options.tools ?? [], agents);
  const context: GuardContext = {
    orchestrator,
    view,
    offer: engine.offer,
    callers,
    clearedFor: engine.clearedFor,
    report: engine.report,
    proposals: async (taskId) => (await view(taskId)).projection.proposals,
    resolved: async (taskId, given) => resolvedIn((await view(taskId)).projection, given),
    joined: (taskId, value) => joinedFor(taskId, value, blobs),
    savedState: async (taskId) =>
      deepFreeze(await joinedFor(taskId, (await view(taskId)).projection.agentState, blobs)),
    saveState: engine.saveAgentState,
    runAgent,
    takeForAgent: engine.takeForAgent,
    runsAgent: (taskClass) => Object.hasOwn(agents, taskClass),
    tools: withFormerNames(new Map((options.tools ?? []).map((tool) => [tool.name, tool]))),
    unstated: (id) => options.taskClasses.find((one) => one.id === id)?.unstated ?? 'proceed',
    isClosing: () => isClosing,
    freshRef: () => ids.uuid(),
    gather,
  };
  callers.onWait = (taskId) => runs.get(taskId)?.changed();
  orchestrator.on('record', (record) => {
    runs.get(record.taskId)?.recorded(record, peek(record.taskId));
    // the outer task gets no other event when a nested task waits
    if (record.fact?.type === 'dependency.awaited') for (const run of runs.values()) run.changed();
  });
  orchestrator.on('question', ({ path }) => path.forEach((taskId) => runs.get(taskId)?.changed()));
  orchestrator.on('settled', ({ taskId }) => {
    runs.get(taskId)?.changed();
    runs.delete(taskId);
  });
  /** Returns the run of a task. Settled runs get no more events and are not cached. */
  const openRun = async (taskId: string): Promise<Run> => {
    const run = runOf(taskId);
    const { isSettled } = await run.progress();
    if (isSettled) runs.delete(taskId);
    return run;
  };
  const close = async (how: Closing = {}): Promise<void> => {
    const closed = orchestrator.close(how);
    isClosing = true;
    for (const run of runs.values()) run.changed();
    await closed;
    warnOfUnconcluded(runs.values());
    for (const run of runs.values()) run.changed();
  };
  return {
    orchestrator,
    begin: async (submission, keyed) => {
      if (isClosing) throw closing('begin');
      let begun: string | undefined;
      try {
        const { taskId } = await submit(submission, keyed, (id) => {
          begun = id;
          runOf(id).leaveToHost();
        });
        return await openRun(taskId);
      } catch (error) {
        if (begun !== undefined) runs.delete(begun); // no task began
        throw error;
      }
    },
    resume: async (taskId) => {
      await orchestrator.task(taskId); // an unknown task is not cached
      return openRun(taskId);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
