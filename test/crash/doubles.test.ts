import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../machines/generated.ts';
import { Tally } from './tally.ts';
import { part, quietRuns, trials, tryOut, type Quiet } from './try-out.ts';
import { declarations } from './world.ts';

const { seed } = runs();
const day = 86_400_000;
const numRuns = Math.ceil(trials / 2);

/** A second life has what is left of the first to do, and a little more. */
const more = 2;

const disturbed = (quiet: readonly Quiet[]) =>
  fc.record({
    run: fc
      .constantFrom(...quiet)
      .map((run) => Object.assign(run, { [fc.toStringMethod]: () => run.scenario.name })),
    says: fc.record({ call: fc.constantFrom(...declarations), rollback: fc.constantFrom(...declarations) }),
    first: part,
    second: part,
    isForgetful: fc.boolean(),
  });

describe('a process that dies again, while it recovers or after it has', () => {
  it(
    'ends its task as if it had not, or as its tools declare',
    async () => {
      const tally = new Tally();
      const property = fc.asyncProperty(
        disturbed(await quietRuns()),
        async ({ run, says, first, second, isForgetful }) => {
          const at = Math.floor(first * run.moments);
          const crashes = [at, Math.floor(second * (run.moments - at + more))];
          const { scenario, base } = run;
          tally.note(await tryOut({ scenario, says, crashes, isForgetful }, base));
        },
      );
      await fc.assert(property, { numRuns, seed });
      console.log(`crashes, double: seed ${seed}; ${tally.line()}`);
      expect(tally.trials).toBe(numRuns);
      expect(tally.deaths[2]).toBeGreaterThan(numRuns / 2);
      expect(tally.repeated).toBeGreaterThan(numRuns / 100);
      expect(tally.adopted).toBeGreaterThan(numRuns / 100);
      expect(tally.left).toBeGreaterThan(numRuns / 100);
    },
    day,
  );
});
