import type { AnyStateMachine } from 'xstate';
import { functionName, guardReference, partsOf } from './names.ts';

/** A guard as JavaScript over facts, and the names of these facts. */
export interface GuardText {
  readonly facts: readonly string[];
  readonly text: (read: (fact: string) => string) => string;
}

const operators: Readonly<Record<string, string>> = { and: ' && ', or: ' || ' };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const nameOf = (written: unknown): string => {
  const reference = guardReference(written);
  return typeof reference === 'string' ? reference : reference.type;
};

/** Returns a guard with `and`, `or` and `not` resolved to the facts that it consists of. */
export const guardText = (machine: AnyStateMachine, written: unknown): GuardText => {
  const known: Readonly<Record<string, unknown>> = machine.implementations.guards;
  const name = nameOf(written);
  const meant =
    (typeof written === 'string' || isObject(written)) && Object.hasOwn(known, name) ? known[name] : written;
  const parts = partsOf(meant)?.map((part) => guardText(machine, part));
  const how = functionName(meant);
  const operator = Object.hasOwn(operators, how) ? operators[how] : undefined;
  if (parts === undefined || (how !== 'not' && operator === undefined))
    return { facts: [name], text: (read) => read(name) };
  const facts = parts.flatMap((part) => part.facts);
  return how === 'not'
    ? { facts, text: (read) => `!${parts.map(({ text }) => text(read)).join('')}` }
    : { facts, text: (read) => `(${parts.map(({ text }) => text(read)).join(operator)})` };
};
