import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { executionMachine, chartVersion, taskMachine } from '../../machines/index.ts';
import type { Charter } from '../../src/testing/index.ts';
import { graphIn } from './walks.ts';
import { worlds } from './worlds.ts';

/** Everything that each version of the charts comes to in some worlds: a version that was given out stays as it was. */
const known: Readonly<Record<string, string>> = {
  '1': 'fc65f6ce7ad2353d778c6f2dbbaf78fbc24775440d9f688ebda306ee31fbc84b',
  '2': '91daac304db86f490cccf5b5597336fe185e5ef539fe35ed7355eb67e39db259',
};

const digestOf = (machine: Charter): readonly string[] =>
  worlds.slice(0, 8).flatMap((world) => {
    const { states, edges } = graphIn(machine, world);
    return [
      ...states.map(({ value, context }) => JSON.stringify([value, context])),
      ...edges.map(({ from, to, event }) => `${from} ${event.type} ${to}`),
    ];
  });

it('is another version where a fact leads to another snapshot: no task goes on under what it did not begin under', () => {
  const all = [taskMachine, executionMachine].flatMap((machine) => digestOf(machine));
  expect(all.length).toBeGreaterThan(10_000);
  expect(
    { [chartVersion]: hash('sha256', all.join('\n')) },
    'the charts changed: give them another version (machines/version.ts), and say so in CHANGELOG.md',
  ).toEqual({ [chartVersion]: known[chartVersion] });
});

it('is what both charts say of themselves', () => {
  expect([taskMachine.version, executionMachine.version]).toEqual([chartVersion, chartVersion]);
});
