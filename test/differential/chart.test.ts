import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { taskMachine } from '../../machines/index.ts';
import { requests } from '../../src/testing/charter/world.ts';
import { runs } from '../machines/generated.ts';
import { play, tell } from './chart.ts';
import { taskClasses } from './classes.ts';
import { differenceIn, shortest, textOf } from './compare.ts';
import { featuresOf } from './features.ts';
import { pairsSeen } from './pairs.ts';
import { fateOf } from './fate.ts';

const count = (number: number): string => number.toLocaleString('en');

test('the chart and the model say the same after every fact', () => {
  const { numRuns } = runs(2500);
  const seed = Number(process.env['FC_SEED'] ?? 1); // the nightly run plays others, many more
  const seen = { sequences: 0, facts: 0, refused: 0, beside: 0 };
  const pairs = pairsSeen();
  for (const [taskClass, number] of fc.sample(fc.tuple(taskClasses, fc.nat()), { numRuns, seed })) {
    const story = play(taskMachine, taskClass, fateOf(number));
    expect(story.isBroken).toBe(false);
    if (differenceIn(story) !== null) {
      const short = shortest(story, (facts) => tell(taskMachine, taskClass, facts));
      expect.fail(`FC_SEED=${seed}, sequence ${seen.sequences}\n${textOf(short)}`);
    }
    const features = featuresOf(story.taskClass, requests[0], story.facts);
    pairs.note(features);
    if (features.includes('calls beside a question')) seen.beside += 1;
    seen.sequences += 1;
    seen.facts += story.facts.length;
    seen.refused += story.shown.filter(({ taken }) => !taken).length;
  }
  const covered = pairs.possible.length - pairs.unseen().length;
  console.log(
    `model: ${count(seen.sequences)} sequences, ${count(seen.facts)} facts (${count(seen.refused)} refused), 0 differences, ` +
      `${count(seen.beside)} with calls beside a question, ` +
      `${count(covered)} of ${count(pairs.possible.length)} feature pairs`,
  );
  console.log(`model: never together: ${pairs.unseen().join('; ') || 'none'}`);
  for (const [why, names] of pairs.reasons) console.log(`model: impossible (${why}): ${names.join('; ')}`);
  expect(pairs.surprising()).toEqual([]);
  expect(seen.sequences).toBe(numRuns);
  expect(seen.facts).toBeGreaterThan(10 * numRuns);
  expect(seen.refused).toBeGreaterThan(2 * numRuns);
  expect(seen.beside).toBeGreaterThan(numRuns / 50);
  expect(covered / pairs.possible.length).toBeGreaterThan(numRuns < 10_000 ? 0.75 : 0.92);
});
