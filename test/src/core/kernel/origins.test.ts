import { describe, expect, it } from 'vitest';
import type { ProposedCall } from '../../../../machines/index.ts';
import { hasOrigins } from '../../../../src/core/kernel/origins.ts';
import type { TaskClassDefinition } from '../../../../src/index.ts';
import { replay } from '../../../../src/core/ledger/replay.ts';
import type { CallDocument, LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import type { OriginsDocument } from '../../../../src/base/ports/origin.ts';
import { friend, pay, paying, read, request, stranger } from '../../gates/origins/mailbox.ts';
import { call, draft, further, plan } from '../shell/scripted.ts';
import { sealedAnew } from '../ledger/made.ts';

type Ledger = readonly LedgerRecord[];

/** Ends a run after these outputs of its model, whose question a person answers with an edit; returns its ledger. */
const ledgerOf = async (
  outputs: readonly ReturnType<typeof plan | typeof further>[],
  edit?: unknown,
  taskClass: Partial<TaskClassDefinition> = edit === undefined ? { flows: 'refuse' } : {},
): Promise<Ledger> => {
  const one = paying([], { model: [...outputs, draft()], taskClass });
  const taskId = await one.submit(request);
  if (edit !== undefined) await one.answer('edit', { value: edit });
  await one.ended(taskId);
  const records = await one.orchestrator.ledger(taskId);
  expect(replay(records)).toMatchObject({ same: true, findings: [] });
  return records;
};

const held = (): Promise<Ledger> => ledgerOf([plan([read]), further(read, pay(friend), pay(stranger))]);

/** A ledger whose calls have origins, for each way in which a fact brings calls; a payment is the last call. */
const ways: Readonly<Record<string, () => Promise<Ledger>>> = {
  'in a plan': () => ledgerOf([plan([read, pay(friend)])]),
  'in further calls': held,
  'in an edited plan': () =>
    ledgerOf([plan([read]), { ...further(pay(friend)), confidence: 0.1 }], plan([pay(friend, 51)])),
  'in an edited call': () => ledgerOf([plan([read]), further(pay(stranger))], { to: friend, amount: 51 }),
};

const lastOf = (records: Ledger): LedgerRecord =>
  records.findLast(({ brought: { calls } }) => calls?.at(-1)?.tool === 'pay')!;

/** Returns what a replay first finds after the last record with calls was changed, and all was sealed anew. */
const foundAfter = (records: Ledger, change: (record: LedgerRecord) => LedgerRecord) => {
  const last = lastOf(records);
  const forged = sealedAnew(records.map((record) => (record === last ? change(record) : record)));
  const [finding] = replay(forged).findings;
  return finding && { ...finding, seq: finding.seq - last.seq };
};

type OnCall = (given: CallDocument & { readonly origins: OriginsDocument }) => object;

/** Changes the call of a record at a place. */
const onCall =
  (change: OnCall, at = -1) =>
  (record: LedgerRecord): LedgerRecord => {
    const { calls = [] } = record.brought;
    const changed = change(calls.at(at) as Parameters<OnCall>[0]) as CallDocument;
    return { ...record, brought: { ...record.brought, calls: calls.with(at, changed) } };
  };

const onOrigins = (change: (origins: OriginsDocument) => object, at = -1) =>
  onCall((given) => ({ ...given, origins: change(given.origins) }), at);

const withoutOrigins: OnCall = ({ origins: _origins, ...given }) => given;

/** Changes what the fact of a record says of its call at a place. */
const onFact =
  (change: (proposed: ProposedCall) => ProposedCall, at = -1) =>
  (record: LedgerRecord): LedgerRecord => {
    const { fact } = record;
    const changed = (calls: readonly ProposedCall[]) => calls.with(at, change(calls.at(at)!));
    if (fact?.type === 'plan.proposed' || fact?.type === 'calls.proposed')
      return { ...record, fact: { ...fact, calls: changed(fact.calls) } };
    if (fact?.type !== 'human.responded') throw new Error('the record proposes no calls');
    const { plan: edited, call: one } = fact;
    return {
      ...record,
      fact: {
        ...fact,
        ...(edited && { plan: { ...edited, calls: changed(edited.calls) } }),
        ...(one && { call: change(one) }),
      },
    };
  };

const hold = { code: 'FLOW_FORBIDDEN', at: '/amount', why: 'so' } as const;
const misplaced = {
  seq: 0,
  code: 'origins',
  message: 'the values of pay do not come from where its record says',
};

describe.each(Object.entries(ways))('The origins of calls %s', (_, made) => {
  const changes: Readonly<Record<string, ReturnType<typeof onCall>>> = {
    'that are missing': onCall(withoutOrigins),
    'with another integrity': onOrigins(({ values, ...rest }) => ({
      ...rest,
      values: values.map((one) => ({
        ...one,
        integrity: one.integrity === 'trusted' ? 'untrusted' : 'trusted',
      })),
    })),
    'found elsewhere': onOrigins(({ values, ...rest }) => ({
      ...rest,
      values: values.map((one) => ({ ...one, found: [{ source: 'contacts.find#1', pointer: '' }] })),
    })),
    'with other readers': onOrigins(({ shown, ...rest }) => ({ ...rest, shown: { ...shown, readers: [] } })),
    'with another hold': onOrigins(({ holds = [], ...rest }) => ({ ...rest, holds: [...holds, hold] })),
    'without what their tool accepts': onOrigins(({ flows: _flows, ...rest }) => ({
      ...rest,
      holds: [hold],
    })),
  };

  it.each(Object.entries(changes))('are found to be forged: %s', async (__, change) => {
    expect(foundAfter(await made(), change)).toEqual(misplaced);
  });

  it('are taken as they are if other rules found them, and compared with what holds the call', async () => {
    const records = await made();
    const older = onOrigins(({ version: _version, values, ...rest }) => ({
      ...rest,
      values: values.slice(1),
    }));
    expect(foundAfter(records, older)).toBeUndefined();
    const released = onFact((one) => ({ ...one, held: ['MANDATE_EXCEEDED'] }));
    expect(foundAfter(records, (record) => released(older(record)))).toMatchObject({
      seq: 0,
      code: 'origins',
    });
  });

  it('are compared with what holds the call', async () => {
    expect(
      foundAfter(
        await made(),
        onFact((one) => ({ ...one, held: ['MANDATE_EXCEEDED'] })),
      ),
    ).toMatchObject({
      seq: 0,
      code: 'origins',
      message: expect.stringMatching(/^pay is MANDATE_EXCEEDED, and its values say /),
    });
  });
});

describe('A call that is held', () => {
  it('is found if its fact says that it is not', async () => {
    expect(
      foundAfter(
        await held(),
        onFact(({ held: _held, ...one }) => one),
      )?.message,
    ).toBe('pay is not held, and its values say FLOW_FORBIDDEN');
  });

  it('is found if it is one that may go on', async () => {
    const free = await ways['in a plan']!();
    expect(
      foundAfter(
        free,
        onFact((one) => ({ ...one, held: ['FLOW_FORBIDDEN'] })),
      )?.message,
    ).toBe('pay is FLOW_FORBIDDEN, and its values say otherwise');
  });

  it.each([
    ['code', { code: 'MANDATE_EXCEEDED' }, misplaced],
    ['place', { at: '/amount' }, misplaced],
    ['words, which another version may choose', { why: 'another' }, undefined],
  ])('has its own %s', async (__, changed, expected) => {
    const change = onOrigins(({ holds = [], ...rest }) => ({
      ...rest,
      holds: holds.map((one) => ({ ...one, ...changed })),
    }));
    expect(foundAfter(await held(), change)).toEqual(expected);
  });
});

it('compares the origins of a call that only reads', async () => {
  const records = await ledgerOf([
    plan([read]),
    further(call('contacts.find', { name: friend }), pay(friend)),
  ]);
  const nowhere = onOrigins((origins) => ({ ...origins, values: [] }), 0);
  const message = misplaced.message.replace('pay', 'contacts.find');
  expect(foundAfter(records, nowhere)).toEqual({ ...misplaced, message });
});

const outside = () =>
  ledgerOf([plan([read]), further(call('contacts.find', { name: friend }), pay(stranger))], undefined, {
    flows: 'refuse',
    mandate: 'plan',
  });

describe('A tool outside the tools of a run', () => {
  const message = misplaced.message.replace('pay', 'contacts.find');

  it.each([
    ['missing', onCall(withoutOrigins, 0)],
    ['of another tool', onOrigins(({ holds: _holds, ...rest }) => rest, 0)],
  ])('is found if its origins are %s', async (__, change) => {
    expect(foundAfter(await outside(), change)).toEqual({ ...misplaced, message });
  });

  it('is found if it is held for one reason of two', async () => {
    const one = onFact((proposed) => ({ ...proposed, held: ['FLOW_FORBIDDEN'] }));
    expect(foundAfter(await outside(), one)?.message).toBe(
      'pay is FLOW_FORBIDDEN, and its values say MANDATE_EXCEEDED, FLOW_FORBIDDEN',
    );
  });

  it('is found if it is held for two reasons in another order', async () => {
    const other = onFact((proposed) => ({ ...proposed, held: ['FLOW_FORBIDDEN', 'MANDATE_EXCEEDED'] }));
    expect(foundAfter(await outside(), other)?.message).toBe(
      'pay is FLOW_FORBIDDEN, MANDATE_EXCEEDED, and its values say MANDATE_EXCEEDED, FLOW_FORBIDDEN',
    );
  });
});

it('finds calls of a record without a fact', async () => {
  const [opening, ...rest] = await held();
  const { calls } = lastOf(rest).brought;
  const forged = sealedAnew([{ ...opening!, brought: { ...opening!.brought, calls: calls! } }, ...rest]);
  expect(replay(forged).findings).toMatchObject([{ seq: 0, code: 'origins' }]);
});

describe('A call without origins', () => {
  const message = misplaced.message.replace('pay', 'mail.read');

  it('is found if it writes', async () => {
    const found = foundAfter(
      await held(),
      onFact((one) => ({ ...one, tier: 'write_low_risk' }), 0),
    );
    expect(found).toEqual({ ...misplaced, message });
  });

  it('is found if no fact proposed it', async () => {
    expect(
      foundAfter(
        await held(),
        onFact((one) => ({ ...one, id: 'another' }), 0),
      )?.message,
    ).toBe(message);
  });
});

/** Refers to a value of a result. */
const from = (alias: string) => ({ $from: alias, pointer: '/iban' });
const referring = () => ledgerOf([plan([call('contacts.find')]), further(pay(from('contacts.find#1')))]);

/** Changes the account as the agent gave it. */
const withReference =
  (to: unknown) =>
  (record: LedgerRecord): LedgerRecord => {
    const { output } = record.brought;
    const calls = [{ tool: 'pay', arguments: { to, amount: 50 } }];
    return { ...record, brought: { ...record.brought, output: { ...output!, payload: { calls } } } };
  };

describe('A reference', () => {
  it('gives a value its origin', async () => {
    const values = lastOf(await referring()).brought.calls?.[0]?.origins?.values;
    expect(values?.find(({ at }) => at === '/to')).toMatchObject({
      found: [{ source: 'contacts.find#1', pointer: '/iban' }],
      isReference: true,
    });
  });

  it.each([
    ['that names nothing', from('contacts.find#9')],
    ['in place of which stands the value', friend],
  ])('is found: one %s', async (__, to) => {
    expect(foundAfter(await referring(), withReference(to))).toEqual(misplaced);
  });
});

describe('After a document was erased', () => {
  it.each([
    'request',
    'output',
    'rejected',
    'calls',
    'evidence',
    'explanation',
    'feedback',
    'message',
    'payload',
  ])('origins cannot be computed: %s', (name) => {
    const record = { documents: { [name]: 'sha256:0' }, brought: {} } as unknown as LedgerRecord;
    expect(hasOrigins(record)).toBe(false);
    expect(hasOrigins({ ...record, brought: { [name]: {} } })).toBe(true);
  });

  it('origins can be computed if they are not made of it', () => {
    expect(hasOrigins({ documents: { report: 'sha256:0' }, brought: {} } as unknown as LedgerRecord)).toBe(
      true,
    );
  });

  it('no origins are compared', async () => {
    const records = (await held()).map((record) => {
      const { evidence: _evidence, ...brought } = record.brought;
      return { ...record, brought };
    });
    expect(
      foundAfter(
        records,
        onOrigins(({ flows: _flows, ...rest }) => rest),
      ),
    ).toBeUndefined();
  });
});
