import { expect, test } from 'vitest';
import { verifyLedger } from '../../../../../src/core/ledger/index.ts';
import { scenario } from './scenario.ts';
import { createVandal } from './vandal.ts';

const honest = scenario(() => {});

test('a host that mutates every value changes no run', async () => {
  const vandal = createVandal();
  const spoilt = await scenario((_, values) => vandal.take(values));
  expect(spoilt).toEqual(await honest);
  expect(vandal.seen().objects).toBeGreaterThan(1_000);
  for (const task of spoilt.stored)
    expect(await verifyLedger(task?.records ?? [], { emissions: task?.emissions ?? [] })).toMatchObject({
      findings: [],
    });
});
