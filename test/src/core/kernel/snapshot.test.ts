import { explore, inWorld } from 'agentcharter/testing';
import { expect, it } from 'vitest';
import { taskMachine } from '../../../../machines/index.ts';
import { snapshotText } from '../../../../src/core/kernel/snapshot.ts';
import { worlds } from '../../../machines/worlds.ts';

it('The text of a snapshot is that of XState, with and without history', () => {
  let remembering = 0;
  let forgetting = 0;
  for (const world of worlds.slice(2, 6)) {
    const graph = explore(taskMachine, { ...inWorld(world), limit: 5_000 });
    for (const snapshot of graph.states) {
      if (Object.keys(snapshot.historyValue).length > 0) remembering += 1;
      else forgetting += 1;
      expect(snapshotText(snapshot)).toBe(JSON.stringify(taskMachine.getPersistedSnapshot(snapshot)));
    }
  }
  expect(Math.min(remembering, forgetting)).toBeGreaterThan(100);
});
