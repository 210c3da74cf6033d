import * as z from 'zod';
import { JsonObject } from '../../../schema/index.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { definitionError } from '../../base/boundary/definition-error.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { Exposed } from './bound-server.ts';
import type { ClientTasks } from './client-tasks.ts';
import { names, servedName } from './names.ts';
import { errs, type Reply } from './replies.ts';
import type { Asking, Caller } from './seat.ts';

/** A tool as `tools/list` has it. */
export interface Listing {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { readonly type: 'object' };
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** A tool that clients call. */
export interface ServedTool {
  readonly listing: Listing;
  /** Its name in the file; `null` for a tool of the gateway itself, which every client has. */
  readonly of: string | null;
  readonly call: (tasks: ClientTasks, given: JsonObject, caller: Caller) => Promise<Reply | Asking>;
}

/** Returns the annotations that a client reads of a tier, whatever its server says. */
const annotationsOf = ({ tier }: Tool) => ({
  readOnlyHint: tier === 'read_only',
  destructiveHint: tier === 'write_high_risk',
});

/** Returns a tool as clients call it. One that changed is refused before anyone is asked about it, in these words. */
const served = ({ tool, definition }: Exposed, changed: string | undefined): ServedTool => {
  const name = servedName(tool.name);
  const inputSchema = { ...JsonObject.parse(definition['inputSchema']), type: 'object' as const };
  return {
    listing: { name, description: tool.description, inputSchema, annotations: annotationsOf(tool) },
    of: tool.name,
    call: async (tasks, given, caller) =>
      changed === undefined ? tasks.call(tool.name, name, given, caller) : errs(changed),
  };
};

/** Returns a tool of a server that is down and whose definitions were never seen. */
export const unknownTool = (name: string, failure: string): ServedTool => ({
  listing: {
    name: servedName(name),
    description: `It cannot be used: ${failure}`,
    inputSchema: { type: 'object' },
    annotations: {},
  },
  of: name,
  call: async () =>
    errs(
      `${failure}. Its tools are not known yet: correct it, then start the gateway again. The others go on.`,
    ),
});

const Texts = {
  begin: z.strictObject({ request: z.string().min(1) }),
  conclude: z.strictObject({ answer: z.string().min(1) }),
  progress: z.strictObject({}),
} as const;

/** Returns the tools of the gateway itself. */
const ownTools = (prefix: string): readonly ServedTool[] => {
  const own = <Given>(
    name: string,
    description: string,
    input: z.ZodType<Given>,
    call: (tasks: ClientTasks, given: Given, signal: AbortSignal) => Promise<Reply>,
  ): ServedTool => ({
    listing: {
      name: `${prefix}_${name}`,
      description,
      inputSchema: { ...JsonObject.parse(z.toJSONSchema(input)), type: 'object' },
      annotations: { readOnlyHint: name === 'progress', destructiveHint: false },
    },
    of: null,
    call: async (tasks, given, { signal }) => {
      const read = input.safeParse(given);
      return read.success ? call(tasks, read.data, signal) : errs(z.prettifyError(read.error));
    },
  });
  return [
    own(
      'begin',
      'Begins a task. Its calls belong to it until it is concluded. Optional: calls work without it.',
      Texts.begin,
      (tasks, { request }) => tasks.begin(request),
    ),
    own(
      'conclude',
      'Concludes the task with your answer. It is delivered if the evidence that its charter requires is there; otherwise you read what is missing.',
      Texts.conclude,
      (tasks, { answer }, signal) => tasks.conclude(answer, signal),
    ),
    own('progress', 'Says what was called, what waits, and for what.', Texts.progress, (tasks) =>
      tasks.progress(),
    ),
  ];
};

/** Returns all tools of a gateway by their names. Throws `definition_invalid` for two of one name. */
export const servedTools = (
  exposed: readonly Exposed[],
  unknown: readonly ServedTool[],
  prefix: string,
  changed: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, ServedTool> => {
  const tools = new Map<string, ServedTool>();
  for (const tool of [
    ...exposed.map((one) => served(one, changed.get(one.tool.name))),
    ...unknown,
    ...ownTools(prefix),
  ]) {
    const { name } = tool.listing;
    const other = tools.get(name);
    if (other !== undefined) {
      const both = [other, tool].map(({ of }) => of ?? `the gateway's own`).join(' and ');
      const message = `${both} would both be ${name} for clients: rename a server, or set another prefix`;
      throw definitionError('gateway', [{ path: '', message }]);
    }
    tools.set(name, tool);
  }
  return tools;
};

/** Returns the tools that a client sees: all, or those that the file names for it. */
export const seenBy = (
  tools: ReadonlyMap<string, ServedTool>,
  only: readonly string[] | undefined,
): ReadonlyMap<string, ServedTool> =>
  new Map(
    [...tools].filter(
      ([, { of }]) => of === null || only === undefined || only.some((name) => names(name, of)),
    ),
  );

/** Returns the error for a tool that a client does not have. */
export const noTool = (name: string, tools: ReadonlyMap<string, ServedTool>): Reply =>
  errs(
    `There is no tool ${JSON.stringify(name)}${didYouMean(name, tools.keys()) || '. List the tools again.'}`,
  );
