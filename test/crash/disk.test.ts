import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../machines/generated.ts';
import { onDisk } from './medium.ts';
import { Tally } from './tally.ts';
import { sound } from './trial.ts';
import { part, quietRuns, trials, tryOut } from './try-out.ts';
import { declarations } from './world.ts';

const { seed } = runs();
const day = 86_400_000;
const numRuns = Math.max(20, Math.ceil(trials / 20));

describe('a process that dies over files', () => {
  it(
    'goes on from what they hold, also where the log ends within a write',
    async () => {
      const tally = new Tally();
      const quiet = await quietRuns();
      const story = fc.record({
        index: fc.nat(quiet.length - 1),
        declaration: fc.constantFrom(...declarations),
        shares: fc.tuple(part, part, part),
        isForgetful: fc.boolean(),
      });
      const property = fc.asyncProperty(story, async ({ index, declaration, shares, isForgetful }) => {
        const { scenario, base, moments } = quiet[index]!;
        const [first, second, torn] = shares;
        const at = Math.floor(first * moments);
        const crashes = [at, Math.floor(second * 2 * (moments - at))];
        const says = { call: declaration, rollback: declaration };
        const parts = { ...sound, medium: () => onDisk(torn) };
        tally.note(await tryOut({ scenario, says, crashes, isForgetful }, base, parts));
      });
      await fc.assert(property, { numRuns, seed });
      console.log(`crashes, on files: seed ${seed}; ${tally.line()}`);
      expect(tally.crashes.get('torn commit')).toBeGreaterThan(numRuns / 20);
    },
    day,
  );
});
