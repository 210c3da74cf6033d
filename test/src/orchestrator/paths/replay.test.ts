import type { Fact } from 'agentcharter/machines';
import { edgeCover, type Edge } from 'agentcharter/testing';
import { describe, expect, it } from 'vitest';
import { Path } from '../../../../src/testing/paths/path.ts';
import { eagerGraph, replayOnOrchestrator, throughOwn } from './replay.ts';
import { Renaming } from './renaming.ts';
import { smallWorlds } from './worlds.ts';

const world = smallWorlds.find(({ name }) => name.startsWith('another plan'))!;
const graph = eagerGraph(world, new Map());
/** A write that is made, and rolled back because its run was cancelled. */
const path = edgeCover(graph)
  .map(throughOwn)
  .find(({ steps }) => steps.some(({ event }) => event.type === 'rollback.succeeded'))!;
const at = (type: Fact['type']): number => path.steps.findIndex(({ event }) => event.type === type);

const replayed = (change: (steps: readonly Edge<Fact>[]) => readonly Edge<Fact>[]): Promise<void> =>
  replayOnOrchestrator(world, new Path(graph, change(path.steps)));

const changed = (type: Fact['type'], change: (fact: Edge<Fact>) => Partial<Edge<Fact>>) =>
  replayed((steps) => steps.map((step, index) => (index === at(type) ? { ...step, ...change(step) } : step)));

describe('a path that an orchestrator does not go is told from one that it goes', () => {
  it('the path itself is gone', async () => {
    await replayed((steps) => steps);
  });

  it('it leaves out what the orchestrator does', async () => {
    const without = replayed((steps) => steps.filter((_, index) => index !== at('rollback.started')));
    await expect(without).rejects.toThrow('the path says {"type":"rollback.succeeded"');
  });

  it('it ends before the orchestrator does', async () => {
    const until = replayed((steps) => steps.slice(0, at('call.started')));
    await expect(until).rejects.toThrow('the path has no fact of {"type":"call.started"');
  });

  it('it says that something else happened', async () => {
    const otherwise = changed('rollback.started', ({ event }) => ({
      event: { ...event, type: 'rollback.failed' } as Fact,
    }));
    await expect(otherwise).rejects.toThrow('the ledger {"type":"rollback.started"');
  });

  it('it says that something else came of it', async () => {
    const elsewhere = changed('policy.decided', () => ({ to: 0 }));
    await expect(elsewhere).rejects.toThrow(/the graph says .*"intake".* its path leads to .*"execute"/);
  });

  it('it has a fact that the orchestrator does not take', async () => {
    const twice = replayed((steps) => [...steps, steps[at('task.cancelled')]!]);
    await expect(twice).rejects.toThrow('cancelled does not take task.cancelled');
  });
});

describe('a name in a run stands for one name in a graph', () => {
  const [one, other] = ['sha256:'.padEnd(71, 'a'), 'sha256:'.padEnd(71, 'b')];

  it('and is found wherever both tell of the same', () => {
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
  ])('%s is a mistake', (_, run, told) => {
    expect(() => new Renaming().learn(run, told)).toThrow(/ would be /);
  });
});
