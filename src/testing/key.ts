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

/** Every state that may be entered with this target: those around it, those in it, and what begins beside it. */
const enteredBy = (target: AnyStateNode): readonly AnyStateNode[] => {
  const entered = target.type === 'history' ? (target.parent ?? target) : target;
  const around = lineOf(entered);
  return [...around, ...[entered, ...around.filter(({ type }) => type === 'parallel')].flatMap(nodesOf)];
};

/** Whether this target is a way back through a history: named, or what its parent begins with. */
const comesBack = (history: AnyStateNode, target: AnyStateNode): boolean =>
  target === history ||
  (history.parent?.type === 'compound' &&
    (history.parent.initial.target ?? []).includes(history) &&
    !lineOf(target).slice(1).includes(history.parent) &&
    enteredBy(target).includes(history.parent));

/** From where a chart may come back through a history, and whether it may while its parent is active, by a step that does not leave it. */
const returningTo = (history: AnyStateNode, nodes: readonly AnyStateNode[]) => {
  const isInParent = (node: AnyStateNode): boolean => lineOf(node).some((outer) => outer === history.parent);
  const returning = new Set(
    nodes.filter((node) => targetsOf(node).some((target) => comesBack(history, target))),
  );
  const isInner = [...returning].some(isInParent);
  const leadsBack = (target: AnyStateNode): boolean =>
    (isInner || !isInParent(target)) && enteredBy(target).some((node) => returning.has(node));
  for (let size = -1; size !== returning.size;) {
    size = returning.size;
    for (const node of nodes) if (targetsOf(node).some(leadsBack)) returning.add(node);
  }
  return { isInner, returning: new Set([...returning].map(({ id }) => id)) };
};

/** What a snapshot remembers, of the histories that it may still come back through before they are overwritten. */
const rememberedBy = (machine: AnyStateMachine) => {
  const nodes = nodesOf(machine.root);
  const histories = nodes
    .filter(({ type }) => type === 'history')
    .map((history) => ({ history, ...returningTo(history, nodes) }));
  return ({ _nodes: active, historyValue }: AnyMachineSnapshot): readonly (readonly string[])[] =>
    histories.map(({ history, isInner, returning }) =>
      (!isInner && active.some(({ id }) => id === history.parent?.id)) ||
      !active.some(({ id }) => returning.has(id))
        ? []
        : (historyValue[history.id] ?? []).map(({ id }) => id).toSorted(),
    );
};

/**
 * Tells the states of a chart apart, by a canonical key: status, active states, what `project` keeps of the context, and
 * history only while it may be come back through. Two snapshots with one key have one future, but in a chart that leaves a
 * parallel state from inside for that state's own history: there XState itself goes elsewhere.
 *
 * Throws `chart_unreadable` for a context that the key would not tell apart.
 */
export const keysOf = (machine: AnyStateMachine, project: (context: never) => unknown) => {
  const remembered = rememberedBy(machine);
  return (snapshot: AnyMachineSnapshot): string => {
    const projected = project(snapshot.context as never);
    const found = unplainIn(projected);
    if (found === null)
      return JSON.stringify([snapshot.status, snapshot.value, projected, remembered(snapshot)]);
    const message = `The context of ${machine.id} holds ${found.reason} at "${found.path}": project it to plain data.`;
    throw new CharterError('chart_unreadable', message, { machine: machine.id, ...found });
  };
};
