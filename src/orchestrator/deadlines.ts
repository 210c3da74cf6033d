import type { Context, DeadlineOf, Duty } from '../../machines/index.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import type { RecordPayload } from '../ports/ledger.ts';
import type { Deadline } from '../ports/store.ts';
import type { Tool } from '../ports/tool.ts';
import type { Verifier } from '../ports/verifier.ts';
import { rfc3339 } from './clock.ts';
import type { Projection } from '../ledger/projection/projection.ts';
import { isUndoneByLedger } from './view.ts';
import type { TermsOf } from './questions.ts';
import type { Reading, SteadyClock } from './steady-clock.ts';

type Wake = Extract<Duty, { kind: 'wake' }>;

/** A deadline as it runs in this process. */
export interface RunningDeadline extends Deadline {
  /** The name of what it is of: work that is begun again has another name, and its whole time. */
  readonly key: string;
  /**
   * The reading of the monotonic clock at which it passes; `null` if the hour decides, `Infinity` if another process
   * does the work and times it.
   */
  readonly ends: number | null;
}

/** What decides that a deadline has passed: the time that our own work took, or the hour. */
const decides: Readonly<Record<DeadlineOf, 'time' | 'hour'>> = {
  accept: 'time',
  model: 'time',
  host: 'time',
  policy: 'time',
  start: 'time',
  call: 'time',
  verifier: 'time',
  rollback: 'time',
  offer: 'time',
  question: 'hour',
  followup: 'hour',
  dependency: 'hour',
  approval: 'hour',
  evidence: 'hour',
};

const isWork = ({ of }: Pick<Deadline, 'of'>): boolean => decides[of] === 'time';

/** Milliseconds until a deadline passes. */
export const timeLeft = ({ at, ends }: RunningDeadline, now: Reading): number =>
  ends === null ? at - now.at : ends - now.monotonic;

/** Whether a deadline runs that only this process passes. */
export const timesWork = (running: readonly RunningDeadline[]): boolean =>
  running.some(({ ends }) => ends !== null && Number.isFinite(ends));

/** Where the deadlines of a task come from. */
export interface Timing {
  readonly context: Pick<Context, 'request' | 'attempt' | 'counters' | 'collected' | 'calls'>;
  /** Whether this process does the work of its tasks, and times it. */
  readonly isOwner: boolean;
  readonly taskClass: DefinedTaskClass;
  readonly projection: Projection;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly verifiers: ReadonlyMap<string, Verifier>;
}

/** Evidence is as old as it says itself, and never younger than we have known it. */
const endOfEvidence = (id: string, now: number, { taskClass, projection }: Timing): number | undefined => {
  const collected = Date.parse(projection.evidence[id]?.collected_at ?? '');
  return taskClass.maxAge && Math.min(now, Number.isNaN(collected) ? now : collected) + taskClass.maxAge;
};

/** An approval says itself when it ends; of several, the first that ends ends all. */
const endOfApproval = (digest: string, { projection }: Timing): number | undefined => {
  const ends = (projection.approvals[digest] ?? []).map(({ expiresAt }) => Date.parse(expiresAt));
  return ends.length === 0 ? undefined : Math.min(...ends);
};

/** What tells one piece of work from the next under the same identifier, as the worker tells them apart. */
const workOf = ({ of, id }: Wake, { attempt, counters, collected, calls }: Timing['context']): string => {
  if (of === 'model' || of === 'host') return Object.values(counters).join('.');
  if (of === 'verifier') return `${attempt} ${collected}`;
  if (of === 'policy' || of === 'start') return `${attempt} ${calls[id]?.digest ?? ''}`;
  return String(attempt);
};

const keyOf = (wake: Wake, { context }: Timing): string => {
  const { of, id } = wake;
  return isWork(wake) ? `${of} ${id} ${context.request} ${workOf(wake, context)}` : `${of} ${id}`;
};

/** Milliseconds after which a deadline passes that begins to run now; `undefined` for what never ends. */
const timeOf = ({ of, id }: Wake, now: number, timing: Timing): number | undefined => {
  const { taskClass, projection, tools, verifiers } = timing;
  const after = (at: number | undefined) => (at === undefined ? undefined : at - now);
  switch (of) {
    case 'evidence':
      return after(endOfEvidence(id, now, timing));
    case 'approval':
      return after(endOfApproval(id, timing));
    case 'call':
      return tools.get(projection.calls[id]?.tool ?? '')?.deadline ?? taskClass.deadlines.call;
    case 'verifier':
      return verifiers.get(id.slice(id.indexOf(' ') + 1))?.deadline ?? taskClass.deadlines.verifier;
    case 'rollback': {
      const call = Object.values(projection.calls).find(({ digest }) => digest === id);
      // each write of a child has a deadline for its own rollback
      return isUndoneByLedger(tools.get(call?.tool ?? '')) ? undefined : taskClass.deadlines.rollback;
    }
    case 'accept':
    case 'model':
    case 'host':
    case 'policy':
    case 'start':
    case 'question':
    case 'dependency':
    case 'offer':
    case 'followup':
      return taskClass.deadlines[of];
  }
};

