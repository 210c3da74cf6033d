import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate';
import { CharterError } from '../base/errors.ts';
import { unplainIn } from './plain.ts';

/** Returns every state of a chart, outermost first. */
export const nodesOf = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

/** Returns a state and its ancestors. */
const lineOf = (node: AnyStateNode): readonly AnyStateNode[] =>
  node.parent === undefined ? [node] : [node, ...lineOf(node.parent)];

const targetsOf = (node: AnyStateNode): readonly AnyStateNode[] =>
  [...[...node.transitions.values()].flat(), ...(node.always ?? [])].flatMap(({ target }) => target ?? []);

/**
 * Returns the states that a target may enter: ancestors, descendants, and initial states of other regions.
 */
const enteredBy = (target: AnyStateNode): readonly AnyStateNode[] => {
  const entered = target.type === 'history' ? (target.parent ?? target) : target;
  const around = lineOf(entered);
  return [...around, ...[entered, ...around.filter(({ type }) => type === 'parallel')].flatMap(nodesOf)];
};

/** Returns whether a target may resume a history: by name, or as its parent's initial state. */
const resumes = (history: AnyStateNode, target: AnyStateNode): boolean =>
  target === history ||
  (history.parent?.type === 'compound' &&
    (history.parent.initial.target ?? []).includes(history) &&
    !lineOf(target).slice(1).includes(history.parent) &&
    enteredBy(target).includes(history.parent));

/** Returns the states from which a history can be resumed, and whether also while its parent is active. */
const returningTo = (history: AnyStateNode, nodes: readonly AnyStateNode[]) => {
  const isInParent = (node: AnyStateNode): boolean => lineOf(node).some((outer) => outer === history.parent);
  const returning = new Set(
    nodes.filter((node) => targetsOf(node).some((target) => resumes(history, target))),
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

/** Returns a function that returns the stored histories that a snapshot can still resume. */
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
 * Returns a function that returns the canonical key of a state: status, active states, projected context, and
 * histories that can still be resumed. Snapshots with equal keys have the same future. Exception: a chart
 * that leaves a parallel state from inside, to that state's own history. XState itself is inconsistent there.
 *
 * Throws `chart_unreadable` for a context that JSON cannot represent.
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
