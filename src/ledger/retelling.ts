import { createActor, type Actor } from 'xstate';
import { stateName, taskMachine, type TaskClass } from '../../machines/index.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import type { ReplayCode } from './findings.ts';
import { hashOfText } from './seal.ts';

/** What is wrong with a record, held against the chart: the code, and the words; `null` for nothing. */
type Judgement = readonly [code: ReplayCode, message: string] | null;

/** A chart that a task's records are told to once more, from the first one on. */
export interface Retelling {
  readonly actor: Actor<typeof taskMachine>;
  /** Tells the next record, and holds what it leads to against what it says. */
  readonly judge: (record: LedgerRecord) => Judgement;
}

/** Begins at the beginning of a task, under its contract and its first request. */
export const retellingOf = (taskClass: TaskClass, request: string): Retelling => {
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
