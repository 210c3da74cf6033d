import type { EventObject, AnyStateMachine } from 'xstate';
import type { Property } from './property.ts';

/** Each event once, in the order in which it was first said. */
const distinct = (events: readonly EventObject[]): readonly string[] => [
  ...new Set(events.map((event) => JSON.stringify(event))),
];

/** What is explored to see the property broken again: whether a good state can be reached, all that can be said decides. */
const exploration = <Machine extends AnyStateMachine>(
  { kind }: Property<Machine>,
  events: readonly EventObject[],
): string =>
  kind === 'reachable'
    ? 'exploration'
    : `{\n    ...exploration,\n    events: [\n${distinct(events)
        .map((event) => `      ${event},\n`)
        .join('')}    ],\n  }`;

/**
 * A test that fails while a property is broken.
 *
 * It names the chart `machine`, how it was explored `exploration`, and the properties `properties`, as the reader who pastes it
 * has them; what was said on the way to the break is said again, and nothing else.
 */
export const testText = <Machine extends AnyStateMachine>(
  property: Property<Machine>,
  events: readonly EventObject[],
): string => {
  const name = JSON.stringify(property.name);
  return `test(${name}, () => {
  const graph = explore(machine, ${exploration(property, events)});
  const asked = properties.filter((property) => property.name === ${name});
  expect(check(graph, asked).map(({ trace }) => trace)).toEqual([]);
});
`;
};
