import { describe, expect, test } from 'vitest';
import { executionMachine, taskMachine } from '../../machines/index.ts';
import { check, type Charter } from 'agentcharter/testing';
import { factors, pairsOf, pairwise, product, worldOf, type Factors } from './product.ts';
import { asked, graphIn } from './walks.ts';

const { PROOF } = process.env;

/** A small share of the cover, all of it, or everything there is. */
const rows: readonly Factors[] =
  PROOF === 'product'
    ? product()
    : PROOF === 'pairwise'
      ? pairwise()
      : pairwise().filter(({ calls, repairs }) => calls === 1 && repairs < 2);

const limit = 200_000;
const machines: readonly Charter[] = [taskMachine, executionMachine];

test('the cover has every pair of values of every two factors', () => {
  const covered = new Set(pairwise().flatMap(pairsOf));
  expect([...new Set(product().flatMap(pairsOf))].filter((pair) => !covered.has(pair))).toEqual([]);
  expect(product().length).toBe(Object.values(factors).reduce((count, { length }) => count * length, 1));
});

describe.each(machines)('$id, in every configuration', (machine) => {
  const seen = { states: 0, steps: 0 };

  test.each(rows.map((row) => ({ world: worldOf(row) })))('$world.name', ({ world }) => {
    const graph = graphIn(machine, world, limit);
    seen.states += graph.states.length;
    seen.steps += graph.edges.length;
    expect(check(graph, asked(world)).map(({ trace }) => trace)).toEqual([]);
  });

  test('was seen', () => {
    console.log(`${machine.id}: ${seen.states} states, ${seen.steps} steps in ${rows.length} configurations`);
    expect(seen.states).toBeGreaterThan(rows.length);
  });
});
