import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate';
import { CharterError } from '../errors.ts';
import { unplainIn } from './plain.ts';

/** Every state of a chart, outermost first. */
export const nodesOf = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

/** A state and the states that it stands in. */
const lineOf = (node: AnyStateNode): readonly AnyStateNode[] =>
  node.parent === undefined ? [node] : [node, ...lineOf(node.parent)];

const targetsOf = (node: AnyStateNode): readonly AnyStateNode[] =>
  [...[...node.transitions.values()].flat(), ...(node.always ?? [])].flatMap(({ target }) => target ?? []);

/** The states, by id, from which a chart may come back through this history before what it remembers is overwritten. */
const returningTo = (history: AnyStateNode, nodes: readonly AnyStateNode[]): ReadonlySet<string> => {
  const returning = new Set(nodes.filter((node) => targetsOf(node).includes(history)));
  const leadsBack = (target: AnyStateNode): boolean =>
    !lineOf(target).some((node) => node === history.parent) &&
    [...lineOf(target), ...nodesOf(target)].some((node) => returning.has(node));
  for (let size = -1; size !== returning.size;) {
    size = returning.size;
    for (const node of nodes) if (targetsOf(node).some(leadsBack)) returning.add(node);
  }
  return new Set([...returning].map(({ id }) => id));
};

/** What a snapshot remembers, of the histories that it may still come back through. */
const rememberedBy = (machine: AnyStateMachine) => {
  const nodes = nodesOf(machine.root);
  const histories = nodes
    .filter(({ type }) => type === 'history')
    .map((history) => ({ history, returning: returningTo(history, nodes) }));
  return ({ _nodes: active, historyValue }: AnyMachineSnapshot): readonly (readonly string[])[] =>
    histories.map(({ history, returning }) =>
      active.some(({ id }) => id === history.parent?.id) || !active.some(({ id }) => returning.has(id))
        ? []
        : (historyValue[history.id] ?? []).map(({ id }) => id),
    );
};

/** Tells the states of a chart apart: two snapshots with one key have one future. */
export interface Keys {
  readonly of: (snapshot: AnyMachineSnapshot) => string;
  /** Throws `chart_unreadable` for a state that its key does not tell apart. */
  readonly insist: (snapshot: AnyMachineSnapshot) => void;
}

/**
 * The canonical key of a snapshot: status, active states, what `project` keeps of the context, and history only
 * while it may be come back through.
 */
export const keysOf = (machine: AnyStateMachine, project: (context: never) => unknown): Keys => {
  const remembered = rememberedBy(machine);
  const projected = ({ context }: AnyMachineSnapshot): unknown => project(context as never);
  return {
    of: (snapshot) =>
      JSON.stringify([snapshot.status, snapshot.value, projected(snapshot), remembered(snapshot)]),
    insist: (snapshot) => {
      const found = unplainIn(projected(snapshot));
      if (found === null) return;
      const message = `The context of ${machine.id} holds ${found.reason} at "${found.path}": project it to plain data.`;
      throw new CharterError('chart_unreadable', message, { machine: machine.id, ...found });
    },
  };
};
