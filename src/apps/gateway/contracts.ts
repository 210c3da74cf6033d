import type { JsonObject } from '../../../schema/index.ts';
import type { McpContract } from '../../adapters/mcp/index.ts';
import { visibleJson } from '../../base/text/foreign-text.ts';
import { valueAt } from '../../base/feedback/place.ts';
import type { Rollback } from '../../base/ports/tool.ts';
import type { ToolTerms } from './charter-file.ts';
import type { InnerServer } from './inner-server.ts';

/** The most of the arguments in a sentence. */
const mostShown = 400;

/** Returns a rollback that a person makes by hand. What there is to undo is described before the write (UAICP 5.3). */
const byPerson = (name: string): Rollback<JsonObject> => ({
  describe: (given) => ({ type: 'manual', target: name, payload: given }),
  run: async ({ payload }) => {
    throw new Error(
      `a person must undo ${name} by hand, which was called with ${visibleJson(payload).slice(0, mostShown)}`,
    );
  },
});

/** Returns a rollback that another tool of the server makes, with arguments that were read before the write. */
const byTool = (
  server: InnerServer,
  { tool, arguments: pointers }: Exclude<NonNullable<ToolTerms['rollback']>, 'person'>,
): Rollback<JsonObject> => {
  const described = (given: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(pointers).map(([name, pointer]) => [
        name,
        valueAt({ arguments: given }, pointer, `/rollback/arguments/${name}`),
      ]),
    );
  const target = `${server.name}.${tool}`;
  return {
    describe: (given) => ({ type: 'tool', target, payload: described(given) }),
    run: ({ payload }, { key, signal }) => server.call(tool, payload as JsonObject, { key, signal }), // as described
  };
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
      rollback: rollback === 'person' ? byPerson(name) : byTool(server, rollback),
    }),
  }) as McpContract; // a member that is not in the file is not there

/** Returns who undoes a call of a tool, in words. */
export const undoneBy = ({ rollback }: Pick<ToolTerms, 'rollback'>): string => {
  if (rollback === undefined) return '';
  return rollback === 'person' ? 'a person undoes it by hand' : `${rollback.tool} undoes it`;
};
