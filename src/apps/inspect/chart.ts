import { readFile } from 'node:fs/promises';
import type { AnyStateMachine } from 'xstate';
import { executionMachine, taskMachine } from '../../../machines/index.ts';
import { buildRoot, packageRoot } from '../../base/boundary/own-package.ts';
import { render } from '../../optional/render/index.ts';
import type { Chart } from './options.ts';

const shipped = new Map<unknown, string>([
  [taskMachine, 'task.svg'],
  [executionMachine, 'execution.svg'],
]);

/** Reads a picture of the build; in a checkout, the printed one. */
const shippedPicture = (file: string): Promise<string> => {
  const built = buildRoot();
  const folder =
    built === null ? new URL('docs/charts/', packageRoot()) : new URL('src/apps/inspect/', built);
  return readFile(new URL(file, folder), 'utf8');
};

/** Returns the shipped picture of a machine. Draws any other with the peer `elkjs`. */
export const ownChart: Chart = async (machine) => {
  const file = shipped.get(machine);
  return file === undefined ? render(machine, { format: 'svg' }) : shippedPicture(file);
};

/**
 * Returns a function that draws each picture once; `undefined` if drawing fails, so that the page lists the
 * states.
 */
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
