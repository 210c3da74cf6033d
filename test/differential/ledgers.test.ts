import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerRecord } from '../../src/index.ts';
import { runs } from '../machines/generated.ts';
import { featureNames, featuresOf, type FeatureName } from './features.ts';
import { read, type Said } from './model.ts';
import { contracts, ledgerOf } from './orchestrator.ts';
import type { Fact, Phase } from './vocabulary.ts';

const phases: Readonly<Record<string, Phase>> = {
  completed: 'deliver',
  followup: 'deliver',
  failed: 'fail_safe',
  cancelled: 'fail_safe',
};

const outcomes: Readonly<Record<string, Said['outcome']>> = {
  completed: 'delivered',
  followup: 'delivered',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** What a record says of its run, in the model's words; while a task is parked it does not say in which phase. */
const shownBy = ({ kind, to }: LedgerRecord): Partial<Said> => {
  const [state = '', inner] = to.split('.');
  const phase = phases[state] ?? inner;
  return {
    taken: kind === 'fact',
    state: state as Said['state'],
    ...(phase !== undefined && { phase: phase as Phase }),
    settled: ['completed.settled', 'failed', 'cancelled'].includes(to),
    outcome: outcomes[state] ?? null,
  };
};

/** Records that tell a fact: those that were let in, and those that came too late to count. */
const tellsFact = ({ kind, fact }: LedgerRecord): boolean =>
  fact !== null && (kind === 'fact' || kind === 'orphan');

const parted = (records: readonly LedgerRecord[], said: readonly Said[]): string | null => {
  const at = records.findIndex((record, index) => {
    const shown = shownBy(record);
    return Object.entries(shown).some(([key, value]) => said[index]?.[key as keyof Said] !== value);
  });
  if (at < 0) return null;
  const lines = records
    .slice(0, at + 1)
    .map(({ kind, fact, to }) => `${kind} ${JSON.stringify(fact)} -> ${to}`);
  return [...lines, `model: ${JSON.stringify(said[at])}`].join('\n');
};

test(
  'the model reads the ledgers of an orchestrator as they were written',
  { timeout: 600_000 },
  async () => {
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
      const [opening, ...rest] = ledger;
      const told = rest.filter(tellsFact);
      const facts = told.map(({ fact }) => fact as Fact);
      const taskClass = opening?.brought.contract;
      if (opening === undefined || taskClass === undefined) expect.fail('a ledger opens with its contract');
      const difference = parted(told, read(taskClass, opening.request_id, facts));
      if (difference !== null) expect.fail(`FC_SEED=${seed}, ledger ${seen.ledgers}\n${difference}`);
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
  },
);
