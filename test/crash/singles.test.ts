import { describe, expect, it } from 'vitest';
import { Tally } from './tally.ts';
import { scenarios } from './scenarios.ts';
import { quiet, trials, tryOut } from './try-out.ts';
import type { Story } from './trial.ts';
import { declarations } from './backend.ts';

/** Every scenario, with every declaration, crashed at every moment that it comes by. */
const all = async (): Promise<readonly Story[]> => {
  const stories: Story[] = [];
  for (const scenario of scenarios)
    for (const one of declarations) {
      const says = { call: one, rollback: one };
      const { moments } = await quiet(scenario, says);
      for (const isForgetful of [false, true])
        for (let at = 0; at < moments.length; at += 1)
          stories.push({ scenario, says, crashes: [at], isForgetful });
    }
  return stories;
};

const golden = (Math.sqrt(5) - 1) / 2;

/** So many of them, of every part. */
const some = <One>(of: readonly One[], most: number): readonly One[] =>
  Array.from({ length: most }, (_, index) => of[Math.floor(((index * golden) % 1) * of.length)]!);

describe('A process that crashes once', () => {
  it('ends its task with the uninterrupted result, or as its tools declare, at every crash point', async () => {
    const tally = new Tally();
    const stories = await all();
    const chosen = trials >= 5_000 ? stories : some(stories, Math.ceil(trials / 2));
    for (const story of chosen) tally.note(await tryOut(story));
    console.log(`crashes, single: ${tally.line()}; of ${stories.length}`);
    expect(stories.length).toBeGreaterThan(5_000);
    expect(tally.deaths[1]).toBe(tally.trials);
    const least = tally.trials;
    expect(tally.crashes.size).toBeGreaterThan(least > 5_000 ? 11 : 5);
    expect(tally.repeated).toBeGreaterThan(least / 200);
    expect(tally.adopted).toBeGreaterThan(least / 200);
    expect(tally.left).toBeGreaterThan(least / 200);
  });
});
