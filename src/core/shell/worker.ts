import type { Duty } from '../../../machines/index.ts';
import type { CharterError } from '../../base/errors.ts';
import { callKey, resolveKey } from '../kernel/view.ts';
import { call, observe, resolve } from './duties/call.ts';
import { decide } from './duties/clearance.ts';
import { accept, offer } from './duties/intake.ts';
import { conclude, correct, propose } from './duties/model.ts';
import type { Ports, Work } from './duties/performer.ts';
import { undo } from './duties/undo.ts';
import { verify } from './duties/verify.ts';
import { closing } from './task-errors.ts';
import type { Stating } from './live-task.ts';
import type { Task } from './task.ts';
import { byCancellation, WorkAbort } from './work-signal.ts';

/** Returns what performs a duty. People answer a question, which a look-up may settle first; others and time do the rest. */
const perform = (work: Work, duty: Duty): Stating | null => {
  switch (duty.kind) {
    case 'accept':
      return accept(work, duty);
    case 'propose':
      return propose(work, duty);
    case 'correct':
      return correct(work, duty);
    case 'conclude':
      return conclude(work, duty);
    case 'decide':
      return decide(work, duty);
    case 'call':
      return call(work, duty);
    case 'observe':
      return observe(work, duty);
    case 'verify':
      return verify(work, duty);
    case 'undo':
      return undo(work, duty);
    case 'offer':
      return offer(work, duty);
    case 'ask':
      return resolve(work, duty);
    case 'await':
    case 'refine':
    case 'wake':
      return null;
  }
};

/** Shared: creating an AbortError costs more than most duties. */
const noLongerDue = Object.freeze(new DOMException('the duty is no longer due', 'AbortError')); // visible to host code

interface InFlight {
  readonly key: string;
  readonly abort: WorkAbort;
  readonly done: Promise<void>;
}

/** Performs the duties of a task, each once at a time, and aborts those that are no longer due. */
export const createWorker = (task: Task, environment: Ports, onIdle: () => void = () => {}) => {
  const inFlight = new Map<string, InFlight>();
  /** Aborted work that has not ended; its effects may still happen. */
  const aborting = new Set<InFlight>();
  /** Effects in doubt that were resolved; once, until the task is loaded again. */
  const resolved = new Set<string>();
  let steps = 0;
  let isClosed = false;

  /**
   * Waits for aborted work on the same effect: a look-up for the call that left it in doubt, and a call for the look-up,
   * which may have made the call again.
   */
  const ended = async (duty: Extract<Duty, { kind: 'ask' | 'call' }>): Promise<void> => {
    const { context } = task.view;
    const key =
      duty.kind === 'call'
        ? resolveKey(context, `doubt:${duty.call}`)
        : callKey(context, context.questions[duty.question]?.about ?? '');
    await Promise.all([...aborting].flatMap((one) => (one.key === key ? [one.done] : [])));
  };

  const start = (key: string, duty: Duty): void => {
    const abort = new WorkAbort();
    const begun = steps;
    const work = async (): Promise<void> => {
      await Promise.resolve(); // after the events of the step that made it due
      try {
        if (duty.kind === 'ask' || duty.kind === 'call') await ended(duty);
        abort.throwIfAborted();
        const performed = perform({ task, environment, signal: abort }, duty);
        if (performed !== null) await task.carryOut(performed);
      } catch (error) {
        const isGivenUp = abort.aborted && error === abort.reason;
        if (!isGivenUp) environment.emit('error', { taskId: task.taskId, error });
      }
      if (inFlight.get(key) === made) inFlight.delete(key);
      aborting.delete(made);
      if (steps > begun) reconcile(task.view.due); // due again meanwhile, under the same key
      worker.isIdle = inFlight.size === 0 && aborting.size === 0;
      if (worker.isIdle) onIdle();
    };
    if (duty.kind === 'ask') resolved.add(key);
    const made: InFlight = { key, abort, done: work() };
    inFlight.set(key, made);
    worker.isIdle = false;
  };

  const reconcile = (due: ReadonlyMap<string, Duty>): void => {
    for (const [key, made] of inFlight) {
      if (due.has(key)) continue;
      inFlight.delete(key);
      aborting.add(made);
      made.abort.abort(noLongerDue);
    }
    if (isClosed) return;
    for (const [key, duty] of due) if (!inFlight.has(key) && !resolved.has(key)) start(key, duty);
  };

  const worker = {
    /** Whether no work is in flight. */
    isIdle: true,
    /** Whether aborted work has not ended. */
    get isAborting(): boolean {
      return aborting.size > 0;
    },
    step: (due: ReadonlyMap<string, Duty>): void => {
      steps += 1;
      const isCancelled = task.view.context.reasons.some(
        ({ code, about }) => code === 'CANCELLED' && about === 'task',
      );
      if (isCancelled) task.cancelled.abort(byCancellation);
      if (isCancelled && task.view.projection.isUrgent) task.urgently.abort(byCancellation);
      reconcile(due);
    },
    /** Begins no more work, and aborts what is not under way; settles when all has ended. */
    drain: async (reason: CharterError): Promise<void> => {
      isClosed = true;
      const all = [...inFlight.values()];
      for (const { abort } of all) if (!abort.isUnderWay) abort.abort(reason);
      await Promise.all([...all, ...aborting].map(({ done }) => done)); // also a call that is past its deadline
    },
    /** Aborts all work, and begins no more; settles when the work has ended. The orchestrator closes by default. */
    close: async (reason: CharterError = closing()): Promise<void> => {
      isClosed = true;
      const all = [...inFlight.values()];
      for (const { abort } of all) abort.abort(reason);
      await Promise.all(all.map(({ done }) => done));
    },
  };
  return worker;
};

export type Worker = ReturnType<typeof createWorker>;
