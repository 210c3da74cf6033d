import { createActor, type Actor } from 'xstate';
import { stateName, taskMachine, type TaskClass } from '../../machines/index.ts';
import type { LedgerRecord, RequestDocument } from '../ports/ledger.ts';
import type { ReplayCode } from './findings.ts';
import { project } from './projection/project.ts';
import { emptyProjection, type Projection } from './projection/projection.ts';
import { hashOfText } from './seal.ts';

/** The difference between a record and its replay, as a code and a message; `null` for none. */
type Judgement = readonly [code: ReplayCode, message: string] | null;

/** A replay of a task's records through a new chart, from the first record on. */
export interface ReplaySession {
  readonly actor: Actor<typeof taskMachine>;
  /** The projection of the records so far, without their emissions. */
  readonly projection: Projection;
  /** Replays the next record, and compares the result with what the record says. */
  readonly judge: (record: LedgerRecord) => Judgement;
}

const noIdentity = { agent_id: 'erased', owner_id: 'erased', control_class: 'human-directed' } as const;

/** A request that was erased: its task is settled, and needs it no more. */
const erasedRequest = (taskClass: string, threadId: string): RequestDocument => ({
  taskClass,
  threadId,
  payload: {},
  explanation: 'This request was erased.',
  identity: noIdentity,
});

/** Returns a replay that starts at the opening record of a task, under its contract; `threadId` is for a request that was erased. */
export const replaySession = (taskClass: TaskClass, opening: LedgerRecord, threadId = ''): ReplaySession => {
  const { request_id: request, trace_id: traceId, brought } = opening;
  const actor = createActor(taskMachine, { input: { taskClass, request } }).start();
  let projection = emptyProjection(brought.request ?? erasedRequest(taskClass.id, threadId), traceId);
  const judge = (record: LedgerRecord): Judgement => {
    const { kind, fact, from, to, request_id, snapshot } = record;
    const before = actor.getSnapshot();
    const state = stateName(before.value);
    if (kind === 'fact' && fact !== null) {
      if (before.status !== 'active' || !before.can(fact))
        return ['refused', `the chart does not take ${fact.type} in ${state}`];
      actor.send(fact);
    }
    const after = actor.getSnapshot();
    projection = project(projection, { before: before.context, after: after.context, record });
    if (state !== from || stateName(after.value) !== to)
      return [
        'state',
        `the chart goes from ${state} to ${stateName(after.value)}, the record says otherwise`,
      ];
    if (after.context.request !== request_id) return ['request', 'another request is in progress'];
    if (kind !== 'fact' || hashOfText(JSON.stringify(actor.getPersistedSnapshot())) === snapshot) return null;
    return ['snapshot', `the fact leads to another snapshot of ${to}`];
  };
  return {
    actor,
    get projection() {
      return projection;
    },
    judge,
  };
};
