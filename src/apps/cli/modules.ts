import { pathToFileURL } from 'node:url';
import { isObject } from '../../base/boundary/is-object.ts';
import { moduleProblem } from '../../base/boundary/module-problem.ts';
import type { GuestOptions, OrchestratorOptions } from '../../core/shell/options.ts';
import { usage } from './stop.ts';
import type { Terminal } from './terminal.ts';

type Module = Readonly<Record<string, unknown>>;

/** Loads a module of yours, which runs with the permissions of this process, or the file of a gateway. */
export const loadModule = async (file: string, { path }: Terminal): Promise<Module> => {
  if (/\.ya?ml$/.test(file)) {
    const { guestOptionsOf } = await import('../gateway/options.ts');
    const { randomIds, systemClock } = await import('../../core/shell/clock.ts');
    return { default: await guestOptionsOf(path(file), { clock: systemClock, ids: randomIds }) };
  }
  const place = pathToFileURL(path(file)).href;
  try {
    return (await import(place)) as Module;
  } catch (error) {
    throw usage(`${file} cannot be loaded: ${moduleProblem(error, path(file))}`, { cause: error });
  }
};

/** Returns the default export of a module, or the result of the exported function. */
export const defaultOf = async (module: Module, file: string, what: string): Promise<unknown> => {
  const given = module['default'];
  if (given === undefined) throw usage(`${file} has no default export: expected ${what}`);
  if (typeof given !== 'function') return given;
  return (given as () => unknown)();
};

const what = 'the options of createOrchestrator, or a function that returns them';
const guestWhat = 'the options of createOrchestrator or createGuard, or a function that returns them';

/** Options for a guest, perhaps with what only a guard has. */
type Given = Omit<GuestOptions, 'role'> & { readonly agents?: unknown; readonly gather?: unknown };

// `createOrchestrator` checks the rest
const isGiven = (value: unknown): value is Given => isObject(value) && Array.isArray(value['taskClasses']);
const isOptions = (value: unknown): value is OrchestratorOptions =>
  isGiven(value) && 'model' in value && isObject(value.model);

/**
 * Returns the options for `createOrchestrator` that a module exports. `createOrchestrator` validates them.
 */
export const optionsIn = async (module: Module, file: string): Promise<OrchestratorOptions> => {
  const options = await defaultOf(module, file, what);
  if (isOptions(options)) return options;
  throw usage(`${file}: expected ${what}; they have at least taskClasses and model`);
};

/** Returns the options that a module exports, for a guest. They need no model. */
export const guestOptionsIn = async (module: Module, file: string): Promise<GuestOptions> => {
  const options = await defaultOf(module, file, guestWhat);
  if (isGiven(options)) {
    const { agents: _agents, gather: _gather, ...given } = options; // of a guard: a guest runs no agent
    return { ...given, role: 'guest' };
  }
  throw usage(`${file}: expected ${guestWhat}; they have at least taskClasses`);
};
