import type { JsonObject } from '../../../schema/formats.ts';
import type { Allowance } from '../../base/boundary/budget.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { shownNames } from '../../base/text/foreign-text.ts';
import { causeOf } from '../../base/errors.ts';
import type { CallContext, Tool } from '../../base/ports/tool.ts';
import { answersTo, questionsFrom, questionsIn, unanswerableIn, nameOf } from './asking.ts';
import type { BoundClient } from './client.ts';
import type { Elicitations } from './elicitations.ts';
import { findTool, versionOf, type ListedTool } from './listed.ts';
import { readResult, type Answered } from './result.ts';
import { needOf, roundIn } from './round.ts';
import type { SchemaCheck } from './schema.ts';

/** The `_meta` key of a call's idempotency key, the same in retries and after restarts. */
export const keyMeta = 'agentcharter/key';

/** Why a changed tool is not called. */
export const definitionChanged = 'its definition changed since it was listed';

/** A tool of a server, and what its calls need. */
export interface ToolBinding {
  readonly client: BoundClient;
  readonly server: string;
  /** The limits for this server. */
  readonly allowance: Allowance;
  /** Validates results against its `outputSchema`. */
  readonly check: SchemaCheck;
  readonly listed: ListedTool;
  readonly tool: Tool;
  readonly isUntrusted: boolean;
  /** Whether evidence has the content beside structured content too. */
  readonly keepsContent: boolean;
  readonly errorMeans: 'notDone' | 'unknown';
  /** Whether a call can be aborted and repeated while a server before MCP 2026-07-28 asks a person. */
  readonly mayPause: boolean;
  readonly elicitations: Elicitations | null;
}

const replacedIn = ({ client }: ToolBinding): string | null => {
  const name = client.replaced();
  return name === null
    ? null
    : `the ${name} of its client was replaced after its tools were bound: bind them again`;
};

/** Returns why a call must not be made: the tool or the client has changed. */
const changedSince = async (calling: ToolBinding, { signal }: CallContext): Promise<string | null> => {
  const { client, allowance, listed } = calling;
  if (listed.execution?.taskSupport === 'required') return 'it can only be called as an MCP task';
  const before = replacedIn(calling);
  if (before !== null) return before;
  const found = await findTool(client, allowance, listed.name, signal);
  if (found === null) return 'its server no longer lists it';
  if (found.confusable.length > 0)
    return `its server lists several tools under this name, or under a confusable one: ${shownNames(found.confusable)}`;
  if (versionOf(found.tool) !== versionOf(listed)) return `${definitionChanged}: list its server again`;
  return replacedIn(calling);
};

/** Returns why a result does not match its `outputSchema`; `null` if it does. */
const schemaMismatch = async (
  { check, tool, listed }: ToolBinding,
  answered: Answered,
): Promise<string | null> => {
  const { outputSchema: schema } = listed;
  if (schema === undefined || 'wrong' in answered || !isObject(answered.sent)) return null;
  const { structuredContent: structured } = answered.sent;
  if (structured === undefined) return 'it has an outputSchema, but returned no structured content';
  const name = `tool ${JSON.stringify(tool.name)}: its outputSchema`;
  const key = (): string => `${versionOf(listed)} output`;
  const checked = await check({ key, name, schema }, structured);
  return checked.valid ? null : `its result does not match its outputSchema: ${checked.errorMessage}`;
};

/** Returns a failure without an effect, unless an earlier attempt may have had one. */
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
 * Returns a function that calls a server's tool if it is unchanged.
 *
 * A server's question is put to a person. The call is then repeated with the answer, also in another process.
 */
export const callOf = (calling: ToolBinding) => {
  const { client, server, allowance, listed, tool, elicitations, mayPause } = calling;

  const make = async (input: JsonObject, context: CallContext) => {
    const { asked, before, to = '' } = roundIn(context.asked) ?? { asked: null, before: null };
    const responses = asked === null || context.answer === null ? {} : answersTo(asked, context.answer);
    const answers =
      before === null ? [] : [...before, ...Object.values(responses).map((one) => ({ ...one, to }))];
    const params = {
      name: listed.name,
      arguments: input,
      _meta: metaOf(context),
      ...(asked !== null &&
        before === null && { inputResponses: responses, requestState: asked.requestState }),
    };
    const work = () => client.call(listed, params, context.signal);
    if (elicitations === null) return { result: await work(), request: null, replayed: [] };
    return elicitations.during({ answers, mayPause }, work);
  };

  return async (input: JsonObject, context: CallContext): Promise<unknown> => {
    const changed = await changedSince(calling, context).catch(
      (error: unknown) => `its server could not list its tools: ${causeOf(error)}`,
    );
    if (changed !== null) return refused(tool, changed, context);
    const { result, request, replayed } = await make(input, context);
    const asked = request === null ? questionsIn(result, allowance) : questionsFrom({ question: request });
    if (asked !== null) {
      const beyond = unanswerableIn(asked);
      if (beyond !== null)
        return refused(tool, `its server asks for ${beyond}, which no one can answer here`, context);
      const round = request === null ? { before: null } : { before: replayed, to: nameOf(request.params) };
      return context.needsHuman(needOf({ asked, ...round }, server));
    }
    const { isUntrusted, keepsContent } = calling;
    const read = readResult(result, { server, tool: listed.name, isUntrusted, keepsContent }, allowance);
    const wrong = await schemaMismatch(calling, read);
    if (wrong !== null) throw new Error(wrong);
    if ('brought' in read) return read.brought;
    if (calling.errorMeans === 'notDone') return refused(tool, read.wrong, context);
    throw new Error(read.wrong);
  };
};
