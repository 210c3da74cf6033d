import type { AnyStateMachine } from 'xstate';
import type { EventOf } from './chart.ts';
import type { Graph } from './graph.ts';
import type { Property } from './property.ts';

const listed = (events: readonly unknown[]): string =>
  events.length === 0 ? '[]' : `[\n${events.map((event) => `    ${JSON.stringify(event)},\n`).join('')}  ]`;

/** What is explored to see the property broken again, and no more than that. */
const exploration = <Machine extends AnyStateMachine>(
  property: Property<Machine>,
  events: readonly EventOf<Machine>[],
): string => {
  switch (property.kind) {
    case 'state':
      return `explore(machine, { input, after: ${listed(events)}, events: [] })`;
    case 'step':
      return `explore(machine, { input, after: ${listed(events.slice(0, -1))}, events: ${listed(events.slice(-1))} })`;
    case 'reachable':
    case 'ending':
      return `explore(machine, { ...exploration, input, after: ${listed(events)} })`;
  }
};

/**
 * A test that fails while a property is broken.
 *
 * It names the chart `machine`, the properties `properties` and, for liveness, how the chart was explored `exploration`, as the
 * reader who pastes it has them.
 */
export const testText = <Machine extends AnyStateMachine>(
  { input }: Graph<Machine>,
  property: Property<Machine>,
  events: readonly EventOf<Machine>[],
): string => `test(${JSON.stringify(property.name)}, () => {
  const input = ${JSON.stringify(input)};
  const graph = ${exploration(property, events)};
  const asked = properties.filter(({ name }) => name === ${JSON.stringify(property.name)});
  expect(check(graph, asked).map(({ trace }) => trace)).toEqual([]);
});
`;
