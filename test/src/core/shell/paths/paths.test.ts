import { factTypes } from 'agentcharter/machines';
import { edgeCover, type World } from 'agentcharter/testing';
import { describe, expect, it } from 'vitest';
import { reasons, type Reason } from './eager.ts';
import { DeadlineOf } from '../../../../../machines/facts/fields.ts';
import { eagerGraph, replayOnOrchestrator, throughOwn } from './replay.ts';
import { largeWorlds, smallWorlds } from './worlds.ts';

/** Thorough runs include the large worlds. */
const isThorough = process.env['FC_RUNS'] !== undefined;
const worlds: readonly World[] = isThorough ? [...smallWorlds, ...largeWorlds] : smallWorlds;

const leftOut = new Map<Reason, number>();
const facts = new Set<string>();
const kinds = [
  ...factTypes.filter((type) => type !== 'deadline.passed'),
  ...DeadlineOf.options.map((of) => `deadline of ${of}`),
];
const total = { states: 0, steps: 0, paths: 0, facts: 0 };

describe('an orchestrator follows the chart on every path of the scenario', () => {
  it.each(worlds)('$name', async (world) => {
    const graph = eagerGraph(world, leftOut);
    const paths = edgeCover(graph).map(throughOwn);
    for (const path of paths) {
      await replayOnOrchestrator(world, path);
      total.paths += 1;
      total.facts += path.steps.length;
    }
    total.states += graph.states.length;
    total.steps += graph.edges.length;
    for (const { event } of graph.edges)
      facts.add(event.type === 'deadline.passed' ? `deadline of ${event.of}` : event.type);
    expect(new Set(paths.flatMap(({ steps }) => steps)).size).toBe(graph.edges.length);
  });

  it('the scenarios cover every kind of fact and deadline, and each omission has a reason', () => {
    console.log(
      `orchestrator: ${total.states} states, ${total.steps} steps, ${total.paths} paths replayed on the orchestrator ` +
        `(${total.facts} facts); ${facts.size} kinds of facts and deadlines`,
    );
    expect(total.states).toBeGreaterThan(1_000);
    expect(total.steps).toBeGreaterThan(1_500);
    expect(total.paths).toBeGreaterThan(900);
    const elsewhere = [
      'taskClass.changed', // another process
      'recovery.started', // another process
      'evidence.changed', // an edited store
      'output.changed',
      'deadline of host', // a guard
      'deadline of start', // no eager orchestrator
    ];
    const unmetKinds = kinds.filter((kind) => !facts.has(kind) && !elsewhere.includes(kind));
    expect(unmetKinds).toEqual(isThorough ? [] : ['calls.proposed']);
    const unmet = reasons.filter((reason) => !leftOut.has(reason) && !reason.endsWith(' here')); // of no world
    expect(unmet.length).toBeLessThan(isThorough ? 2 : 4); // small worlds do not have them all
  });
});
