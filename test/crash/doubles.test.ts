import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../machines/generated.ts';
import { Tally } from './tally.ts';
import { scenarios } from './scenarios.ts';
import { part, quiet, trials, tryOut } from './try-out.ts';
import { declarations } from './backend.ts';

const { seed } = runs();
const numRuns = Math.ceil(trials / 2);

/** A second life has what is left of the first to do, and a little more. */
const more = 2;

const disturbed = fc.record({
  name: fc.constantFrom(...scenarios.map(({ name }) => name)),
  says: fc.record({ call: fc.constantFrom(...declarations), rollback: fc.constantFrom(...declarations) }),
  first: part,
  second: part,
  isForgetful: fc.boolean(),
});

describe('A process that crashes twice, during or after recovery', () => {
  it('ends its task with the uninterrupted result, or as its tools declare', async () => {
    const tally = new Tally();
    const property = fc.asyncProperty(disturbed, async ({ name, says, first, second, isForgetful }) => {
      const scenario = scenarios.find((one) => one.name === name)!;
      const { moments } = await quiet(scenario, says);
      const at = Math.floor(first * moments.length);
      const crashes = [at, Math.floor(second * (moments.length - at + more))];
      tally.note(await tryOut({ scenario, says, crashes, isForgetful }));
    });
    await fc.assert(property, { numRuns, seed, endOnFailure: true });
    console.log(`crashes, double: seed ${seed}; ${tally.line()}`);
    expect(tally.trials).toBe(numRuns);
    expect(tally.deaths[2]).toBeGreaterThan(numRuns / 2);
    const { repeated, adopted, left } = tally;
    expect(repeated + adopted + left).toBeGreaterThan(numRuns / 20);
    if (numRuns >= 500) expect(Math.min(repeated, adopted, left)).toBeGreaterThan(numRuns / 50);
  });
});
