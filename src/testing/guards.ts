import type { AnyStateMachine } from 'xstate';
import { nodesOf } from './key.ts';

/** Returns whether a guard is a combination. */
export const isCombined = (guard: unknown): guard is { readonly guards: unknown } =>
  typeof guard === 'function' && 'guards' in guard;

/** Returns the operands of a guard that is combined by `and`, `or` or `not`. */
const partsOf = (guard: unknown): readonly unknown[] =>
  isCombined(guard) && Array.isArray(guard.guards) ? guard.guards : [];

const nameOf = (guard: unknown): unknown =>
  typeof guard === 'object' && guard !== null && 'type' in guard ? guard.type : guard;

/**
 * Returns the named guards that a chart uses, alone or in a combination. Its unused implementations are
 * omitted.
 */
export const guardsOf = (machine: AnyStateMachine): readonly string[] => {
  const given = machine.implementations.guards;
  const asked = new Set<string>();
  const ask = (guard: unknown): void => {
    for (const part of partsOf(guard)) ask(part);
    const name = nameOf(guard);
    if (typeof name !== 'string' || asked.has(name)) return;
    asked.add(name);
    ask(given[name]);
  };
  for (const node of nodesOf(machine.root))
    for (const { guard } of [...[...node.transitions.values()].flat(), ...(node.always ?? [])]) ask(guard);
  return Object.keys(given).filter((name) => asked.has(name));
};
