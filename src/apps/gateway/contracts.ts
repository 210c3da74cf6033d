import * as z from 'zod';
import { JsonObject } from '../../../schema/index.ts';
import type { McpContract } from '../../adapters/mcp/index.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { membersOf } from '../../base/boundary/issues-of.ts';
import { referencesIn } from '../../base/canonical/blobs.ts';
import { isNotKept } from '../../base/canonical/kept.ts';
import { pointerTo } from '../../base/canonical/unreadable.ts';
import type { Issue } from '../../base/errors.ts';
import { shownName, visibleJson } from '../../base/text/foreign-text.ts';
import { hasValueAt, valueAt } from '../../base/feedback/place.ts';
import type { Rollback } from '../../base/ports/tool.ts';
import type { ToolTerms } from './charter-file.ts';
import type { Definition, InnerServer } from './inner-server.ts';

/** The most of the arguments in a sentence. */
const mostShown = 400;

const byHand = (name: string, given: unknown): string =>
  `a person must undo ${name} by hand, which was called with ${visibleJson(given).slice(0, mostShown)}`;

/** A rollback that another tool makes. */
type Undoing = Exclude<NonNullable<ToolTerms['rollback']>, 'person'>;

/** What is described of a rollback whose arguments come from the result too, which is not there before the write. */
const ofResult = 'toolOfResult';
const OfResult = z.object({
  /** The arguments of the write. */
  given: JsonObject,
  arguments: JsonObject,
  /** Pointers into the result, by argument. */
  results: z.record(z.string(), z.string()),
});

const fromResult = (pointer: string): boolean => pointer === '/result' || pointer.startsWith('/result/');

/** Returns the values at pointers. Throws for one that finds nothing, with the words of `missing`. */
const valuesAt = (
  root: JsonObject,
  pointers: Readonly<Record<string, string>>,
  missing: (pointer: string) => string,
): JsonObject =>
  Object.fromEntries(
    Object.entries(pointers).map(([name, pointer]) => {
      const value = hasValueAt(root, pointer) ? valueAt(root, pointer, '') : undefined;
      // what was too large for the record is not in it
      if (value === undefined || isNotKept(value) || referencesIn(value).length > 0)
        throw new Error(missing(pointer));
      return [name, value];
    }),
  );

/** Returns a rollback that another tool of the server makes. Arguments of the write are read before it, and its result after. */
const byTool = (
  server: InnerServer,
  of: string,
  { tool, arguments: pointers }: Undoing,
): Rollback<JsonObject> => {
  const target = `${server.name}.${tool}`;
  const all = Object.entries(pointers);
  const results = Object.fromEntries(all.filter(([, pointer]) => fromResult(pointer)));
  const before = Object.fromEntries(all.filter(([, pointer]) => !fromResult(pointer)));
  return {
    describe: (given) => {
      const known = valuesAt(
        { arguments: given },
        before,
        (pointer) => `${tool} cannot undo it: there is nothing at ${pointer}`,
      );
      return Object.keys(results).length === 0
        ? { type: 'tool', target, payload: known }
        : { type: ofResult, target, payload: { given, arguments: known, results } };
    },
    run: async ({ type, payload }, { key, requestId, signal }) => {
      if (type !== ofResult) return server.call(tool, JsonObject.parse(payload), { key, signal });
      const described = OfResult.parse(payload);
      const result = await server.results.of(requestId, key);
      const late = valuesAt(
        result === undefined ? {} : { result },
        described.results,
        (pointer) =>
          `${byHand(of, described.given)}: ${tool} needs ${pointer}, and the record of its result has nothing there`,
      );
      return server.call(tool, { ...described.arguments, ...late }, { key, signal });
    },
  };
};

/** What a tool says of the names of its arguments. Members such as `allOf` may name more. */
const Input = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
});
const mayNameMore = ['patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref'] as const;

/** Returns the arguments that a tool names, and whether it takes others; `null` if it does not say. */
const argumentsOf = ({ inputSchema }: Definition) => {
  const input = Input.safeParse(inputSchema).data;
  if (input === undefined) return null;
  const { properties, required, additionalProperties = false } = input;
  const isOpen = additionalProperties !== false || mayNameMore.some((member) => input[member] !== undefined);
  return { properties, required, isOpen, known: Object.keys(properties) };
};

const Typed = z.looseObject({ type: z.string() });

/** Returns the one type that a schema names, of which an integer is a number; `undefined` if it names none, or several. */
const typeIn = (schema: unknown): string | undefined => {
  const { type } = Typed.safeParse(schema).data ?? {};
  return type === 'integer' ? 'number' : type;
};

/** Returns what keeps a rollback from being called: an argument that a tool does not have, one that is missing, or of another type. */
export const rollbackIssues = (
  { tool, arguments: given }: Undoing,
  { write, undo }: { readonly write: Definition; readonly undo: Definition },
  path: readonly string[],
): readonly Issue[] => {
  const to = argumentsOf(undo);
  if (to === null) return [];
  const at = (...more: readonly string[]): string => pointerTo([...path, 'arguments', ...more]);
  const unknown = Object.keys(given).filter((name) => !to.isOpen && !to.known.includes(name));
  const missing = to.required.filter((name) => !Object.hasOwn(given, name));
  const from = argumentsOf(write);
  const wrong = Object.entries(given).flatMap(([name, pointer]) => {
    const [root, member = '', ...within] = membersOf(pointer);
    if (from === null || root !== 'arguments' || member === '') return [];
    if (!from.isOpen && !from.known.includes(member))
      return [
        {
          path: at(name),
          message: `${write.name} has no argument ${shownName(member)}${didYouMean(member, from.known) || `. It has ${from.known.join(', ') || 'none'}`}`,
        },
      ];
    const [is, expected = is] = [typeIn(from.properties[member]), typeIn(to.properties[name])];
    return within.length === 0 && is !== undefined && is !== expected
      ? [{ path: at(name), message: `is of type ${is}, and ${tool} requires ${expected}` }]
      : [];
  });
  return [
    ...unknown.map((name) => ({
      path: at(name),
      message: `${tool} has no argument ${shownName(name)}${didYouMean(name, to.known) || `. It has ${to.known.join(', ') || 'none'}`}`,
    })),
    ...missing.map((name) => ({
      path: at(),
      message: `${tool} requires ${shownName(name)}: add where its value is in the arguments of the call, such as ${name}: /arguments/${name}`,
    })),
    ...wrong,
  ];
};

/** Returns the contract of a tool, as `mcpTools` takes it. */
export const contractOf = (
  server: InnerServer,
  name: string,
  { rollback, ...terms }: ToolTerms,
): McpContract =>
  ({
    ...terms,
    ...(rollback !== undefined && {
      rollback: rollback === 'person' ? rollback : byTool(server, name, rollback),
    }),
  }) as McpContract; // a member that is not in the file is not there

/** Returns who undoes a call of a tool, in words. */
export const undoneBy = ({ rollback }: Pick<ToolTerms, 'rollback'>): string => {
  if (rollback === undefined) return '';
  return rollback === 'person' ? 'a person undoes it by hand' : `${rollback.tool} undoes it`;
};
