import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { canonicalize } from '../../../../src/base/canonical/canonicalize.ts';
import type { Step } from '../subject.ts';

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type Streamed = Awaited<ReturnType<MockLanguageModelV4['doStream']>>;
type Part = Streamed['stream'] extends ReadableStream<infer Each> ? Each : never;
type Options = Parameters<MockLanguageModelV4['doGenerate']>[0];

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
const finish = (unified: 'stop' | 'tool-calls') => ({
  finishReason: { unified, raw: undefined },
  usage,
});

/** Arguments as a provider sends them, however deep; half a surrogate pair is escaped. */
const textOf = (input: object): string => {
  try {
    return canonicalize(input);
  } catch {
    return JSON.stringify(input);
  }
};

/** What a model says: calls, or a text. */
export const generated = (step: Step | string): Pick<Generated, 'content' | 'finishReason' | 'usage'> => {
  if (typeof step !== 'string' && 'calls' in step) {
    const content = step.calls.map((call) => ({
      type: 'tool-call' as const,
      toolCallId: call.id,
      toolName: call.tool,
      input: textOf(call.arguments),
    }));
    return { content, ...finish('tool-calls') };
  }
  const text = typeof step === 'string' ? step : JSON.stringify(step.answer);
  return { content: [{ type: 'text', text }], ...finish('stop') };
};

/** The same, in parts: a text word by word. */
const partsOf = ({ content, ...rest }: ReturnType<typeof generated>): readonly Part[] => [
  { type: 'stream-start', warnings: [] },
  ...content.flatMap((part, at): readonly Part[] => {
    if (part.type === 'tool-call') return [part];
    if (part.type !== 'text') return [];
    const id = String(at);
    const deltas = part.text.split(/(?<= )/).map((delta) => ({ type: 'text-delta' as const, id, delta }));
    return [{ type: 'text-start', id }, ...deltas, { type: 'text-end', id }];
  }),
  { type: 'finish', ...rest },
];

/** A model that follows a script: its step is the number of its earlier turns. `before` runs before each, and `sees` what it is given. */
export const scripted = (
  script: readonly (Step | string)[],
  before: (turn: number) => Promise<void> = async () => {},
  sees?: (given: unknown) => void,
): MockLanguageModelV4 => {
  const turn = async ({ prompt, tools, abortSignal }: Options): Promise<ReturnType<typeof generated>> => {
    abortSignal?.throwIfAborted(); // as a request over the network would
    sees?.({ prompt, tools });
    const at = prompt.filter(({ role }) => role === 'assistant').length;
    await before(at);
    const step = script[at];
    if (step === undefined) throw new Error('the script is over');
    return generated(step);
  };
  return new MockLanguageModelV4({
    doGenerate: async (options) => ({ ...(await turn(options)), warnings: [] }),
    doStream: async (options) => ({
      stream: simulateReadableStream({
        chunks: [...partsOf(await turn(options))],
        initialDelayInMs: null,
        chunkDelayInMs: null,
      }),
    }),
  });
};
