import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { AnyStateMachine } from 'xstate';
import { executionMachine, taskMachine } from '../../machines/index.ts';
import { render } from '../render/index.ts';
import type { Chart } from './options.ts';

const shipped = new Map<unknown, string>([
  [taskMachine, 'docs/charts/task.svg'],
  [executionMachine, 'docs/charts/execution.svg'],
]);

/** The picture that comes with the package, else one that is drawn now, by the peer `elkjs`. */
export const ownChart: Chart = async (machine) => {
  const file = shipped.get(machine);
  if (file === undefined) return render(machine, { format: 'svg' });
  const root = createRequire(import.meta.url).resolve('agentcharter/package.json');
  return readFile(new URL(file, pathToFileURL(root)), 'utf8');
};

/** Each picture made once; `undefined` where there is none, because a list of states does as well. */
export const chartsOf = (chart: Chart): ((machine: AnyStateMachine) => Promise<string | undefined>) => {
  const made = new WeakMap<AnyStateMachine, Promise<string | undefined>>();
  const make = async (machine: AnyStateMachine): Promise<string | undefined> => {
    try {
      const picture: unknown = await chart(machine);
      return typeof picture === 'string' ? picture : undefined;
    } catch {
      return undefined;
    }
  };
  return (machine) => {
    const known = made.get(machine) ?? make(machine);
    made.set(machine, known);
    return known;
  };
};
