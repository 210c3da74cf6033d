import { untilAborted } from '../../base/boundary/until-aborted.ts';
import { systemClock } from '../../core/shell/clock.ts';
import type { Model, Turn, TurnOptions } from '../../base/ports/model.ts';
import { jsonSchemaOf } from '../../base/define/json-schema-of.ts';
import { answerSchema } from './answer-schema.ts';
import { answerIn } from './completion.ts';
import { post, type Endpoint } from './endpoint.ts';
import { checkOptions, type OpenAiCompatibleOptions } from './options.ts';
import { messagesOf, standardInstructions } from './prompt.ts';

const addressOf = (base: string): URL => {
  const address = new URL(base);
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/chat/completions`;
  return address;
};

/**
 * Creates a model on an OpenAI-compatible endpoint. It posts to `<url>/chat/completions` and requests JSON
 * for its turn.
 *
 * Sends the whole turn: request, tools, evidence and people's answers. A refusal becomes an output that
 * cannot proceed. Other text is returned as it is. The orchestrator judges both.
 *
 * Throws `definition_invalid`. A failed turn throws an error with host and status, but never the key.
 */
export const openAiCompatible = (options: OpenAiCompatibleOptions): Model => {
  checkOptions(options);
  const { url, key, model, instructions = standardInstructions, body } = options;
  const outputs = new Map(
    Object.entries(options.outputs ?? {}).map(([taskClass, schema]) => [taskClass, jsonSchemaOf(schema)]),
  );
  const endpoint: Endpoint = {
    address: addressOf(url),
    retries: options.retries ?? 2,
    fetch: options.fetch ?? fetch,
    clock: options.clock ?? systemClock,
  };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...options.headers,
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };

  const bodyOf = (turn: Turn): string => {
    const schema = answerSchema(turn, outputs.get(turn.taskClass));
    // not strict: that mode has no free objects and no optional members, which arguments and payloads need
    const json_schema = { name: turn.asks, strict: false, schema };
    return JSON.stringify({
      response_format: { type: 'json_schema', json_schema },
      ...body,
      model,
      messages: messagesOf(turn, instructions(turn), schema),
      stream: false,
    });
  };

  const ask = async (turn: Turn, { signal, traceparent, tracestate }: TurnOptions): Promise<unknown> => {
    const trace = { ...(traceparent && { traceparent }), ...(tracestate && { tracestate }) };
    const request = { body: bodyOf(turn), headers: { ...headers, ...trace }, signal };
    return answerIn(await post(endpoint, request), turn.asks);
  };

  return Object.freeze({
    answer: (turn: Turn, given: TurnOptions) => untilAborted(ask(turn, given), given.signal),
  });
};
