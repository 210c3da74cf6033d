import type { Fact } from '../../../machines/index.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import type { KnownCall, Statement } from '../kernel/statement.ts';
import type { TaskState } from '../kernel/take.ts';
import type { TaskView } from '../kernel/view.ts';
import type { Timed } from './pauses.ts';
import type { Streams } from './streams.ts';
import type { Tracing } from './tracing.ts';
import type { WorkSignal } from './work-signal.ts';

/** A fact that work states: of the run, or an outcome or a rollback that came too late for it and changes no state of the chart. */
export interface StatedFact {
  readonly as: 'fact' | 'orphan';
  readonly fact: Fact;
  readonly statement: Statement;
  /** Whether it still holds when its turn comes. */
  readonly isStillValid: (() => boolean) | undefined;
}

/** What work states. It is recorded before the work goes on. */
export type Stated = StatedFact | { readonly as: 'refusal'; readonly statement: Statement };

/** Work that states one thing after another, and is told of each whether it was taken. */
export type Stating<Result = void> = AsyncGenerator<Stated, Result, boolean>;

const stating =
  (as: StatedFact['as']) =>
  (fact: Fact, statement: Statement, isStillValid?: () => boolean): StatedFact => ({
    as,
    fact,
    statement,
    isStillValid,
  });

export const stated = stating('fact');
export const statedLate = stating('orphan');

/** A task as its performers see it: they look at it, and state what came of their work. */
export interface LiveTask extends Timed {
  readonly taskClass: DefinedTaskClass;
  /** As it is now. */
  readonly view: TaskView;
  readonly deadlines: TaskState['deadlines'];
  readonly tracing: Tracing;
  /** What this process knows of its calls. */
  readonly knownCalls: Map<string, KnownCall>;
  readonly cancelled: WorkSignal;
  readonly urgently: WorkSignal;
  readonly streams: Streams;
  /** Records a message that a tool sends while it is called. */
  readonly record: (kind: 'message', statement: Statement, isFromOutside: true) => Promise<void>;
  /** Does work beside the duty that begins it, and records what it states. */
  readonly carryOut: <Result>(work: Stating<Result>) => Promise<Result>;
}

/** Records what work states, each before it goes on. An error of recording is thrown where the work states it. */
export const carryOut = async <Result>(
  task: { readonly recordStated: (said: Stated) => Promise<boolean> },
  work: Stating<Result>,
): Promise<Result> => {
  let next = await work.next();
  while (next.done !== true) {
    let isTaken: boolean;
    try {
      isTaken = await task.recordStated(next.value);
    } catch (error) {
      next = await work.throw(error);
      continue;
    }
    next = await work.next(isTaken);
  }
  return next.value;
};
