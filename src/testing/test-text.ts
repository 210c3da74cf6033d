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
      return `after: ${listed(events)}, events: []`;
    case 'step':
      return `after: ${listed(events.slice(0, -1))}, events: ${listed(events.slice(-1))}`;
    case 'reachable':
    case 'ending':
      return `...exploration, after: ${listed(events)}`;
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
): string => {
  const name = JSON.stringify(property.name);
  const given = input === undefined ? '' : `input: ${JSON.stringify(input)}, `;
  return `test(${name}, () => {
  const graph = explore(machine, { ${given}${exploration(property, events)} });
  const asked = properties.filter((property) => property.name === ${name});
  expect(check(graph, asked).map(({ trace }) => trace)).toEqual([]);
});
`;
};
