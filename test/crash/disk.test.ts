import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../machines/generated.ts';
import { onDisk } from './medium.ts';
import { Tally } from './tally.ts';
import { sound } from './trial.ts';
import { scenarios } from './scenarios.ts';
import { part, quiet, trials, tryOut } from './try-out.ts';
import { declarations } from './backend.ts';

const { seed } = runs();
const numRuns = Math.max(12, Math.ceil(trials / 20));

describe('A process that crashes with its store on disk', () => {
  it('resumes from the files, even after a partial write', async () => {
    const tally = new Tally();
    const story = fc.record({
      name: fc.constantFrom(...scenarios.map(({ name }) => name)),
      declaration: fc.constantFrom(...declarations),
      shares: fc.tuple(part, part, part),
      isForgetful: fc.boolean(),
    });
    const property = fc.asyncProperty(story, async ({ name, declaration, shares, isForgetful }) => {
      const declared = { call: declaration, rollback: declaration };
      const scenario = scenarios.find((one) => one.name === name)!;
      const { moments } = await quiet(scenario, declared);
      const [first, second, torn] = shares;
      const at = Math.floor(first * moments.length);
      const crashes = [at, Math.floor(second * 2 * (moments.length - at))];
      const parts = { ...sound, medium: () => onDisk(torn) };
      tally.note(await tryOut({ scenario, says: declared, crashes, isForgetful }, parts));
    });
    await fc.assert(property, { numRuns, seed, endOnFailure: true });
    console.log(`crashes, on files: seed ${seed}; ${tally.line()}`);
    expect(tally.trials).toBe(numRuns);
    if (numRuns >= 100) expect(tally.crashes.get('torn commit')).toBeGreaterThan(numRuns / 5);
  });
});
