import type { Clearance, Conclusion } from '../../guard/outcome.ts';
import type { GuardedAgent } from '../../guard/agent-runner.ts';
import type { Run } from '../../guard/run.ts';
import type { TaskClasses, Tools } from '../../base/define/inferred.ts';
import type { Payload } from '../../base/ports/schema.ts';
import { noAnswer, type AgentScripts, type AgentStep } from './answers.ts';

/** What an agent needs of its scenario. */
export interface AgentWorld {
  /** Keeps the scenario from resting until the returned function is called. */
  readonly busy: () => () => void;
  /** Adds a line to the thread. */
  readonly note: (line: string) => void;
  /** Fails the scenario, and never resolves. */
  readonly lacks: (what: string) => Promise<never>;
}

type Outcome = Clearance | Conclusion;

/** A run that an agent of a scenario holds. */
interface WatchedRun {
  readonly run: Run;
  readonly begin: () => void;
  readonly end: () => void;
}

/** Returns a line about a failure that an agent is told about; `null` for any other outcome. */
const toldOf = (subject: string, outcome: Outcome): string | null => {
  if (outcome.status === 'refused')
    return `the agent is told that ${subject} is refused (${outcome.code}): ${outcome.explanation}`;
  if (outcome.status !== 'repairing') return null;
  return `the agent is told to try again: ${[...new Set(outcome.unmet.map(({ code }) => code))].join(', ')}`;
};

/** Watches a run: the scenario waits for its agent, except while the agent itself waits for an outcome. */
const watch = (run: Run, { busy, note }: AgentWorld): WatchedRun => {
  let isRunning = false;
  let waiting = 0;
  let rest: (() => void) | null = null;
  const update = (): void => {
    if (isRunning && waiting === 0) rest ??= busy();
    else {
      rest?.();
      rest = null;
    }
  };
  const outcomeOf = async <Result extends Outcome>(
    subject: string,
    propose: () => Promise<Result>,
  ): Promise<Result> => {
    waiting += 1;
    update();
    try {
      const outcome = await propose();
      const told = toldOf(subject, outcome);
      if (told !== null) note(told);
      return outcome;
    } finally {
      waiting -= 1;
      update();
    }
  };
  return {
    run: Object.freeze({
      taskId: run.taskId,
      propose: (tool, input, options) => outcomeOf(tool, () => run.propose(tool, input, options)),
      call: (tool, input, options) => outcomeOf(tool, () => run.call(tool, input, options)),
      clear: (tool, input, options) => outcomeOf(tool, () => run.clear(tool, input, options)),
      report: (ref, outcome) => outcomeOf(ref, () => run.report(ref, outcome)),
      rollbacks: () => run.rollbacks(),
      reportRollback: (ref, outcome) => run.reportRollback(ref, outcome),
      conclude: (draft, patience) => outcomeOf('the answer', () => run.conclude(draft, patience)),
      declare: (tools) => run.declare(tools),
      isProposed: (draft) => run.isProposed(draft),
      show: (content) => run.show(content),
      saveState: (state) => run.saveState(state),
      savedState: () => run.savedState(),
      attend: () => run.attend(),
      progress: () => run.progress(),
      questions: (audience) => run.questions(audience),
      documents: () => run.documents(),
    } satisfies Run),
    begin: () => {
      isRunning = true;
      update();
    },
    end: () => {
      isRunning = false;
      update();
    },
  };
};

/** Proposes a step, under the same refs each time, and returns its outcomes. */
const perform = async (
  run: Run,
  step: Exclude<AgentStep<Tools, Payload>, typeof noAnswer>,
  at: number,
): Promise<readonly Outcome[]> => {
  if (!('calls' in step)) return [await run.conclude(step)];
  const { calls, ...stated } = step;
  return Promise.all(
    calls.map(({ tool, arguments: given, ref }, index) =>
      run.call(tool, given, { ...stated, ref: ref ?? `step ${at + 1}.${index + 1}` }),
    ),
  );
};

/** Returns an agent that proposes these steps, in order. */
const scriptedAgent = (
  taskClass: string,
  steps: readonly AgentStep<Tools, Payload>[],
  { lacks }: AgentWorld,
): GuardedAgent => {
  const paused = new Map<string, number>();
  let next = 0;
  return async (run) => {
    for (;;) {
      const at = paused.get(run.taskId) ?? next++;
      const step = steps[at];
      if (step === undefined)
        return lacks(
          `the scenario gives no more steps of the agent of ${taskClass}: after ${steps.length}, it goes on`,
        );
      paused.set(run.taskId, at);
      if (step === noAnswer) return new Promise<never>(() => {});
      const statuses = (await perform(run, step, at)).map(({ status }) => status);
      if (statuses.includes('paused')) return undefined;
      paused.delete(run.taskId);
      if (statuses.some((status) => status === 'ended' || status === 'delivered')) return undefined;
    }
  };
};

/** Returns an agent that is given a watched run each time. */
const watched =
  (agent: GuardedAgent, world: AgentWorld): GuardedAgent =>
  async (given, turn) => {
    const { run, begin, end } = watch(given, world);
    begin();
    try {
      return await agent(run, turn);
    } finally {
      end();
    }
  };

/** Returns the agents of a scenario: one for each task class, which fails the scenario if none was given. */
export const agentsOf = (
  taskClasses: readonly string[],
  scripts: AgentScripts<Tools, TaskClasses>,
  world: AgentWorld,
): Readonly<Record<string, GuardedAgent>> => {
  const unhurried = { ...world, busy: () => () => {} }; // steps take no time of their own
  const agentFor = (taskClass: string): GuardedAgent => {
    const script = scripts[taskClass];
    if (typeof script === 'function') return watched(script, world);
    if (script !== undefined) return watched(scriptedAgent(taskClass, script, world), unhurried);
    return () => world.lacks(`the scenario gives no agent of ${taskClass}`);
  };
  return Object.fromEntries(taskClasses.map((name) => [name, agentFor(name)]));
};
