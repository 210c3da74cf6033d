import { randomBytes } from 'node:crypto';
import type { AnyStateMachine } from 'xstate';
import * as z from 'zod';
import { issuesOf } from '../boundary/issues-of.ts';
import { CharterError, type Issue } from '../errors.ts';
import type { Redaction } from './written.ts';

/** A picture of a machine: SVG whose groups name their states in `data-state`; `undefined` for none. */
export type Chart = (machine: AnyStateMachine) => string | undefined | Promise<string | undefined>;

/** How an inspector is opened, and what it shows. */
export interface InspectorOptions {
  /** The port on 127.0.0.1; by default 0, for one that is free; `null` for none, where you mount `fetch` or `handler`. */
  readonly port?: number | null;
  /** The hosts that it is reached by, each as `name` or `name:port`; by default this machine's own names. */
  readonly hosts?: readonly string[];
  /** The path below which it is mounted, if the host leaves it in the URL, as Next.js does: `/inspector`. */
  readonly basePath?: string;
  /** The inspector page that is shown what happens: by default `https://stately.ai/inspect`; `null` for our own alone. */
  readonly viewer?: string | null;
  /** How long that page has to answer before our own chart is shown; milliseconds, 4000 where left out. */
  readonly patience?: number;
  /** What is not shown of contexts, events, inputs, outputs and errors; nothing is withheld where left out. */
  readonly redact?: Redaction;
  /** How many actors a late viewer is shown: those that changed last; 200 where left out. */
  readonly actors?: number;
  /** The picture of a machine on our own page; by default `render` of `agentcharter/render`, without `elkjs` a list of states. */
  readonly chart?: Chart;
  /** Random bytes for the token; by default those of `node:crypto`. */
  readonly randomBytes?: (size: number) => Uint8Array;
}

export const refused = (issues: readonly Issue[], options?: ErrorOptions): CharterError => {
  const words = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  const details = { definition: 'inspector', issues };
  return new CharterError('definition_invalid', `inspector: ${words}`, details, options);
};

const callable = <Callable>() =>
  z.custom<Callable>((value) => typeof value === 'function', 'expected a function');

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

/** The options with their defaults; throws `definition_invalid`. */
export const readOptions = (given: InspectorOptions): z.output<typeof Options> => {
  const read = Options.safeParse(given);
  if (!read.success) throw refused(issuesOf(read.error));
  return read.data;
};
