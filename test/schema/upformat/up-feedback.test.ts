import { describe, expect, test } from 'vitest';
import { FeedbackType, UpFeedback } from '../../../schema/index.ts';

const target = 'a3bb189e-8bf9-3888-9912-ace4e6543002';

const fits = (feedback: unknown): boolean => UpFeedback.safeParse(feedback).success;
const says = (content: unknown): boolean => fits({ type: 'edit', target, content });

describe('upFeedback', () => {
  test('has one of the six types of Table 2', () => {
    expect(FeedbackType.options).toEqual(['edit', 'approve', 'reject', 'rank', 'comment', 'instruction']);
    for (const type of FeedbackType.options) expect(fits({ type, target, content: [] })).toBe(true);
    expect(fits({ type: 'like', target })).toBe(false);
    expect(fits({ target })).toBe(false);
  });

  test('targets a message, or a part of one', () => {
    expect(fits({ type: 'approve', target })).toBe(true);
    expect(fits({ type: 'approve', target: { messageId: target } })).toBe(true);
    expect(fits({ type: 'approve', target: { messageId: target, part: '/payload/candidates/0' } })).toBe(
      true,
    );
    expect(fits({ type: 'approve', target: { messageId: target, part: 'candidates[0]' } })).toBe(false);
    expect(fits({ type: 'approve', target: 'the second one' })).toBe(false);
    expect(fits({ type: 'approve' })).toBe(false);
  });

  test('says a text, or replaces its target with any JSON value', () => {
    expect(says('Remote only.')).toBe(true);
    for (const value of ['Berlin', 3, true, null, [1], { location: 'Berlin', edits: 'not ours' }])
      expect(says({ value })).toBe(true);
  });

  test('carries text edits, each an offset, a length and a text', () => {
    expect(says({ edits: [{ part: '/payload/title', offset: 0, length: 3, text: 'Our' }] })).toBe(true);
    expect(says({ edits: [{ offset: -1, length: 3, text: '' }] })).toBe(false);
    expect(says({ edits: [{ offset: 0, length: 1.5, text: '' }] })).toBe(false);
    expect(says({ edits: [{ offset: 0, length: 3 }] })).toBe(false);
  });

  test('carries annotations, on a part or on a range of it', () => {
    expect(says({ annotations: [{ text: 'Why her?', part: '/payload/candidates/1' }] })).toBe(true);
    expect(says({ annotations: [{ text: 'typo', offset: 4, length: 2 }] })).toBe(true);
    expect(says({ annotations: ['Why her?'] })).toBe(false);
  });

  test.each([
    [{ op: 'add', path: '/a', value: null }],
    [{ op: 'replace', path: '', value: {} }],
    [{ op: 'test', path: '/a/0', value: 1 }],
    [{ op: 'remove', path: '/a' }],
    [{ op: 'move', from: '/a', path: '/b' }],
    [{ op: 'copy', from: '/a', path: '/b', note: 'kept' }],
  ])('carries a JSON Patch with %j', (operation) => {
    expect(says({ diff: [operation] })).toBe(true);
  });

  test.each([
    [{ op: 'add', path: '/a' }],
    [{ op: 'move', path: '/b' }],
    [{ op: 'remove', path: 'a' }],
    [{ op: 'merge', path: '/a', value: 1 }],
  ])('is refused with the operation %j, which is not of RFC 6902', (operation) => {
    expect(says({ diff: [operation] })).toBe(false);
  });

  test('carries a merge patch', () => {
    expect(says({ diff: { location: null, rate: { max: 80 } } })).toBe(true);
    expect(says({ diff: 'location' })).toBe(false);
  });

  test('ranks with an ordered array, and with nothing else', () => {
    expect(
      fits({ type: 'rank', target, content: ['grace', { messageId: target, part: '/payload/0' }] }),
    ).toBe(true);
    expect(fits({ type: 'rank', target, content: 'grace first' })).toBe(false);
    expect(fits({ type: 'rank', target })).toBe(false);
  });

  test('weighs itself by severity and priority, and keeps other metadata', () => {
    const metadata = { severity: 'high', priority: 1, 'acme:team': 'legal' };
    expect(UpFeedback.parse({ type: 'comment', target, metadata })).toHaveProperty('metadata', metadata);
    expect(fits({ type: 'comment', target, metadata: { severity: true } })).toBe(false);
  });
});
