import type { Fact } from 'agentcharter/machines';
import { edgeCover, type Edge } from 'agentcharter/testing';
import { describe, expect, it } from 'vitest';
import { Path } from '../../../../../src/testing/paths/path.ts';
import { eagerGraph, replayOnOrchestrator, throughOwn } from './replay.ts';
import { Renaming } from './renaming.ts';
import { smallWorlds } from './worlds.ts';

const world = smallWorlds.find(({ name }) => name.startsWith('another plan'))!;
const graph = eagerGraph(world, new Map());
/** A committed write that is rolled back because its run is cancelled. */
const path = edgeCover(graph)
  .map(throughOwn)
  .find(({ steps }) => steps.some(({ event }) => event.type === 'rollback.succeeded'))!;
const at = (type: Fact['type']): number => path.steps.findIndex(({ event }) => event.type === type);

const replayed = (change: (steps: readonly Edge<Fact>[]) => readonly Edge<Fact>[]): Promise<void> =>
  replayOnOrchestrator(world, new Path(graph, change(path.steps)));

const changed = (type: Fact['type'], change: (fact: Edge<Fact>) => Partial<Edge<Fact>>) =>
  replayed((steps) => steps.map((step, index) => (index === at(type) ? { ...step, ...change(step) } : step)));

describe('the replay of a path', () => {
  it('accepts the path that the orchestrator takes', async () => {
    await replayed((steps) => steps);
  });

  it('rejects a path that omits a step of the orchestrator', async () => {
    const without = replayed((steps) => steps.filter((_, index) => index !== at('rollback.started')));
    await expect(without).rejects.toThrow('the path says {"type":"rollback.succeeded"');
  });

  it('rejects a path that ends before the orchestrator does', async () => {
    const until = replayed((steps) => steps.slice(0, at('call.started')));
    await expect(until).rejects.toThrow('the path has no fact of {"type":"call.started"');
  });

  it('rejects a path with another fact', async () => {
    const otherwise = changed('rollback.started', ({ event }) => ({
      event: { ...event, type: 'rollback.failed' } as Fact,
    }));
    await expect(otherwise).rejects.toThrow('the ledger {"type":"rollback.started"');
  });

  it('rejects a path with another result', async () => {
    const elsewhere = changed('policy.decided', () => ({ to: 0 }));
    await expect(elsewhere).rejects.toThrow(/the graph says .*"intake".* its path leads to .*"execute"/);
  });

  it('rejects a path with a fact that the orchestrator does not accept', async () => {
    const twice = replayed((steps) => [...steps, steps[at('task.cancelled')]!]);
    await expect(twice).rejects.toThrow('does not accept task.cancelled in cancelled');
  });
});

describe('a renaming from run to graph', () => {
  const [one, other] = ['sha256:'.padEnd(71, 'a'), 'sha256:'.padEnd(71, 'b')];

  it('replaces every learned name in a text', () => {
    const names = new Renaming();
    names.learn(
      { call: one, of: [{ id: other }], why: 'because' },
      { call: 'r', of: [{ id: 's' }], why: 'why' },
    );
    expect(names.text(`doubt:${one} because of ${other}`)).toBe('doubt:r because of s');
  });

  it.each([
    ['two for one', { is: one, was: other }, { is: 'r', was: 'r' }],
    ['one for two', { is: one, was: one }, { is: 'r', was: 's' }],
  ])('rejects %s', (_, run, graph) => {
    expect(() => new Renaming().learn(run, graph)).toThrow(/ would be /);
  });
});
