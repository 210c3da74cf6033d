import { readFile } from 'node:fs/promises';
import type { AnyStateMachine } from 'xstate';
import { executionMachine, taskMachine } from '../../machines/index.ts';
import { render } from '../render/index.ts';
import type { Chart } from './options.ts';

const shipped = new Map<unknown, string>([
  [taskMachine, 'task.svg'],
  [executionMachine, 'execution.svg'],
]);

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The build puts the pictures beside us; in a checkout they are where they are printed. */
const shippedPicture = async (file: string): Promise<string> => {
  try {
    return await readFile(new URL(file, import.meta.url), 'utf8');
  } catch (error) {
    if (!isMissing(error)) throw error;
    return readFile(new URL(`../../docs/charts/${file}`, import.meta.url), 'utf8');
  }
};

/** The picture that comes with the package, else one that is drawn now, by the peer `elkjs`. */
export const ownChart: Chart = async (machine) => {
  const file = shipped.get(machine);
  return file === undefined ? render(machine, { format: 'svg' }) : shippedPicture(file);
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
