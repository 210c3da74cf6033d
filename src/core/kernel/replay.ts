import { dutiesOf, stateName, type TaskClass } from '../../../machines/index.ts';
import { hashOfText } from '../../base/canonical/digest.ts';
import type { LedgerRecord, RequestDocument } from '../../base/ports/ledger.ts';
import { begin, next, type TaskSnapshot } from './chart.ts';
import { hasOrigins, originsFault } from './origins.ts';
import { project } from './projection/project.ts';
import { emptyProjection, type Projection } from './projection/projection.ts';
import { isSnapshotTaken, snapshotText } from './snapshot.ts';

/** The difference between a record and its replay, as a code and a message; `null` for none. */
type Judgement =
  readonly [code: 'refused' | 'origins' | 'state' | 'request' | 'snapshot', message: string] | null;

/** A replay of a ledger up to a record. */
export interface Replayed {
  readonly snapshot: TaskSnapshot;
  /** The projection of the records that agree, without their emissions. */
  readonly projection: Projection;
  /** The number of records so far. */
  readonly size: number;
  /** Whether each of them records its origins; those of earlier versions do not. */
  readonly isWhole: boolean;
}

const noIdentity = { agent_id: 'erased', owner_id: 'erased', control_class: 'human-directed' } as const;

/** Returns the placeholder for an erased request of a settled task. */
export const erasedRequest = (taskClass: string, threadId: string): RequestDocument => ({
  taskClass,
  threadId,
  payload: {},
  explanation: 'This request was erased.',
  identity: noIdentity,
});

/** Returns the replay of no records yet, from the opening record of a task, under its contract. */
export const unreplayed = (taskClass: TaskClass, opening: LedgerRecord, threadId = ''): Replayed => {
  const { request_id: request, trace_id: traceId, brought } = opening;
  return {
    snapshot: begin(taskClass, request),
    projection: emptyProjection(brought.request ?? erasedRequest(taskClass.id, threadId), traceId),
    size: 0,
    isWhole: true,
  };
};

/** Returns how the snapshot of a record differs from that of its replay. */
const snapshotFault = (
  { kind, fact, to, snapshot }: LedgerRecord,
  before: TaskSnapshot,
  after: TaskSnapshot,
): Judgement => {
  if (kind !== 'fact' && kind !== 'upgrade') return null;
  if (snapshot === null)
    return kind === 'upgrade' ||
      fact === null ||
      isSnapshotTaken(before.context, after.context, dutiesOf(after))
      ? ['snapshot', `${to} is a state whose snapshot is recorded, and here it is not`]
      : null;
  if (hashOfText(snapshotText(after)) === snapshot) return null;
  return ['snapshot', `the ${kind === 'fact' ? kind : 'carry-over'} leads to another snapshot of ${to}`];
};

/**
 * Returns the replay after one more record, and how the record differs from it.
 *
 * `since` is the index of the first record of this version of the chart. Earlier facts are replayed too, but their states and
 * snapshots are not compared: they are those of another version.
 */
export const replayed = (
  replay: Replayed,
  record: LedgerRecord,
  since = 0,
): { readonly after: Replayed; readonly fault: Judgement } => {
  const { snapshot: before, projection, size } = replay;
  const isCurrent = size >= since;
  const { kind, fact, from, to, request_id } = record;
  const state = stateName(before.value);
  const snapshot = kind === 'fact' && fact !== null ? next(before, fact) : before;
  if (kind === 'fact' && fact !== null && snapshot === before)
    return {
      after: { ...replay, size: size + 1 },
      fault: ['refused', `the chart does not accept ${fact.type} in ${state}`],
    };
  const isWhole = replay.isWhole && hasOrigins(record);
  const misplaced = isCurrent && isWhole && kind === 'fact' ? originsFault(projection, record) : null;
  if (misplaced !== null)
    return { after: { ...replay, snapshot, size: size + 1 }, fault: ['origins', misplaced] };
  const reached = stateName(snapshot.value);
  const after = {
    snapshot,
    projection: project(projection, {
      before: before.context,
      after: snapshot.context,
      record: isCurrent ? record : { ...record, from: state, to: reached },
    }),
    size: size + 1,
    isWhole,
  };
  const isFrom = state === from || kind === 'upgrade'; // an upgrade begins in a state of another version
  if (isCurrent && (!isFrom || reached !== to)) {
    const message = `the chart goes from ${state} to ${reached}, and the record from ${from ?? 'nothing'} to ${to}`;
    return { after, fault: ['state', message] };
  }
  if (snapshot.context.request !== request_id)
    return { after, fault: ['request', 'another request is in progress'] };
  return { after, fault: isCurrent ? snapshotFault(record, before, snapshot) : null };
};
