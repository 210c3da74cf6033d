import { createActor, type Actor } from 'xstate';
import { stateName, taskMachine, type TaskClass } from '../../machines/index.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import type { ReplayCode } from './findings.ts';
import { hashOfText } from './seal.ts';

/** The difference between a record and its replay, as a code and a message; `null` for none. */
type Judgement = readonly [code: ReplayCode, message: string] | null;

/** A replay of a task's records through a new chart, from the first record on. */
export interface ReplaySession {
  readonly actor: Actor<typeof taskMachine>;
  /** Replays the next record, and compares the result with what the record says. */
  readonly judge: (record: LedgerRecord) => Judgement;
}

/** Returns a replay that starts at the beginning of a task, with its contract and its first request. */
export const replaySession = (taskClass: TaskClass, request: string): ReplaySession => {
  const actor = createActor(taskMachine, { input: { taskClass, request } }).start();
  const state = (): string => stateName(actor.getSnapshot().value);
  const judge = ({ kind, fact, from, to, request_id, snapshot }: LedgerRecord): Judgement => {
    const before = state();
    if (kind === 'fact' && fact !== null) {
      const now = actor.getSnapshot();
      if (now.status !== 'active' || !now.can(fact))
        return ['refused', `the chart does not take ${fact.type} in ${before}`];
      actor.send(fact);
    }
    if (before !== from || state() !== to)
      return ['state', `the chart goes from ${before} to ${state()}, the record says otherwise`];
    if (actor.getSnapshot().context.request !== request_id)
      return ['request', 'another request is in progress'];
    if (kind !== 'fact' || hashOfText(JSON.stringify(actor.getPersistedSnapshot())) === snapshot) return null;
    return ['snapshot', `the fact leads to another snapshot of ${to}`];
  };
  return { actor, judge };
};
