import { describe, expect, it } from 'vitest';
import { Tally } from './tally.ts';
import { quietRuns, trials, tryOut, type Quiet } from './try-out.ts';
import type { Story } from './trial.ts';
import { declarations } from './world.ts';

const day = 86_400_000;

/** Every scenario, with every declaration, crashed at every moment that it comes by. */
const all = (runs: readonly Quiet[]): readonly (readonly [Quiet, Story])[] =>
  runs.flatMap((run) =>
    [false, true].flatMap((isForgetful) =>
      declarations.flatMap((one) =>
        Array.from({ length: run.moments }, (_, at) => {
          const says = { call: one, rollback: one };
          return [run, { scenario: run.scenario, says, crashes: [at], isForgetful }] as const;
        }),
      ),
    ),
  );

const golden = (Math.sqrt(5) - 1) / 2;

/** So many of them, of every part. */
const some = <One>(of: readonly One[], most: number): readonly One[] =>
  Array.from({ length: most }, (_, index) => of[Math.floor(((index * golden) % 1) * of.length)]!);

describe('a process that dies once', () => {
  it(
    'wherever it dies, its task ends as if it had not, or as its tools declare',
    async () => {
      const runs = await quietRuns();
      const tally = new Tally();
      const stories = all(runs);
      const chosen = trials >= 5_000 ? stories : some(stories, Math.ceil(trials / 2));
      for (const [{ base }, story] of chosen) tally.note(await tryOut(story, base));
      console.log(`crashes, single: ${tally.line()}; of ${stories.length}`);
      expect(stories.length).toBeGreaterThan(5_000);
      expect(tally.deaths[1]).toBe(tally.trials);
      const least = tally.trials;
      expect(tally.crashes.size).toBe(least > 5_000 ? 11 : tally.crashes.size);
      expect(tally.repeated).toBeGreaterThan(least / 200);
      expect(tally.adopted).toBeGreaterThan(least / 200);
      expect(tally.left).toBeGreaterThan(least / 200);
    },
    day,
  );
});
