import { gateway, simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

type Prompt = MockLanguageModelV4['doGenerateCalls'][number]['prompt'];

const tokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };
const usage = { inputTokens: tokens, outputTokens: tokens };

/** Refunds what the user asks for, in one message or in several, and then says what came of it. */
const answerTo = (prompt: Prompt) => {
  const texts = prompt.flatMap(({ role, content }) => (role === 'user' ? [JSON.stringify(content)] : []));
  const latest = (pattern: RegExp) => texts.flatMap((text) => pattern.exec(text)?.[1] ?? []).at(-1);
  const [eur, order] = [latest(/(\d+) EUR/), latest(/order ([\w-]+)/)];
  if (eur === undefined || order === undefined) return { text: 'Which order, and how much?' };
  const asked = prompt.findLastIndex(({ role }) => role === 'user');
  const results = prompt.slice(asked).flatMap(({ role, content }) => (role === 'tool' ? content : []));
  const [result] = results.flatMap((part) => (part.type === 'tool-result' ? [part.output.type] : []));
  if (result === undefined) return { call: JSON.stringify({ order, eur: Number(eur) }) };
  return { text: result === 'json' ? `I refunded ${eur} EUR for ${order}.` : `I did not refund ${order}.` };
};

const finish = (unified: 'stop' | 'tool-calls') =>
  ({ type: 'finish', finishReason: { unified, raw: undefined }, usage }) as const;

const standIn = new MockLanguageModelV4({
  doStream: async ({ prompt }) => {
    const { call, text } = answerTo(prompt);
    if (call !== undefined) {
      const part = { type: 'tool-call', toolCallId: 'call-1', toolName: 'refund', input: call } as const;
      return { stream: simulateReadableStream({ chunks: [part, finish('tool-calls')] }) };
    }
    const words = text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: 'text', delta }) as const);
    const start = { type: 'text-start', id: 'text' } as const;
    const end = { type: 'text-end', id: 'text' } as const;
    return { stream: simulateReadableStream({ chunks: [start, ...words, end, finish('stop')] }) };
  },
});

const { MODEL } = process.env;

/** The model `MODEL` of the gateway, such as `anthropic/claude-sonnet-4.5`; without it, a stand-in that needs no key. */
export const model = MODEL === undefined ? standIn : gateway(MODEL);
