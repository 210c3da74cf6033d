import type { Entry } from './entry.ts';

const noMessages = { 'by hand': 'keeps no messages', MCP: 'keeps no messages' } as const;

/** Of a pattern that does not repeat soon, as an image has it. */
const image = (bytes: number): string =>
  Buffer.from(Uint8Array.from({ length: bytes }, (_, at) => (at * 131 + (at >> 8)) % 251)).toString('base64');

export const messages: readonly Entry[] = [
  {
    id: 'photo',
    kind: 'message',
    says: 'A photo of 48 KB stands in the history',
    address: 'https://github.com/vm0-ai/vm0/issues/32702',
    earlier: [{ role: 'user', text: 'Pay as on this photo.', image: image(48_000) }],
    expects: {},
    not: noMessages,
  },
  {
    id: 'big-photo',
    kind: 'message',
    says: 'A photo of 1.2 MB stands in the history',
    address: 'https://github.com/researchwiseai/langgraphjs-checkpoint-dynamodb/issues/14',
    earlier: [{ role: 'user', text: 'Pay as on this photo.', image: image(1_200_000) }],
    expects: {},
    not: noMessages,
  },
  {
    id: 'two-photos',
    kind: 'message',
    says: 'Two photos, and an answer between them',
    address: 'https://github.com/bytedance/deer-flow/issues/4189',
    earlier: [
      { role: 'user', text: 'This is the first.', image: image(3000) },
      { role: 'assistant', text: 'I see it.' },
      { role: 'user', text: 'This is the second.', image: image(3001) },
      { role: 'assistant', text: 'I see both.' },
    ],
    expects: {},
    not: noMessages,
  },
  {
    id: 'long-history',
    kind: 'message',
    says: 'One hundred earlier messages',
    address: 'https://github.com/aaronsu11/langgraph-checkpoint-dynamodb/issues/8',
    earlier: Array.from({ length: 100 }, (_, at) => ({
      role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
      text: `message ${at}: ${'word '.repeat(100)}`,
    })),
    expects: {},
    not: noMessages,
  },
  {
    id: 'long-message',
    kind: 'message',
    says: 'One message of 1.1 million letters',
    address: 'https://github.com/bytedance/deer-flow/pull/4140',
    earlier: [{ role: 'user', text: `a log: ${'line '.repeat(220_000)}` }],
    expects: {},
    not: noMessages,
  },
  {
    id: 'half-emoji-history',
    kind: 'message',
    says: 'The user’s message was cut within an emoji',
    address: 'https://github.com/openclaw/openclaw/pull/102672',
    earlier: [{ role: 'user', text: 'Pay bob 👍'.slice(0, -1) }],
    expects: {},
    not: noMessages,
  },
  {
    id: 'half-emoji-turn',
    kind: 'message',
    says: 'An earlier answer was cut within an emoji',
    address: 'https://github.com/elie222/rakazo/pull/424',
    earlier: [
      { role: 'user', text: 'Hello.' },
      { role: 'assistant', text: 'I will 👍'.slice(0, -1) },
    ],
    expects: {},
    not: noMessages,
  },
  {
    id: 'nul-history',
    kind: 'message',
    says: 'A NUL character stands in the history',
    address: 'https://github.com/getsentry/junior/pull/897',
    earlier: [{ role: 'user', text: 'The log says W\u0000s\u0000l\u0000' }],
    expects: {},
    not: noMessages,
  },
  {
    id: 'half-emoji-answer',
    kind: 'message',
    says: 'The answer ends within an emoji',
    address: 'https://github.com/elizaOS/eliza/issues/30904',
    answer: { said: 'Done 👍'.slice(0, -1) },
    expects: { answer: { said: 'Done \uFFFD' } },
  },
  {
    id: 'undefined-answer',
    kind: 'message',
    says: 'An optional member of the answer is undefined',
    address: 'https://cnblogs.com/zlv2snote/p/10754715.html',
    answer: { said: 'done', note: undefined },
    expects: { answer: { said: 'done' } },
  },
  {
    id: 'unicode-answer',
    kind: 'message',
    says: 'An answer with right-to-left text, joiners and flags',
    address: 'https://github.com/groupultra/telegram-search/pull/199',
    answer: { said: 'שלום 🏳️‍⚧️ 👩‍🦳 नमस्ते\u2028\u202E' },
    expects: {},
  },
  {
    id: 'long-answer',
    kind: 'message',
    says: 'An answer of 50,000 letters',
    address: 'https://github.com/kevinpbuckley/VibeUE/issues/544',
    answer: { said: 'word '.repeat(10_000) },
    expects: {},
  },
];
