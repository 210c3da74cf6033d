import { applyFeedback } from 'agentcharter/feedback';
import { describe, expect, it } from 'vitest';
import { edit, refusal } from './cases.ts';

type Given = readonly [offset: number, length: number, text: string];

const asEdits = (given: readonly Given[]) =>
  given.map(([offset, length, text]) => ({ offset, length, text }));
const edited = (text: unknown, ...given: readonly Given[]): unknown =>
  applyFeedback(text, edit({ edits: asEdits(given) })).value;
const refused = (text: unknown, ...given: readonly Given[]) => refusal(() => edited(text, ...given));

describe('Text edits', () => {
  it.each<[string, readonly Given[], string]>([
    ['', [[0, 0, 'new']], 'new'],
    ['abc', [], 'abc'],
    ['abc', [[0, 3, '']], ''],
    ['abc', [[3, 0, 'd']], 'abcd'],
    [
      'abcdef',
      [
        [4, 1, 'E'],
        [0, 2, 'X'],
      ],
      'XcdEf',
    ],
    [
      'abc',
      [
        [1, 0, '1'],
        [1, 0, '2'],
      ],
      'a12bc',
    ],
    [
      'abc',
      [
        [1, 1, 'B'],
        [1, 0, '+'],
      ],
      'a+Bc',
    ],
    [
      'abc',
      [
        [0, 1, 'A'],
        [1, 1, 'B'],
      ],
      'ABc',
    ],
    [
      'a😀b',
      [
        [1, 2, '🎈'],
        [4, 0, '!'],
      ],
      'a🎈b!',
    ],
    ['a😀b', [[3, 1, '']], 'a😀'],
  ])('of %j count offsets in the original text: %j', (text, given, expected) => {
    expect(edited(text, ...given)).toBe(expected);
  });

  it.each<[string, unknown, readonly Given[], number, RegExp]>([
    [
      'ends beyond the text',
      'abc',
      [
        [0, 1, ''],
        [2, 2, ''],
      ],
      1,
      /^it ends at 4, and the text has 3 /,
    ],
    ['begins beyond it', 'abc', [[4, 0, '']], 0, /^it ends at 4/],
    ['begins inside a surrogate pair', 'a😀b', [[2, 1, '']], 0, /surrogate pair/],
    ['ends inside one', 'a😀b', [[0, 2, '']], 0, /surrogate pair/],
    ['puts a text inside one', '😀', [[1, 0, 'x']], 0, /surrogate pair/],
    [
      'shares a range with the one before',
      'abcdef',
      [
        [2, 3, ''],
        [0, 3, ''],
      ],
      0,
      /^it begins at 2, and the edit before it ends at 3/,
    ],
    [
      'overlaps another edit',
      'abc',
      [
        [1, 1, 'x'],
        [1, 1, 'y'],
      ],
      1,
      /^it begins at 1/,
    ],
    [
      'inserts inside another edit',
      'abc',
      [
        [0, 3, ''],
        [1, 0, 'x'],
      ],
      1,
      /^it begins at 1/,
    ],
    ['targets a value that is no text', ['abc'], [[0, 0, '']], 0, /this is an array of 1$/],
    ['targets a value that is no text', { a: 'b' }, [[0, 0, '']], 0, /this is an object with "a"$/],
  ])('with one that %s are rejected', (_, text, given, at, reason) => {
    const { path, reason: message } = refused(text, ...given);
    expect(path).toBe(`/content/edits/${at}`);
    expect(message).toMatch(reason);
  });

  it('of one text keep the others, and one invalid edit changes none', () => {
    const shown = { a: 'abc', b: 'abc' };
    const one = { part: '/a', offset: 0, length: 1, text: 'A' };
    expect(applyFeedback(shown, edit({ edits: [one] })).value).toEqual({ a: 'Abc', b: 'abc' });
    const wrong = { part: '/c', offset: 0, length: 0, text: '' };
    expect(refusal(() => applyFeedback(shown, edit({ edits: [one, wrong] })))).toEqual({
      path: '/content/edits/1',
      reason: 'there is nothing at "/c"; the root is an object with "a", "b"',
    });
    expect(shown).toEqual({ a: 'abc', b: 'abc' });
  });

  it('run in bounded time, in one text or many', () => {
    const inOne = Array.from({ length: 20_000 }, (_, at): Given => [at * 10, 1, 'X']);
    expect(edited('x'.repeat(400_000), ...inOne)).toHaveLength(400_000);
    const texts = Array.from({ length: 15_000 }, () => 'x');
    const inMany = texts.map((_, at) => ({ part: `/${at}`, offset: 0, length: 1, text: 'y' }));
    expect(applyFeedback(texts, edit({ edits: inMany })).value).toEqual(texts.map(() => 'y'));
  });
});
