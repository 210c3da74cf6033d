import { isWrite, type Effect, type Known } from './known.ts';
import type { TracedStep } from './hours.ts';
import type { FactNamed } from './vocabulary.ts';

type Traced = Pick<TracedStep['record'], 'kind' | 'fact' | 'request_id'>;

/** One rollback beside the run: its write landed when the run had given it up, or was taken back after the run settled. */
interface LateRollback {
  status: 'started' | 'ended';
  recoveries: number;
}

/** What a ledger has told of its late writes. Each write is known by its request and its digest. */
interface Told {
  /** Writes that began, by request, attempt and call. */
  readonly begun: Map<string, string>;
  /** Writes whose tool came back when their run waited for it no more; its result may be one that cannot be read. */
  readonly landed: Set<string>;
  /** Writes whose rollback the run itself began. */
  readonly ownRollbacks: Set<string>;
  readonly late: Map<string, LateRollback>;
  /** The effects of the current request, and those of the requests before it. */
  request: string;
  effects: readonly Effect[];
  concluded: ReadonlyMap<string, Effect['status']>;
}

const nameOf = (request: string, digest: string): string => `${request} ${digest}`;
const nameOfCall = ({
  request,
  attempt,
  call,
}: FactNamed<'call.started' | 'call.succeeded' | 'call.doubted'>): string =>
  [request, attempt, call].join(' ');

/** What the task knows became of a write; `null` if its run has no record of it, or ruled it out. */
const statusOf = (told: Told, known: Known, name: string): Effect['status'] | null => {
  const own = known.effects.find(({ digest }) => nameOf(known.request, digest) === name)?.status;
  const status = own ?? told.concluded.get(name) ?? null;
  return status === 'ruledOut' ? null : status;
};

const faultOfStart = (told: Told, known: Known, name: string): string | null => {
  const status = statusOf(told, known, name);
  if (told.late.has(name)) return 'the rollback of a late write starts twice';
  if (told.ownRollbacks.has(name)) return 'a late write is rolled back that its run rolled back';
  if (status === null && !told.landed.has(name)) return 'a late write is rolled back that never landed';
  if (status !== null && (known.outcome === null || (status !== 'committed' && status !== 'kept')))
    return 'a late write is rolled back that its run knows';
  told.late.set(name, { status: 'started', recoveries: 0 });
  return null;
};

const faultOfEnd = (told: Told, name: string): string | null => {
  const one = told.late.get(name);
  if (one === undefined)
    return told.ownRollbacks.has(name) ? null : 'the rollback of a late write ends before it starts';
  if (one.status === 'ended') return 'the rollback of a late write ends twice';
  one.status = 'ended';
  return null;
};

const faultOfRecovery = (
  told: Told,
  known: Known,
  name: string,
  effect: 'call' | 'rollback',
): string | null => {
  const one = told.late.get(name);
  if (effect !== 'rollback' || one?.status !== 'started')
    return 'the rollback of a late write is recovered when it is not in doubt';
  one.recoveries += 1;
  return one.recoveries > known.taskClass.limits.recoveries
    ? 'the rollback of a late write is recovered beyond its limit'
    : null;
};

/** Notes what the run itself does with its writes. */
const noteOwn = (told: Told, known: Known, { fact }: Traced): null => {
  if (fact?.type === 'call.started') {
    const call = known.calls.find(({ id }) => id === fact.call);
    if (call !== undefined && isWrite(call))
      told.begun.set(nameOfCall(fact), nameOf(fact.request, fact.digest));
  }
  if (fact?.type === 'call.succeeded') {
    const name = told.begun.get(nameOfCall(fact)) ?? '';
    if (told.late.get(name)?.status === 'ended') told.late.delete(name);
    told.ownRollbacks.delete(name);
  }
  if (fact?.type === 'changes.requested')
    told.concluded = new Map([
      ...told.concluded,
      ...told.effects.map(({ digest, status }) => [nameOf(told.request, digest), status] as const),
    ]);
  if (fact?.type === 'rollback.started') told.ownRollbacks.add(nameOf(fact.request, fact.digest));
  return null;
};

const faultOfOrphan = (told: Told, known: Known, { fact }: Traced): string | null => {
  if (fact?.type === 'call.succeeded' || fact?.type === 'call.doubted') {
    const name = told.begun.get(nameOfCall(fact));
    if (name !== undefined) told.landed.add(name);
  }
  if (fact?.type === 'rollback.started') return faultOfStart(told, known, nameOf(fact.request, fact.digest));
  if (fact?.type === 'rollback.succeeded' || fact?.type === 'rollback.failed')
    return faultOfEnd(told, nameOf(fact.request, fact.digest));
  if (fact?.type === 'recovery.started')
    return faultOfRecovery(told, known, nameOf(fact.request, fact.digest), fact.effect);
  return null;
};

/**
 * Follows the writes of one ledger that landed after their run gave them up (interpretation 0059). Returns a function that
 * takes each record with what the model knows then, and returns what is wrong with it.
 *
 * A rollback starts at most once each time that its run makes the write, and ends at most once after that. Recoveries come between, as often as the limit says. No
 * write that its run knows is rolled back beside it, unless the run has settled.
 */
export const lateWrites = (): ((record: Traced, known: Known) => string | null) => {
  const told: Told = {
    begun: new Map(),
    landed: new Set(),
    ownRollbacks: new Set(),
    late: new Map(),
    request: '',
    effects: [],
    concluded: new Map(),
  };
  return (record, known) => {
    const fault =
      record.kind === 'orphan' ? faultOfOrphan(told, known, record) : noteOwn(told, known, record);
    told.request = known.request;
    told.effects = known.effects;
    return fault;
  };
};
