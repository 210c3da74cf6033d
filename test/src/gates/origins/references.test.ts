import { describe, expect, it } from 'vitest';
import { trusted } from '../../../../src/gates/origins/label.ts';
import { keptReferences, resolveReferences } from '../../../../src/gates/origins/references.ts';
import type { Source } from '../../../../src/gates/origins/sources.ts';

const source = (alias: string, value: unknown): Source => ({
  alias,
  value,
  at: () => ({ label: trusted }),
});
const sources = [source('request', { to: 'x', list: [1, { a: 'b' }] }), source('read#1', 'text')];
const from = ($from: string, pointer: string) => ({ $from, pointer });

describe('references in arguments', () => {
  it('are replaced by the values that they name, of any form', () => {
    const given = { a: from('request', '/to'), b: [from('request', '/list')], c: from('read#1', '') };
    expect(resolveReferences(given, sources)).toEqual({
      value: { a: 'x', b: [[1, { a: 'b' }]], c: 'text' },
      references: [
        { at: '/a', base: '/a', source: 'request', pointer: '/to' },
        { at: '/b/0/0', base: '/b/0', source: 'request', pointer: '/list/0' },
        { at: '/b/0/1/a', base: '/b/0', source: 'request', pointer: '/list/1/a' },
        { at: '/c', base: '/c', source: 'read#1', pointer: '' },
      ],
      hidden: [],
    });
  });

  it('may be the arguments as a whole', () => {
    expect(resolveReferences(from('request', '/list/1'), sources)).toMatchObject({ value: { a: 'b' } });
  });

  it.each([
    [{ ...from('request', '/to'), more: 1 }],
    [{ $from: 'request' }],
    [{ $from: 1, pointer: '/to' }],
    [{ $from: 'request', pointer: null }],
  ])('are none of another form: %j', (given) => {
    expect(resolveReferences({ given }, sources)).toEqual({ value: { given }, references: [], hidden: [] });
  });

  it('are not looked for in the value that one names', () => {
    const nested = [source('request', { a: from('read#1', '') }), source('read#1', 'secret')];
    expect(resolveReferences({ x: from('request', '/a') }, nested)).toMatchObject({
      value: { x: from('read#1', '') },
    });
  });

  it.each([
    ['request#1', '', '/x/$from', /names nothing of this run: expected one of request, read#1/],
    ['read', '', '/x/$from', /names nothing/],
    ['request', 'to', '/x/pointer', /expected a JSON Pointer/],
    ['request', '/__proto__', '/x/pointer', /nothing at/],
    ['request', '/list/-', '/x/pointer', /nothing at/],
    ['request', '/list/01', '/x/pointer', /nothing at/],
    ['request', '/list/length', '/x/pointer', /nothing at/],
    ['read#1', '/0', '/x/pointer', /nothing at/],
  ])('to %s at %j are refused', (alias, pointer, path, message) => {
    expect(resolveReferences({ x: from(alias, pointer) }, sources)).toEqual({
      issues: [{ path, message: expect.stringMatching(message) }],
    });
  });
});

describe('a reference after a schema', () => {
  const references = [{ at: '/list/0', base: '/list/0', source: 'request', pointer: '/to' }];

  it.each([
    ['is kept where its value stayed', { list: ['x', 'y'], more: 1 }, 1],
    ['is dropped where another value stands', { list: ['y', 'x'] }, 0],
    ['is dropped where none stands', { list: [] }, 0],
    ['is dropped where its value has another type', { list: [{ x: 'x' }] }, 0],
  ])('%s', (_, read, kept) => {
    expect(keptReferences(references, { list: ['x', 'y'] }, read)).toHaveLength(kept);
  });
});
