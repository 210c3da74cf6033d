import { describe, expect, test } from 'vitest';
import { FeedbackType, UpFeedback } from '../../../schema/index.ts';

const target = 'a3bb189e-8bf9-3888-9912-ace4e6543002';

const fits = (feedback: unknown): boolean => UpFeedback.safeParse(feedback).success;
const acceptsContent = (content: unknown): boolean => fits({ type: 'edit', target, content });

describe('upFeedback', () => {
  test('accepts the six types of Table 2', () => {
    expect(FeedbackType.options).toEqual(['edit', 'approve', 'reject', 'rank', 'comment', 'instruction']);
    for (const type of FeedbackType.options) expect(fits({ type, target, content: [] })).toBe(true);
    expect(fits({ type: 'like', target })).toBe(false);
    expect(fits({ target })).toBe(false);
  });

  test('requires a message or a part of one as its target', () => {
    expect(fits({ type: 'approve', target })).toBe(true);
    expect(fits({ type: 'approve', target: { messageId: target } })).toBe(true);
    expect(fits({ type: 'approve', target: { messageId: target, part: '/payload/candidates/0' } })).toBe(
      true,
    );
    expect(fits({ type: 'approve', target: { messageId: target, part: 'candidates[0]' } })).toBe(false);
    expect(fits({ type: 'approve', target: 'the second one' })).toBe(false);
    expect(fits({ type: 'approve' })).toBe(false);
  });

  test('accepts a text, or any JSON value as a replacement', () => {
    expect(acceptsContent('Remote only.')).toBe(true);
    for (const value of ['Berlin', 3, true, null, [1], { location: 'Berlin', edits: 'not ours' }])
      expect(acceptsContent({ value })).toBe(true);
  });

  test('accepts text edits, annotations and a diff, alone or together', () => {
    const edits = [{ offset: 0, length: 3, text: 'Our' }];
    const annotations = [{ text: 'Why her?', part: '/payload/candidates/1' }];
    expect(acceptsContent({ edits })).toBe(true);
    expect(acceptsContent({ annotations })).toBe(true);
    expect(acceptsContent({ diff: [{ op: 'remove', path: '/payload/rate' }] })).toBe(true);
    expect(acceptsContent({ diff: { rate: null } })).toBe(true);
    expect(acceptsContent({ text: 'Shorter.', edits, annotations, diff: {} })).toBe(true);
    expect(acceptsContent({ edits: {} })).toBe(false);
    expect(acceptsContent({ annotations: ['Why her?'] })).toBe(false);
    expect(acceptsContent({ diff: 'rate' })).toBe(false);
    expect(acceptsContent(7)).toBe(false);
  });

  test('accepts only an ordered array as a ranking', () => {
    expect(
      fits({ type: 'rank', target, content: ['grace', { messageId: target, part: '/payload/0' }] }),
    ).toBe(true);
    expect(fits({ type: 'rank', target, content: 'grace first' })).toBe(false);
    expect(fits({ type: 'rank', target })).toBe(false);
  });

  test('accepts a severity and a priority, and keeps other metadata', () => {
    const metadata = { severity: 'high', priority: 1, 'acme:team': 'legal' };
    expect(UpFeedback.parse({ type: 'comment', target, metadata })).toHaveProperty('metadata', metadata);
    expect(fits({ type: 'comment', target, metadata: { severity: true } })).toBe(false);
  });
});
