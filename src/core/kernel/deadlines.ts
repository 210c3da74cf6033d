import type { Context, DeadlineOf, Duty } from '../../../machines/index.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import type { CallDocument, RecordPayload } from '../../base/ports/ledger.ts';
import type { Deadline } from '../../base/ports/store.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { Verifier } from '../../base/ports/verifier.ts';
import { rfc3339, type Reading } from './now.ts';
import type { Projection } from './projection/projection.ts';
import type { TermsOf } from './questions.ts';
import { isUndoneByHand, isUndoneByLedger } from './view.ts';

type Wake = Extract<Duty, { kind: 'wake' }>;

/** A deadline that runs in this process. */
export interface RunningDeadline extends Deadline {
  /** A key of the work: retried work has another key and its full time. */
  readonly key: string;
  /**
   * The monotonic reading at which it passes. `null` if the system time decides; `Infinity` if another process does
   * the work and times it.
   */
  readonly ends: number | null;
}

/** The clock of each deadline: elapsed time for our own work, system time for everything else. */
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

/** Returns the milliseconds until a deadline passes. */
export const timeLeft = ({ at, ends }: RunningDeadline, now: Reading): number =>
  ends === null ? at - now.at : ends - now.monotonic;

/** Returns the milliseconds until the next of these deadlines passes. */
export const nextIn = (running: readonly RunningDeadline[], now: Reading): number =>
  running.reduce((left, deadline) => Math.min(left, timeLeft(deadline, now)), Infinity);

/** Returns the deadline that passed first, at or before an instant; `undefined` for none. */
export const passedFirst = (
  running: readonly RunningDeadline[],
  until: Reading,
): RunningDeadline | undefined =>
  running.reduce<RunningDeadline | undefined>((first, one) => {
    const left = timeLeft(one, until);
    return left <= 0 && (first === undefined || left < timeLeft(first, until)) ? one : first;
  }, undefined);

/** Returns whether this process times any work. */
export const timesWork = (running: readonly RunningDeadline[]): boolean =>
  running.some(({ ends }) => ends !== null && Number.isFinite(ends));

/** Returns whether a call of an earlier holder must be over before it is resumed. One that may be repeated need not be. */
export const isCallQuarantined = (tool: Tool | undefined): boolean =>
  tool?.doubt !== 'idempotent' && tool?.child === undefined;

/** Returns whether other tasks undo a write, with deadlines of their own. */
export const isUndoneInTasks = (tool: Tool | undefined, call: CallDocument | undefined): boolean =>
  isUndoneByLedger(tool) || isUndoneByHand(call);

/** Returns whether a rollback of an earlier holder must be over before it is resumed. */
export const isRollbackQuarantined = (tool: Tool | undefined, call: CallDocument | undefined): boolean =>
  tool?.rollback?.doubt !== 'idempotent' && !isUndoneInTasks(tool, call);

/** Returns the milliseconds that a rollback may take: a caller who performs it may not be here. */
export const timeToUndo = ({ deadlines }: DefinedTaskClass, call: CallDocument | undefined): number =>
  call?.performs === undefined ? deadlines.rollback : deadlines.host;

/** The inputs of a task's deadlines. */
export interface Timing {
  readonly context: Pick<Context, 'request' | 'attempt' | 'counters' | 'collected' | 'calls'>;
  /** Whether this process performs and times the work of its tasks. */
  readonly isOwner: boolean;
  readonly taskClass: DefinedTaskClass;
  readonly projection: Projection;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly verifiers: ReadonlyMap<string, Verifier>;
  /** Returns how long an effect with this deadline waits until an earlier holder is over; given for a task that is loaded. */
  readonly quarantineOf?: (deadline: number) => number;
}

/** Returns when evidence expires: by its own time or that of its collection, whichever is earlier. */
const endOfEvidence = (id: string, now: number, { taskClass, projection }: Timing): number | undefined => {
  const collected = Date.parse(projection.evidence[id]?.collected_at ?? '');
  return taskClass.maxAge && Math.min(now, Number.isNaN(collected) ? now : collected) + taskClass.maxAge;
};

/** Returns when the first of an action's approvals expires. */
const endOfApproval = (digest: string, { projection }: Timing): number | undefined => {
  const ends = (projection.approvals[digest] ?? []).map(({ expiresAt }) => Date.parse(expiresAt));
  return ends.length === 0 ? undefined : Math.min(...ends);
};

/** Returns a key that differs for each repetition of work under one id. */
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

