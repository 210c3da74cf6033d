import { later, lease, type nodeFaults } from './events.ts';
import type { NodeProcess } from './node-process.ts';
import type { Proxy } from './proxy.ts';
import type { Plan } from './trial.ts';

/** Milliseconds for which a node computes, at least and at most: as with a pause, its `mail` must not come too late. */
const computing = [lease / 2, 3 * lease] as const;

/** Harms a node. Returns whether it had its effect. */
export const harmNode = async (
  kind: (typeof nodeFaults)[number],
  { node, proxy }: { readonly node: NodeProcess; readonly proxy: Proxy },
  pause: Plan['pause'],
  random: () => number,
): Promise<boolean> => {
  const between = ([least, most]: readonly [number, number]): number => least + random() * (most - least);
  if (node.isGone) return false; // it ended by itself
  switch (kind) {
    case 'kill':
      await node.kill();
      return true;
    case 'freeze':
      node.freeze();
      await later(between(pause));
      node.thaw();
      return true;
    case 'computing': {
      const time = between(computing);
      return (await node.compute(time)) >= time;
    }
    case 'cut':
      proxy.cut();
      return true;
    case 'lost answer':
      return proxy.loseNextAnswer(lease);
  }
};
