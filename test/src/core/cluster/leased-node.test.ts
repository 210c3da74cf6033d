import { expect, it, vi } from 'vitest';
import { leasedNode } from '../../../../src/core/cluster/leased-node.ts';
import type { Ports } from '../../../../src/core/shell/duties/performer.ts';
import type { TaskCache } from '../../../../src/core/shell/task-cache.ts';

/** A node whose store has a free task at each of three looks, and whose timers ring at once. */
const nodeOfFree = () => {
  const free = ['one', 'two', 'three'];
  const take = vi.fn(async () => free.splice(0, 1));
  const takeForAgent = vi.fn(async (): Promise<readonly string[]> => []);
  const ports = {
    store: { lease: 1_500, taskIndex: async () => [{ isOwed: true }] },
    holds: {
      take,
      takeForAgent,
      keep: async () => {},
      letGo: async () => {},
      taskIds: () => [],
      count: () => 0,
      fenceOf: () => null,
    },
    turns: { live: () => [], hosted: () => [] },
    clock: {
      monotonic: () => 0,
      wakeAfter: (_: number, wake: () => void) => {
        const timer = setImmediate(wake);
        return () => clearImmediate(timer);
      },
    },
    pauses: { heldBack: () => 0, taskClasses: async () => [] },
    changes: { take: async () => [] },
    emit: () => {},
    takes: true,
    concurrency: 4,
  } as unknown as Ports; // what a node asks here
  const cache = {
    carrier: { take: () => [] },
    parents: () => [],
    release: () => [],
    handOver: () => [],
    adopt: async () => {},
  } as unknown as TaskCache; // the same
  return { node: leasedNode(ports, cache), take, takeForAgent };
};

it.each(['drain', 'stop'] as const)('A node takes nothing in a recovery after `%s`', async (end) => {
  const { node, take } = nodeOfFree();
  node[end]();
  expect(await node.recover()).toMatchObject({ taken: 0 });
  expect(take).not.toHaveBeenCalled();
  node.stop();
});

it('A node takes no task for an agent that still waits for it after `stop`', async () => {
  const { node, takeForAgent } = nodeOfFree();
  const taking = node.takeForAgent('held');
  node.stop();
  await expect(taking).rejects.toMatchObject({ code: 'closed' });
  expect(takeForAgent).toHaveBeenCalledOnce();
});
