import type { EventObject, AnyStateMachine } from 'xstate';
import type { Property } from './property.ts';
import { shortTitle } from './short-title.ts';

/** Returns the distinct events, in order. */
const distinct = (events: readonly EventObject[]): readonly string[] => [
  ...new Set(events.map((event) => JSON.stringify(event))),
];

/** Returns the options to reproduce a violation. A reachability property needs all events. */
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
 * Returns a test that fails while a property is broken.
 *
 * It assumes variables named `machine`, `exploration` and `properties`. It sends only the events of the
 * violating run.
 */
export const testText = <Machine extends AnyStateMachine>(
  property: Property<Machine>,
  events: readonly EventObject[],
): string => {
  const name = JSON.stringify(property.name);
  return `test(${JSON.stringify(shortTitle(property.name))}, () => {
  const graph = explore(machine, ${exploration(property, events)});
  const asked = properties.filter((property) => property.name === ${name});
  expect(check(graph, asked).map(({ trace }) => trace)).toEqual([]);
});
`;
};
