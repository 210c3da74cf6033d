import type { Duty } from '../../machines/index.ts';
import { CharterError } from '../errors.ts';
import { isOurs } from './intents.ts';
import { perform } from './perform/index.ts';
import type { Task } from './task.ts';
import type { PerformerEnvironment } from './perform/performer.ts';

/** The name under which a call is made, in an attempt: it is the same work before and after its intent. */
const callKey = ({ context: { request, attempt } }: Task['snapshot'], call: string): string =>
  `${request} ${attempt} call ${call}`;

/** The name under which a duty is done once at a time; `null` for what is not the orchestrator's own. */
const keyOf = (
  { snapshot, documents }: Task,
  duty: Duty,
  environment: PerformerEnvironment,
): string | null => {
  const { context } = snapshot;
  if (!isOurs(duty, context, documents, environment)) return null;
  const { request, attempt, counters } = context;
  const run = `${request} ${attempt}`;
  switch (duty.kind) {
    case 'call':
    case 'observe':
      return callKey(snapshot, duty.call);
    case 'decide':
      return `${run} decide ${context.calls[duty.call]?.digest ?? duty.call}`;
    case 'verify':
      return `${run} verify ${duty.verifier} ${duty.of} ${duty.evidence}`;
    case 'undo':
      return `${run} undo ${duty.digest}`;
    case 'accept':
    case 'propose':
    case 'correct':
    case 'conclude':
    case 'offer':
      return `${run} ${duty.kind} ${Object.values(counters).join('.')}`;
    case 'ask':
      return `${run} resolve ${duty.question}`;
    case 'await':
    case 'refine':
    case 'wake':
      return null;
  }
};

/** Shared: creating an AbortError costs more than most duties. */
const noLongerDue = Object.freeze(new DOMException('it is owed no more', 'AbortError')); // host code sees it

interface Work {
  readonly key: string;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Performs the duties of a task, each once at a time, and aborts those that are no longer due. */
export const createWorker = (
  task: Task,
  environment: PerformerEnvironment,
  onIdle: () => void = () => {},
) => {
  const inFlight = new Map<string, Work>();
  /** Aborted, and not ended yet: their effects may still happen. */
  const aborting = new Set<Work>();
  /** Effects in doubt that were taken up: once, until the task is loaded again. */
  const resolved = new Set<string>();
  let steps = 0;
  let isClosed = false;

  const isIdle = (): boolean => inFlight.size === 0 && aborting.size === 0;

  /** Nothing is said of an effect in doubt while the call that left it may still go on. */
  const ended = async (duty: Duty): Promise<void> => {
    if (duty.kind !== 'ask') return;
    const key = callKey(task.snapshot, task.snapshot.context.questions[duty.question]?.about ?? '');
    await Promise.all([...aborting].flatMap((one) => (one.key === key ? [one.done] : [])));
  };

  const start = (key: string, duty: Duty): void => {
    const abort = new AbortController();
    const begun = steps;
    const work = async (): Promise<void> => {
      await Promise.resolve(); // after the step that owes it has been told
      try {
        await ended(duty);
        abort.signal.throwIfAborted();
        await perform(task, duty, environment, abort.signal);
      } catch (error) {
        const isGivenUp = abort.signal.aborted && error === abort.signal.reason;
        if (!isGivenUp) environment.emit('error', { taskId: task.taskId, error });
      }
      if (inFlight.get(key) === made) inFlight.delete(key);
      aborting.delete(made);
      if (steps > begun) reconcile(task.duties()); // owed again meanwhile, under the same name
      if (isIdle()) onIdle();
    };
    if (duty.kind === 'ask') resolved.add(key);
    const made: Work = { key, abort, done: work() };
    inFlight.set(key, made);
  };

  const reconcile = (duties: readonly Duty[]): void => {
    const owed = new Map<string, Duty>();
    for (const duty of duties) {
      const key = keyOf(task, duty, environment);
      if (key !== null) owed.set(key, duty);
    }
    for (const [key, made] of inFlight) {
      if (owed.has(key)) continue;
      inFlight.delete(key);
      aborting.add(made);
      made.abort.abort(noLongerDue);
    }
    if (isClosed) return;
    for (const [key, duty] of owed) if (!inFlight.has(key) && !resolved.has(key)) start(key, duty);
  };

  return {
    /** Whether nothing is being done. */
    isIdle,
    step: (duties: readonly Duty[]): void => {
      steps += 1;
      reconcile(duties);
    },
    close: async (): Promise<void> => {
      isClosed = true;
      const all = [...inFlight.values()];
      const reason = Object.freeze(
        new CharterError('closed', 'the orchestrator closes', { operation: 'perform' }),
      );
      for (const { abort } of all) abort.abort(reason);
      await Promise.all(all.map(({ done }) => done));
    },
  };
};

export type Worker = ReturnType<typeof createWorker>;