/** Returns the milliseconds of a deadline that starts now; `undefined` for no deadline. */
const timeOf = ({ of, id }: Wake, now: number, timing: Timing): number | undefined => {
  const { taskClass, projection, tools, verifiers } = timing;
  const after = (at: number | undefined) => (at === undefined ? undefined : at - now);
  /** An effect has its full time after its quarantine. */
  const resumable = (deadline: number, isQuarantined: boolean) =>
    deadline + (isQuarantined ? (timing.quarantineOf?.(deadline) ?? 0) : 0);
  switch (of) {
    case 'evidence':
      return after(endOfEvidence(id, now, timing));
    case 'approval':
      return after(endOfApproval(id, timing));
    case 'call': {
      const tool = tools.get(projection.calls[id]?.tool ?? '');
      return resumable(tool?.deadline ?? taskClass.deadlines.call, isCallQuarantined(tool));
    }
    case 'verifier':
      return verifiers.get(id.slice(id.indexOf(' ') + 1))?.deadline ?? taskClass.deadlines.verifier;
    case 'rollback': {
      const call = Object.values(projection.calls).find(({ digest }) => digest === id);
      const tool = tools.get(call?.tool ?? '');
      if (isUndoneInTasks(tool, call)) return undefined;
      return resumable(timeToUndo(taskClass, call), isRollbackQuarantined(tool, call));
    }
    case 'start':
      return projection.calls[id]?.performs === undefined
        ? taskClass.deadlines.start
        : taskClass.deadlines.host;
    case 'dependency': {
      const call = projection.calls[id]; // the report of its caller is awaited under its id
      if (call?.performs === undefined) return taskClass.deadlines.dependency;
      return tools.get(call.tool)?.deadline ?? taskClass.deadlines.call;
    }
    case 'accept':
    case 'model':
    case 'host':
    case 'policy':
    case 'question':
    case 'offer':
    case 'followup':
      return taskClass.deadlines[of];
  }
};

const begun = (wake: Wake, key: string, now: Reading, timing: Timing): RunningDeadline | undefined => {
  const time = timeOf(wake, now.at, timing);
  if (time === undefined || !Number.isFinite(time)) return undefined;
  const ends = timing.isOwner ? now.monotonic + time : Infinity;
  return { of: wake.of, id: wake.id, at: now.at + time, key, ends: isWork(wake) ? ends : null };
};

/** Returns the deadlines after a step: those still due continue, new ones start, the others are removed. */
export const runningDeadlines = (
  running: readonly RunningDeadline[],
  duties: readonly Duty[],
  now: Reading,
  timing: Timing,
): readonly RunningDeadline[] => {
  const after: RunningDeadline[] = [];
  for (const wake of duties) {
    if (wake.kind !== 'wake') continue;
    const key = keyOf(wake, timing);
    // a further approval may expire before the earlier ones
    const known = wake.of === 'approval' ? undefined : running.find((deadline) => deadline.key === key);
    const deadline = known ?? begun(wake, key, now, timing);
    if (deadline !== undefined) after.push(deadline);
  }
  return after.length < 2 ? after : after.toSorted((one, other) => one.at - other.at);
};

type Of = Pick<Deadline, 'of' | 'id'>;

const isOf = (deadline: RunningDeadline, { of, id }: Of): boolean =>
  deadline.of === of && deadline.id === id && isWork(deadline);

/** Returns deadlines of which that of some work does not pass. */
export const withoutTime = (running: readonly RunningDeadline[], of: Of): readonly RunningDeadline[] =>
  running.map((deadline) => (isOf(deadline, of) ? { ...deadline, ends: Infinity } : deadline));

/** Returns deadlines of which that of some work has its full time from now on. */
export const withFullTime = (
  running: readonly RunningDeadline[],
  of: Of,
  now: Reading,
  timing: Timing,
): readonly RunningDeadline[] =>
  running
    .map((deadline) =>
      isOf(deadline, of) ? (begun({ kind: 'wake', ...of }, deadline.key, now, timing) ?? deadline) : deadline,
    )
    .toSorted((one, other) => one.at - other.at);

/**
 * Returns the deadlines of a reloaded task: stored times, and elapsed time for work of this process.
 *
 * The owner gives resumed work its full time, however long no process ran.
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

/** Returns a question's deadline, and the default answer of its task class or offer. */
export const termsOf =
  (
    { defaults = {} }: Pick<DefinedTaskClass, 'defaults'>,
    running: readonly Deadline[],
    offered: unknown,
  ): TermsOf =>
  (kind, asked) => {
    const hasDefault = kind === 'information' || kind === 'tool' || kind === 'approval';
    const otherwise = kind === 'host' ? 'keep' : offered;
    const byDefault =
      kind === 'followup' || kind === 'host' ? otherwise : hasDefault ? defaults[kind] : undefined;
    const ends = running.find(({ of, id }) =>
      kind === 'followup' ? of === kind : of === 'question' && id === asked,
    );
    return { deadline: ends === undefined ? null : rfc3339(ends.at), byDefault: byDefault ?? null };
  };

/** Returns the declared default answer at a question's deadline, recorded as an edit without a person. */
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
