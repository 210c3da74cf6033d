import { expect } from 'vitest';
import { digest } from '../../src/base/canonical/digest.ts';
import { replay } from '../../src/core/ledger/index.ts';
import type { TaskClassDefinition } from '../../src/index.ts';
import type { LedgerRecord } from '../../src/base/ports/ledger.ts';
import { sealedAnew } from '../src/core/ledger/made.ts';
import { pay, paying, request, stranger, trusted } from '../src/gates/origins/mailbox.ts';
import type { Attack } from './attack.ts';

/** Changes the ledger of a run that was refused, seals it anew, and replays it. */
const forged = (
  attempt: string,
  change: (record: LedgerRecord) => LedgerRecord,
  mandate: Pick<TaskClassDefinition, 'mandate'> = {},
): Attack => ({
  number: 55,
  attempt,
  expected: 'origins',
  source: 'UAICP 5.4',
  run: async () => {
    const one = paying([pay(stranger)], { taskClass: { flows: 'refuse', ...mandate } });
    const taskId = await one.submit(request);
    await one.ended(taskId);
    const records = await one.orchestrator.ledger(taskId);
    expect(replay(records).same).toBe(true);
    return replay(sealedAnew(records.map(change))).findings[0]?.code;
  },
});

const onCalls =
  (change: (call: NonNullable<LedgerRecord['brought']['calls']>[number]) => object) =>
  (record: LedgerRecord): LedgerRecord => {
    const { calls } = record.brought;
    if (calls === undefined) return record;
    return {
      ...record,
      brought: { ...record.brought, calls: calls.map((one) => ({ ...one, ...change(one) })) },
    };
  };

const withoutOrigins = (record: LedgerRecord): LedgerRecord => {
  const { calls } = record.brought;
  if (calls === undefined) return record;
  return {
    ...record,
    brought: { ...record.brought, calls: calls.map(({ origins: _origins, ...one }) => one) },
  };
};

/** Drops what holds a call from the fact that proposed it; its document still says so. */
const withoutHeld = (record: LedgerRecord): LedgerRecord => {
  const { fact } = record;
  if (fact?.type !== 'calls.proposed') return record;
  return { ...record, fact: { ...fact, calls: fact.calls.map(({ held: _held, ...one }) => one) } };
};

/** Declares the payment with the plan, as if the agent had done so before it read the mail. */
const declared = (record: LedgerRecord): LedgerRecord => {
  const { fact, brought } = record;
  if (fact?.type !== 'plan.proposed' || brought.output === undefined) return record;
  const output = { ...brought.output, declares: ['pay'] };
  return { ...record, fact: { ...fact, digest: digest(output) }, brought: { ...brought, output } };
};

export const forgedOrigins: readonly Attack[] = [
  forged('a ledger whose call is not held any more', withoutHeld),
  forged('a ledger whose plan declared the tool of a held call', declared, { mandate: 'plan' }),
  forged('a ledger whose call has no origins any more', withoutOrigins),
  forged('a ledger whose call has neither origins nor a hold any more', (record) =>
    withoutHeld(withoutOrigins(record)),
  ),
  forged(
    'a ledger whose call comes from a trusted place',
    onCalls(({ origins }) =>
      origins === undefined
        ? {}
        : {
            origins: { ...origins, values: origins.values.map((one) => ({ ...one, integrity: 'trusted' })) },
          },
    ),
  ),
  forged(
    'a ledger whose tool accepted any account',
    onCalls(({ origins }) => {
      const { flows: _flows, ...rest } = origins ?? {};
      return origins === undefined ? {} : { origins: rest };
    }),
  ),
  forged(
    'a ledger whose model was shown only what is trusted',
    onCalls(({ origins }) =>
      origins === undefined
        ? {}
        : { origins: { ...origins, shown: { integrity: 'trusted', readers: 'anyone' } } },
    ),
  ),
  forged(
    'a ledger whose call has flows and no hold',
    onCalls(({ origins }) => {
      const { holds: _holds, ...rest } = origins ?? {};
      return origins === undefined ? {} : { origins: rest };
    }),
  ),
  forged('a ledger whose evidence was hidden from the model', (record) =>
    record.brought.evidence === undefined
      ? record
      : {
          ...record,
          brought: {
            ...record.brought,
            evidence: { ...record.brought.evidence, 'agentcharter:hidden': true },
          },
        },
  ),
  forged('a ledger whose evidence was labelled anew', (record) =>
    record.brought.evidence === undefined
      ? record
      : {
          ...record,
          brought: {
            ...record.brought,
            evidence: { ...record.brought.evidence, 'agentcharter:labels': trusted },
          },
        },
  ),
  forged('a ledger whose request names another account', (record) =>
    record.brought.request === undefined
      ? record
      : {
          ...record,
          brought: {
            ...record.brought,
            request: { ...record.brought.request, payload: { wish: `Pay ${stranger}.` } },
          },
        },
  ),
];
