import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { actionReference, guardReference } from '../../../../src/optional/render/names.ts';

/** What a file can hold of a value. */
const plain = (value: unknown): unknown => {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null') as unknown;
  } catch {
    return null;
  }
};

/** A reference without parameters is its name, whichever way it was written. */
const named = (reference: unknown): unknown =>
  typeof reference === 'object' && reference !== null && 'type' in reference && !('params' in reference)
    ? reference.type
    : reference;

const idOf = ({ id }: AnyStateNode): string => id;

const wayOf = (definition: AnyTransitionDefinition) => ({
  event: definition.eventType,
  // XState asks first whether a route is meant, by a function of its own
  guard:
    definition.guard === undefined || definition.eventType === 'xstate.route'
      ? null
      : named(guardReference(definition.guard)),
  target: definition.target?.map(idOf) ?? null,
  actions: definition.actions.map((action) => named(actionReference(action))),
  reenter: definition.reenter,
  meta: plain(definition.meta),
  description: definition.description ?? null,
  delay: 'delay' in definition ? definition.delay : null,
});

const invokedOf = ({ invoke }: AnyStateNode) =>
  invoke.map(({ id, src, systemId }) => ({
    id,
    src: typeof src === 'string' && !src.startsWith('xstate.invoke.') ? src : 'inline',
    systemId,
  }));

/** What a machine is, as XState itself has read it: every state and every transition, with all that belongs to it. */
export const graphOf = ({ root }: AnyStateMachine): readonly unknown[] => {
  const within = (node: AnyStateNode): readonly AnyStateNode[] => [
    node,
    ...Object.values(node.states).flatMap(within),
  ];
  return within(root).map((node) => ({
    id: node.id,
    path: node.path,
    type: node.type,
    history: node.history,
    historyTarget: node.config.target ?? null,
    tags: node.tags,
    meta: plain(node.meta),
    description: node.description ?? null,
    initial: node.type === 'compound' ? wayOf(node.initial as AnyTransitionDefinition) : null,
    entry: [node.config.entry ?? []].flat().map((action) => named(actionReference(action))),
    exit: [node.config.exit ?? []].flat().map((action) => named(actionReference(action))),
    invoke: invokedOf(node),
    route: node.config.route === undefined ? null : named(guardReference(node.config.route.guard ?? 'open')),
    always: (node.always ?? []).map(wayOf),
    transitions: [...node.transitions.values()].flat().map(wayOf),
  }));
};

/** How many transitions there are, those of decisions included. */
export const waysIn = ({ root }: AnyStateMachine): number => {
  const count = (node: AnyStateNode): number =>
    (node.always ?? []).length +
    [...node.transitions.values()].flat().length +
    Object.values(node.states).reduce((sum, child) => sum + count(child), 0);
  return count(root);
};
