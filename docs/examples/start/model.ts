import { MockLanguageModelV4 } from 'ai/test';

const tokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };
const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'refund', input: '{"eur":180}' } as const;
const answer = { type: 'text', text: 'I refunded 180 EUR.' } as const;

export const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => ({
    content: [prompt.some(({ role }) => role === 'tool') ? answer : call],
    finishReason: { unified: 'stop', raw: undefined },
    usage: { inputTokens: tokens, outputTokens: tokens },
    warnings: [],
  }),
});
