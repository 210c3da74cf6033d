import { describe, expect, test } from 'vitest';
import { hostile } from './alphabet.ts';
import { configurations } from './configurations.ts';
import { charts, explore } from './explore.ts';
import { broken, tell } from './properties.ts';

describe.each(['task', 'execution'] as const)(
  'every state and every step of the %s chart is safe',
  (kind) => {
    test.each(configurations)('$name', (configuration) => {
      const graph = explore(charts[kind], configuration);
      expect(graph.states.size).toBeGreaterThan(1);
      expect(broken(graph, configuration, kind === 'task')).toEqual({});
    });

    test.each(configurations)('and takes no fact that is not about it: $name', (configuration) => {
      const { states, ways } = explore(charts[kind], configuration);
      const taken = new Map<string, string>();
      let refused = 0;
      for (const [key, snapshot] of states)
        for (const fact of hostile(configuration, snapshot.context))
          if (snapshot.can(fact))
            taken.set(
              JSON.stringify([fact.type, snapshot.value]),
              tell([...(ways.get(key) ?? []), { fact }]),
            );
          else refused += 1;
      expect(Object.fromEntries(taken)).toEqual({});
      expect(refused).toBeGreaterThan(states.size);
    });
  },
);
