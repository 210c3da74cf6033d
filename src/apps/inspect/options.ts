import { randomBytes } from 'node:crypto';
import type { AnyStateMachine } from 'xstate';
import * as z from 'zod';
import { checkCode, issueInCode } from '../../base/boundary/issues-of.ts';
import { keysIn } from '../../base/define/definition.ts';
import { CharterError, type Issue } from '../../base/errors.ts';
import type { Redaction } from './written.ts';

/** Draws a machine as SVG whose groups name their states in `data-state`; `undefined` for no picture. */
export type Chart = (machine: AnyStateMachine) => string | undefined | Promise<string | undefined>;

/** Options of an inspector. */
export interface InspectorOptions {
  /** The port on 127.0.0.1. By default 0, a free port; `null` for none if you mount `fetch` or `handler`. */
  readonly port?: number | null;
  /** The allowed hosts, each as `name` or `name:port`. By default, the names of this machine. */
  readonly hosts?: readonly string[];
  /** The mount path, if your server leaves it in the URL, as Next.js does: `/inspector`. */
  readonly basePath?: string;
  /** The inspector page. By default `https://stately.ai/inspect`; `null` for the built-in page only. */
  readonly viewer?: string | null;
  /**
   * Milliseconds that the inspector page has to respond before the built-in chart is shown. By default 4000.
   */
  readonly patience?: number;
  /** What to hide in contexts, events, inputs, outputs and errors. By default, nothing. */
  readonly redact?: Redaction;
  /** The maximum of actors that a new viewer is shown, the latest first. By default 200. */
  readonly actors?: number;
  /**
   * Draws machines on the built-in page. By default `render` of `agentcharter/render`; without `elkjs`, a
   * list of states.
   */
  readonly chart?: Chart;
  /** Returns random bytes for the token. By default those of `node:crypto`. */
  readonly randomBytes?: (size: number) => Uint8Array;
}

export const refused = (issues: readonly Issue[], options?: ErrorOptions): CharterError => {
  const details = { definition: 'inspector', issues };
  const message = `inspector: ${issues.map(issueInCode).join('; ')}`;
  return new CharterError('definition_invalid', message, details, options);
};

const callable = <Callable>() =>
  z.custom<Callable>((value) => typeof value === 'function', 'must be a function');

const Options = z.strictObject({
  port: z.int().min(0).max(65_535).nullable().default(0),
  hosts: z.array(z.string()).optional(),
  basePath: z.string().optional(),
  viewer: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default('https://stately.ai/inspect'),
  patience: z.int().min(0).max(600_000).default(4000),
  redact: z.union([z.array(z.string()), callable<Exclude<Redaction, readonly string[]>>()]).default([]),
  actors: z.int().min(1).default(200),
  chart: callable<Chart>().optional(),
  randomBytes: callable<(size: number) => Uint8Array>().default(() => randomBytes),
});

/** Returns the options with their defaults. Throws `definition_invalid`. */
export const readOptions = (given: InspectorOptions): z.output<typeof Options> => {
  const read = checkCode(Options, given, keysIn(Options));
  if (read.issues !== undefined) throw refused(read.issues);
  return read.value;
};
