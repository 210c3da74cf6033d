import {
  type protocol,
  Usage,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
} from '@openai/agents';
import type { Setup, Step } from '../subject.ts';

const isTurn = (item: AgentInputItem, before: AgentInputItem | undefined): boolean => {
  if (item.type === 'function_call') return before?.type !== 'function_call';
  return 'role' in item && item.role === 'assistant';
};

/** How many turns of the model a conversation holds: calls that stand together are of one. */
const turnsIn = (input: ModelRequest['input']): number =>
  typeof input === 'string' ? 0 : input.filter((item, at) => isTurn(item, input[at - 1])).length;

/** A provider sends text, however deep: `JSON.stringify` runs out of stack. */
const jsonOf = (value: object): string => {
  let [before, at, after] = ['', value, ''];
  for (;;) {
    const [[key, member] = ['', null], ...others] = Object.entries(at) as [string, unknown][];
    if (typeof member !== 'object' || member === null || others.length > 0 || Array.isArray(at))
      return `${before}${JSON.stringify(at)}${after}`;
    before += `{${JSON.stringify(key)}:`;
    after += '}';
    at = member;
  }
};

const outputOf = (step: Step): ModelResponse['output'] =>
  'answer' in step
    ? [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: JSON.stringify(step.answer) }],
        },
      ]
    : step.calls.map(({ id, tool, arguments: input }) => ({
        type: 'function_call',
        callId: id,
        name: tool,
        arguments: typeof input === 'string' ? input : jsonOf(input),
      }));

/** A model that follows a script: which step it is at, it reads from the conversation. */
export class Scripted implements Model {
  readonly requests: ModelRequest[] = [];
  /** Waited for before text is streamed; says how many letters of it came another way. */
  beforeText = async (): Promise<number> => 0;
  readonly #script: readonly Step[];
  readonly #sees: Setup['sees'];

  constructor(script: readonly Step[], sees?: Setup['sees']) {
    this.#script = script;
    this.#sees = sees;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    this.requests.push(request);
    this.#sees?.(request);
    const step = this.#script[turnsIn(request.input)];
    if (step === undefined) throw new Error('the script is over');
    return { output: outputOf(step), usage: new Usage() };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<protocol.StreamEvent> {
    const { output } = await this.getResponse(request);
    yield { type: 'response_started' };
    for (const item of output)
      if (item.type === 'message' && item.role === 'assistant')
        for (const part of item.content)
          if (part.type === 'output_text')
            for (const delta of part.text.slice(await this.beforeText()).match(/.{1,5}/gs) ?? [])
              yield { type: 'output_text_delta', delta };
    yield {
      type: 'response_done',
      response: {
        id: 'response',
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
        output: output as protocol.StreamEventResponseCompleted['response']['output'], // of what a model says
      },
    };
  }
}

/** What the model was told of its calls when it was asked last. */
export const outputs = (model: Scripted): readonly string[] => {
  const { input } = model.requests.at(-1) ?? { input: [] };
  const items: readonly AgentInputItem[] = typeof input === 'string' ? [] : input;
  return items.flatMap((item) =>
    item.type === 'function_call_result' && typeof item.output === 'object' && 'text' in item.output
      ? item.output.text
      : [],
  );
};
