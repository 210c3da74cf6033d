import { pathToFileURL } from 'node:url';
import { isObject } from '../boundary/is-object.ts';
import type { GuestOptions, OrchestratorOptions } from '../orchestrator/options.ts';
import { causeOf } from '../errors.ts';
import { usage } from './stop.ts';
import type { Terminal } from './terminal.ts';

type Module = Readonly<Record<string, unknown>>;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

const remedyOf = (error: unknown, file: string): string => {
  const code = codeOf(error);
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' || (error instanceof SyntaxError && file.endsWith('.ts')))
    return `this Node.js reads no TypeScript: npm install --save-dev tsx, and set NODE_OPTIONS='--import tsx'`;
  return causeOf(error);
};

/** Loads a module of yours. It runs with the permissions of this process. */
export const loadModule = async (file: string, { path }: Terminal): Promise<Module> => {
  const place = pathToFileURL(path(file)).href;
  try {
    return (await import(place)) as Module;
  } catch (error) {
    throw usage(`${file} cannot be loaded: ${remedyOf(error, file)}`, { cause: error });
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

// `createOrchestrator` checks the rest
const isGuestOptions = (value: unknown): value is Omit<GuestOptions, 'role'> =>
  isObject(value) && Array.isArray(value['taskClasses']);
const isOptions = (value: unknown): value is OrchestratorOptions =>
  isGuestOptions(value) && isObject(value.model);

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
  const options = await defaultOf(module, file, what);
  if (isGuestOptions(options)) return { ...options, role: 'guest' };
  throw usage(`${file}: expected ${what}; they have at least taskClasses`);
};
