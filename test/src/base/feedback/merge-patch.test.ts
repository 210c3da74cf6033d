import { applyFeedback } from 'agentcharter/feedback';
import { describe, expect, it } from 'vitest';
import { mergePatched } from '../../../../src/base/feedback/merge-patch.ts';
import { edit } from './cases.ts';

describe('A merge patch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('of %j by %j gives the result of RFC 7396, appendix A', (target, patch, expected) => {
    expect(mergePatched(target, patch)).toEqual(expected);
  });

  it('keeps members that it does not name, at every depth (RFC 7396 3)', () => {
    const target = {
      title: 'Goodbye!',
      author: { givenName: 'John', familyName: 'Doe' },
      tags: ['example', 'sample'],
      content: 'This will be unchanged',
    };
    const patch = {
      title: 'Hello!',
      phoneNumber: '+01-123-456-7890',
      author: { familyName: null },
      tags: ['example'],
    };
    expect(mergePatched(target, patch)).toEqual({
      title: 'Hello!',
      author: { givenName: 'John' },
      tags: ['example'],
      content: 'This will be unchanged',
      phoneNumber: '+01-123-456-7890',
    });
  });

  it('sees own members only and keeps the order of members', () => {
    const { value } = applyFeedback(
      { z: 1, a: 2 },
      edit({ diff: { toString: { x: 1 }, constructor: null, z: 3 } }),
    );
    expect(JSON.stringify(value)).toBe('{"z":3,"a":2,"toString":{"x":1}}');
  });

  it('rejects the name __proto__', () => {
    const diff: unknown = JSON.parse('{"a": {"__proto__": {"polluted": true}}}');
    expect(() => applyFeedback({}, edit({ diff }))).toThrow(
      expect.objectContaining({ code: 'input_unreadable' }),
    );
    expect({}).not.toHaveProperty('polluted');
  });
});
