import type { JsonObject } from '../../../schema/formats.ts';
import { causeOf } from '../../errors.ts';
import type { CallContext, Tool } from '../../ports/tool.ts';
import { answersTo, askedBy, askedIn, beyondPeople, nameOf } from './asking.ts';
import { send, type McpClient } from './client.ts';
import type { Elicitations } from './elicitations.ts';
import { listTools, type ListedTool } from './listed.ts';
import { readResult } from './result.ts';
import { needOf, roundIn } from './round.ts';

/** Under which a call's idempotency key travels in `_meta`: the same over retries and restarts. */
export const keyMeta = 'agentcharter/key';

/** One tool of a server, as it is called. */
export interface Calling {
  readonly client: McpClient;
  readonly server: string;
  readonly listed: ListedTool;
  readonly tool: Tool;
  readonly isUntrusted: boolean;
  readonly errorMeans: 'notDone' | 'unknown';
  /** Whether it may be called off and made again while a server before MCP 2026-07-28 asks a person. */
  readonly mayPause: boolean;
  readonly elicitations: Elicitations | null;
}

/** Why the call is not to be made: what was listed is not what would be called. */
const changedSince = async ({ client, listed }: Calling, { signal }: CallContext): Promise<string | null> => {
  if (listed.execution?.taskSupport === 'required') return 'it can only be called as an MCP task';
  const now = (await listTools(client, signal)).find(({ name }) => name === listed.name);
  if (now === undefined) return 'its server does not list it any more';
  return now.version === listed.version
    ? null
    : 'its definition changed since it was listed: list its server again';
};

/** Nothing happened: unless the call is one that may have been made before, and is made again for that. */
const refused = ({ doubt, tier }: Tool, why: string, { notDone }: CallContext): unknown => {
  if (doubt === 'idempotent' && tier !== 'read_only') throw new Error(why);
  return notDone(why);
};

const metaOf = ({ key, traceparent, tracestate }: CallContext) => ({
  traceparent,
  ...(tracestate !== undefined && { tracestate }),
  [keyMeta]: key,
});

/**
 * Calls a tool of a server, once it is still what was listed.
 *
 * A server's questions become a person's, and the answers go with the same call made again, in whichever process.
 */
export const callOf = (calling: Calling) => {
  const { client, server, listed, tool, elicitations, mayPause } = calling;

  const make = async (input: JsonObject, context: CallContext) => {
    const { asked, before, to = '' } = roundIn(context.asked) ?? { asked: null, before: null };
    const said = asked === null || context.answer === null ? {} : answersTo(asked, context.answer);
    const answers = before === null ? [] : [...before, ...Object.values(said).map((one) => ({ ...one, to }))];
    const params = {
      name: listed.name,
      arguments: input,
      _meta: metaOf(context),
      ...(asked !== null && before === null && { inputResponses: said, requestState: asked.requestState }),
    };
    const work = () => send(client, params, context.signal);
    if (elicitations === null) return { result: await work(), request: null, told: [] };
    return elicitations.during({ answers, mayPause }, work);
  };

  return async (input: JsonObject, context: CallContext): Promise<unknown> => {
    const changed = await changedSince(calling, context).catch(
      (error: unknown) => `its server could not be asked for its tools: ${causeOf(error)}`,
    );
    if (changed !== null) return refused(tool, changed, context);
    const { result, request, told } = await make(input, context);
    const asked = request === null ? askedIn(result) : askedBy({ question: request });
    if (asked !== null) {
      const beyond = beyondPeople(asked);
      if (beyond !== null)
        return refused(tool, `its server asks for ${beyond}, which nobody here answers`, context);
      const round = request === null ? { before: null } : { before: told, to: nameOf(request.params) };
      return context.needsHuman(needOf({ asked, ...round }, server));
    }
    const { isUntrusted } = calling;
    const read = readResult(result, { server, tool: listed.name, isUntrusted });
    if ('brought' in read) return read.brought;
    if (calling.errorMeans === 'notDone') return refused(tool, read.wrong, context);
    throw new Error(read.wrong);
  };
};
