import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../machines/generated.ts';
import { featureNames, featuresOf, type FeatureName } from './features.ts';
import { contracts, ledgerOf } from './orchestrator.ts';
import { partingOf } from './trace.ts';
import type { Fact } from './vocabulary.ts';

test('the model reads the ledgers of an orchestrator as they were written', async () => {
  const { numRuns, seed } = runs(1200);
  const seen = { ledgers: 0, records: 0, late: 0 };
  const features = new Set<FeatureName>();
  const numbers = fc.array(fc.nat({ max: 359 }), { minLength: 60, maxLength: 260, size: 'max' });
  const worlds = fc.sample(fc.tuple(fc.constantFrom(...contracts), numbers), {
    numRuns: Math.ceil(numRuns / 15),
    seed,
  });
  for (const [contract, decisions] of worlds) {
    const ledger = await ledgerOf(contract, decisions);
    const [opening] = ledger;
    const told = ledger.slice(1).filter(({ fact }) => fact !== null);
    const facts = told.map(({ fact }) => fact as Fact);
    const taskClass = opening?.brought.contract;
    if (opening === undefined || taskClass === undefined) expect.fail('a ledger opens with its contract');
    const parting = partingOf(ledger.map((record) => ({ record, deadlines: null })));
    if (parting !== null) expect.fail(`FC_SEED=${seed}, ledger ${seen.ledgers}\n${parting}`);
    for (const name of featuresOf(taskClass, opening.request_id, facts)) features.add(name);
    seen.ledgers += 1;
    seen.records += told.length;
    seen.late += told.filter(({ kind }) => kind === 'orphan').length;
  }
  console.log(
    `model: ${seen.ledgers} ledgers, ${seen.records} records (${seen.late} too late), 0 differences, ` +
      `${features.size} of ${featureNames.length} features`,
  );
  expect(seen.ledgers).toBe(worlds.length);
  expect(seen.records).toBeGreaterThan(5 * worlds.length);
  expect(features.size).toBeGreaterThan(25);
});
