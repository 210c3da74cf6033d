import { describe, expect, test } from 'vitest';
import { Annotation, JsonPatch, MergePatch, TextEdit } from '../../../schema/index.ts';

describe('A text edit', () => {
  test('replaces a length at an offset by a text', () => {
    expect(TextEdit.safeParse({ part: '/title', offset: 0, length: 3, text: 'Our' }).success).toBe(true);
  });

  test.each([
    { offset: -1, length: 3, text: '' },
    { offset: 0, length: 1.5, text: '' },
    { offset: 0, length: 3 },
    { part: 'title', offset: 0, length: 3, text: '' },
  ])('refuses %j', (edit) => {
    expect(TextEdit.safeParse(edit).success).toBe(false);
  });
});

describe('An annotation', () => {
  test('comments on a part, or on a range of it', () => {
    expect(Annotation.safeParse({ text: 'Why her?', part: '/candidates/1' }).success).toBe(true);
    expect(Annotation.safeParse({ text: 'typo', offset: 4, length: 2 }).success).toBe(true);
    expect(Annotation.safeParse({ part: '/candidates/1' }).success).toBe(false);
  });
});

describe('A JSON Patch', () => {
  test.each([
    { op: 'add', path: '/a', value: null },
    { op: 'replace', path: '', value: {} },
    { op: 'test', path: '/a/0', value: 1 },
    { op: 'remove', path: '/a' },
    { op: 'move', from: '/a', path: '/b' },
    { op: 'copy', from: '/a', path: '/b', note: 'RFC 6902 ignores what it does not name' },
  ])('accepts %j, and keeps it whole', (operation) => {
    expect(JsonPatch.parse([operation])).toEqual([operation]);
  });

  test.each([
    { op: 'add', path: '/a' },
    { op: 'move', path: '/b' },
    { op: 'remove', path: 'a' },
    { op: 'merge', path: '/a', value: 1 },
  ])('refuses %j', (operation) => {
    expect(JsonPatch.safeParse([operation]).success).toBe(false);
  });
});

test('A merge patch is an object, unlike a JSON Patch', () => {
  expect(MergePatch.safeParse({ location: null, rate: { max: 80 } }).success).toBe(true);
  expect(MergePatch.safeParse([]).success).toBe(false);
});