const begun = (wake: Wake, key: string, now: Reading, timing: Timing): readonly RunningDeadline[] => {
  const time = timeOf(wake, now.at, timing);
  if (time === undefined || !Number.isFinite(time)) return [];
  const ends = timing.isOwner ? now.monotonic + time : Infinity;
  return [{ of: wake.of, id: wake.id, at: now.at + time, key, ends: isWork(wake) ? ends : null }];
};

/** The deadlines after a step: those still owed go on, new ones begin to run, the others are gone. */
export const runningDeadlines = (
  running: readonly RunningDeadline[],
  duties: readonly Duty[],
  now: Reading,
  timing: Timing,
): readonly RunningDeadline[] => {
  const byKey = new Map(running.map((deadline) => [deadline.key, deadline]));
  return duties
    .filter((duty): duty is Wake => duty.kind === 'wake')
    .flatMap((wake): readonly RunningDeadline[] => {
      const key = keyOf(wake, timing);
      // one more approval may end before those that came first
      const known = wake.of === 'approval' ? undefined : byKey.get(key);
      return known === undefined ? begun(wake, key, now, timing) : [known];
    })
    .toSorted((one, other) => one.at - other.at);
};

/**
 * The deadlines that go on where a stored task does: the hours as they are stored, and the time of work as it runs here.
 *
 * The owner gives work that it takes up its whole time, however long no process was there.
 */
export const resumedDeadlines = (
  stored: readonly Deadline[],
  running: readonly RunningDeadline[],
  timing: Timing,
): readonly RunningDeadline[] => [
  ...(timing.isOwner ? running.filter(isWork) : []),
  ...stored
    .filter((deadline) => !timing.isOwner || !isWork(deadline))
    .map((deadline) => ({
      ...deadline,
      key: keyOf({ kind: 'wake', ...deadline }, timing),
      ends: isWork(deadline) ? Infinity : null,
    })),
];

/** Until when a question waits, and what its task class, or its offer, takes for an answer then. */
export const termsOf =
  (
    { defaults = {} }: Pick<DefinedTaskClass, 'defaults'>,
    running: readonly Deadline[],
    offered: unknown,
  ): TermsOf =>
  (kind, asked) => {
    const isDefaulted = kind === 'information' || kind === 'tool' || kind === 'approval';
    const otherwise = kind === 'host' ? 'keep' : offered;
    const byDefault =
      kind === 'followup' || kind === 'host' ? otherwise : isDefaulted ? defaults[kind] : undefined;
    const ends = running.find(({ of, id }) =>
      kind === 'followup' ? of === kind : of === 'question' && id === asked,
    );
    return { deadline: ends === undefined ? null : rfc3339(ends.at), byDefault: byDefault ?? null };
  };

/** What stands for an answer that never came, where the task class declares it: recorded as an edit, by no person. */
export const defaultAnswer = (
  { of, id }: Deadline,
  questions: Context['questions'],
  { defaults }: DefinedTaskClass,
  target: string | undefined,
): RecordPayload => {
  const kind = of === 'question' && Object.hasOwn(questions, id) ? questions[id]?.kind : undefined;
  const value = kind === 'information' || kind === 'tool' ? defaults?.[kind] : undefined;
  if (value === undefined || target === undefined) return {};
  return { feedback: { type: 'edit', target, content: { value } } };
};

/** A task's deadlines as they run, and the wake-up call for the next of them. */
export class Alarm {
  readonly #clock: Pick<SteadyClock, 'read' | 'wakeWhen'>;
  readonly #ring: () => void;
  /** All that run, the one of the earliest hour first. */
  running: readonly RunningDeadline[] = [];
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(clock: Pick<SteadyClock, 'read' | 'wakeWhen'>, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** The deadlines after a step. */
  set(running: readonly RunningDeadline[]): void {
    this.running = running;
    this.arm();
  }

  /** Applies each deadline that has passed, the earliest first. One that could not be applied stays due. */
  async pass(until: Reading, apply: (deadline: Deadline) => Promise<unknown>): Promise<void> {
    for (;;) {
      const running = this.running;
      const [first] = running
        .filter((deadline) => timeLeft(deadline, until) <= 0)
        .toSorted((one, other) => timeLeft(one, until) - timeLeft(other, until));
      if (first === undefined) return;
      this.running = running.filter((deadline) => deadline !== first);
      try {
        await apply(first);
      } catch (error) {
        this.running = running;
        throw error;
      }
    }
  }

  /** Asks to be woken for the next deadline, not before so many milliseconds from now. */
  arm(notBefore = 0): void {
    this.#cancel();
    const running = this.running;
    if (running.length === 0 || this.#isStopped) return;
    const earliest = this.#clock.read().monotonic + notBefore;
    this.#cancel = this.#clock.wakeWhen((now) => {
      const left = Math.min(...running.map((deadline) => timeLeft(deadline, now)));
      return Math.max(left, earliest - now.monotonic);
    }, this.#ring);
  }

  /** Is woken no more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }
}
