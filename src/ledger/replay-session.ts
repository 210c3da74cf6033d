import { createActor, type Actor } from 'xstate';
import { dutiesOf, stateName, taskMachine, type Fact, type TaskClass } from '../../machines/index.ts';
import { hashOfText } from '../canonical/digest.ts';
import type { LedgerRecord, RequestDocument } from '../ports/ledger.ts';
import type { ReplayCode } from './findings.ts';
import { hasOrigins, originsFault } from './origins.ts';
import { project } from './projection/project.ts';
import { emptyProjection, type Projection } from './projection/projection.ts';
import { isSnapshotTaken } from './resting.ts';
import { snapshotText } from './snapshot-text.ts';

/** The difference between a record and its replay, as a code and a message; `null` for none. */
type Judgement = readonly [code: ReplayCode, message: string] | null;

/** A replay of a task's records in a new chart, from the first record on. */
export interface ReplaySession {
  readonly actor: Actor<typeof taskMachine>;
  /** The projection of the records so far, without their emissions. */
  readonly projection: Projection;
  /** Replays the next record, and compares the result with it. */
  readonly judge: (record: LedgerRecord) => Judgement;
  /** Returns the name of the current state. */
  readonly state: () => string;
  /** Returns the text of the current snapshot. */
  readonly snapshotText: () => string;
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

/** Sends a fact to a chart. Returns `false` if the chart refuses it; its snapshot is then the same object as before. */
export const takeFact = (actor: ReplaySession['actor'], fact: Fact): boolean => {
  const before = actor.getSnapshot();
  if (before.status !== 'active') return false;
  actor.send(fact);
  return actor.getSnapshot() !== before;
};

/** The options of a replay. */
interface ReplayTerms {
  /** The thread of an erased request. */
  readonly threadId?: string;
  /**
   * The index of the first record of this version of the chart. Earlier facts are replayed too, but their states and
   * snapshots are not compared: they are those of another version.
   */
  readonly since?: number;
}

/** Returns a replay that starts at the opening record of a task, under its contract. */
export const replaySession = (
  taskClass: TaskClass,
  opening: LedgerRecord,
  { threadId = '', since = 0 }: ReplayTerms = {},
): ReplaySession => {
  const { request_id: request, trace_id: traceId, brought } = opening;
  const actor = createActor(taskMachine, { input: { taskClass, request } }).start();
  const stateNow = (): string => stateName(actor.getSnapshot().value);
  let projection = emptyProjection(brought.request ?? erasedRequest(taskClass.id, threadId), traceId);
  let place = -1;
  let isWhole = true;
  const judge = (record: LedgerRecord): Judgement => {
    place += 1;
    const isCurrent = place >= since;
    const { kind, fact, from, to, request_id, snapshot } = record;
    const before = actor.getSnapshot();
    const state = stateName(before.value);
    if (kind === 'fact' && fact !== null && !takeFact(actor, fact))
      return ['refused', `the chart does not accept ${fact.type} in ${state}`];
    isWhole &&= hasOrigins(record);
    const isTraced = isCurrent && isWhole && kind === 'fact'; // earlier versions recorded no origins
    const misplaced = isTraced ? originsFault(projection, record) : null;
    if (misplaced !== null) return ['origins', misplaced];
    const after = actor.getSnapshot();
    const reached = stateName(after.value);
    const projected = isCurrent ? record : { ...record, from: state, to: reached };
    projection = project(projection, { before: before.context, after: after.context, record: projected });
    const isFrom = state === from || kind === 'upgrade'; // an upgrade begins in a state of another version
    if (isCurrent && (!isFrom || reached !== to))
      return [
        'state',
        `the chart goes from ${state} to ${reached}, and the record from ${from ?? 'nothing'} to ${to}`,
      ];
    if (after.context.request !== request_id) return ['request', 'another request is in progress'];
    if (!isCurrent || (kind !== 'fact' && kind !== 'upgrade')) return null;
    if (snapshot === null) {
      const isMissing =
        kind === 'upgrade' ||
        fact === null ||
        isSnapshotTaken(before.context, after.context, dutiesOf(after));
      return isMissing
        ? ['snapshot', `${to} is a state whose snapshot is recorded, and here it is not`]
        : null;
    }
    if (hashOfText(snapshotText(after)) === snapshot) return null;
    return ['snapshot', `the ${kind === 'fact' ? kind : 'carry-over'} leads to another snapshot of ${to}`];
  };
  return {
    actor,
    get projection() {
      return projection;
    },
    judge,
    state: stateNow,
    snapshotText: () => snapshotText(actor.getSnapshot()),
  };
};
