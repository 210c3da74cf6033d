import { describe, expect, test } from 'vitest';
import { UpFormatMessage } from '../../../schema/index.ts';

const message = {
  messageId: 'a3bb189e-8bf9-3888-9912-ace4e6543002',
  threadId: '0197f2b4-6c1e-7e3a-9f00-5b6a7c8d9e0f',
  timestamp: '2026-11-21T04:58:37Z',
  state: 'needsHumanDecision',
  payload: { role: 'translator' },
  explanation: 'The location is missing.',
};

const refuses = (change: object): boolean => !UpFormatMessage.safeParse({ ...message, ...change }).success;

describe('An UpFormat message', () => {
  test('requires the six mandatory fields of Table 1', () => {
    expect(UpFormatMessage.parse(message)).toEqual(message);
    for (const field of Object.keys(message)) expect(refuses({ [field]: undefined })).toBe(true);
    expect(Object.keys(message)).toHaveLength(6);
  });

  test('accepts a parent, an agent and the three extensions', () => {
    const full = {
      ...message,
      parentMessageId: message.threadId,
      agentId: 'recommender',
      upThought: { confidence: 0.45, canProceed: false, questions: ['Where?'] },
      upFeedback: { type: 'instruction', target: message.messageId, content: 'Remote only.' },
      upContext: { entity: 'search request', fields: { location: 'where the work is done' } },
    };
    expect(UpFormatMessage.parse(full)).toEqual(full);
  });

  test('requires UUIDs for messages and threads', () => {
    for (const field of ['messageId', 'threadId', 'parentMessageId'])
      expect(refuses({ [field]: 'm-1' })).toBe(true);
  });

  test('requires a JSON object as its payload', () => {
    for (const payload of ['text', [], null, 1]) expect(refuses({ payload })).toBe(true);
  });

  test('keeps unknown fields', () => {
    expect(UpFormatMessage.parse({ ...message, 'acme:shard': 3 })).toHaveProperty('acme:shard', 3);
  });

  test('refuses an invalid state or timestamp', () => {
    expect(refuses({ state: 'done' })).toBe(true);
    expect(refuses({ state: 'execute' })).toBe(true);
    expect(refuses({ timestamp: 'yesterday' })).toBe(true);
  });

  test('refuses an invalid extension', () => {
    expect(refuses({ upThought: { confidence: 2 } })).toBe(true);
    expect(refuses({ upFeedback: { type: 'like' } })).toBe(true);
    expect(refuses({ upContext: { concepts: 'one' } })).toBe(true);
  });
});
