import { applyFeedback } from 'agentcharter/feedback';
import { describe, expect, it } from 'vitest';
import { edit, refusal } from './cases.ts';

const patched = (value: unknown, ...diff: readonly object[]): unknown =>
  applyFeedback(value, edit({ diff })).value;

const refused = (value: unknown, ...diff: readonly object[]) => refusal(() => patched(value, ...diff));

const test = (value: unknown) => ({ op: 'test', path: '/a', value });

const many = <Operation>(count: number, operation: Operation) =>
  Array.from({ length: count }, () => operation);

const numbers = (sign: number) => Array.from({ length: 20_000 }, (_, at) => sign * (at + 1));

describe('A JSON Patch', () => {
  it.each([
    ['A.1', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
    [
      'A.2',
      { foo: ['bar', 'baz'] },
      [{ op: 'add', path: '/foo/1', value: 'qux' }],
      { foo: ['bar', 'qux', 'baz'] },
    ],
    ['A.3', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    ['A.4', { foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
    [
      'A.5',
      { baz: 'qux', foo: 'bar' },
      [{ op: 'replace', path: '/baz', value: 'boo' }],
      { baz: 'boo', foo: 'bar' },
    ],
    [
      'A.6',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'A.7',
      { foo: ['all', 'grass', 'cows', 'eat'] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: ['all', 'cows', 'eat', 'grass'] },
    ],
    [
      'A.8',
      { baz: 'qux', foo: ['a', 2, 'c'] },
      [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      { baz: 'qux', foo: ['a', 2, 'c'] },
    ],
    [
      'A.10',
      { foo: 'bar' },
      [{ op: 'add', path: '/child', value: { grandchild: {} } }],
      { foo: 'bar', child: { grandchild: {} } },
    ],
    [
      'A.11',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
      { foo: 'bar', baz: 'qux' },
    ],
    ['A.14', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    [
      'A.16',
      { foo: ['bar'] },
      [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
      { foo: ['bar', ['abc', 'def']] },
    ],
  ])('gives the result of RFC 6902 %s', (_, value, diff, expected) => {
    expect(patched(value, ...diff)).toEqual(expected);
  });

  it.each([
    ['A.9', { baz: 'qux' }, { op: 'test', path: '/baz', value: 'bar' }, ''],
    ['A.12', { foo: 'bar' }, { op: 'add', path: '/baz/bat', value: 'qux' }, '/path'],
    ['A.15', { '/': 9, '~1': 10 }, { op: 'test', path: '/~01', value: '10' }, ''],
  ])('is rejected as in RFC 6902 %s', (_, value, operation, at) => {
    expect(refused(value, operation).path).toBe(`/content/diff/0${at}`);
  });

  it.each([
    ['', [1]],
    ['/', { '': 0 }],
    ['/a~1b', { 'a/b': 0 }],
    ['/m~0n', { 'm~n': 0 }],
    ['/~01', { '~1': 0 }],
    ['/0', { '0': 0 }],
    ['/constructor', { constructor: 0 }],
    ['/toString', { toString: 0 }],
    ['/0/hasOwnProperty', [{ hasOwnProperty: 0 }]],
  ])('replaces the own member at %j', (path, value) => {
    expect(JSON.stringify(patched(value, { op: 'replace', path, value: 7 }))).toBe(
      path === '' ? '7' : JSON.stringify(value).replace(':0', ':7'),
    );
  });

  it.each([
    '/toString',
    '/constructor/name',
    '/__proto__',
    '/a/length',
    '/a/01',
    '/a/1e0',
    '/a/-',
    '/a/ 0',
    '/a/-1',
    '/a/2',
    '/t/0',
    '/n/x',
  ])('finds nothing at %j and adds nothing there', (path) => {
    const value = { a: [1, 2], t: 'text', n: null };
    for (const operation of [
      { op: 'test', path, value: 1 },
      { op: 'remove', path },
      { op: 'replace', path, value: 1 },
      { op: 'move', from: path, path: '/b' },
      { op: 'copy', from: path, path: '/b' },
    ])
      expect(refused(value, operation).reason).toContain('there is nothing at');
  });

  it.each([
    ['/a/3', '"/a/3" is not a location in an array of 2'],
    ['/a/x', '"/a/x" is not a location in an array of 2'],
    ['/a/01', '"/a/01" is not a location in an array of 2'],
    ['/t/0', 'nothing can be added at "/t/0", in a string'],
    ['/n/-', 'nothing can be added at "/n/-", in null'],
    ['/__proto__', 'nothing can be added at "/__proto__", in an object with "a", "t", "n"'],
  ])('adds nothing at %j with any operation', (path, reason) => {
    const value = { a: [1, 2], t: 'text', n: null };
    const at = (operation: object) => refused(value, operation);
    expect(at({ op: 'add', path, value: 1 })).toEqual({ path: '/content/diff/0/path', reason });
    expect(at({ op: 'copy', from: '/t', path }).reason).toMatch(/^"?nothing can|is not a location/);
    expect(at({ op: 'move', from: '/a/0', path }).path).toBe('/content/diff/0/path');
    expect({}).not.toHaveProperty('polluted');
  });

  it('may replace the whole, but not move a value into itself or remove the whole', () => {
    expect(patched({ a: 1 }, { op: 'add', path: '', value: [2] })).toEqual([2]);
    expect(patched({ a: 1 }, { op: 'copy', from: '', path: '/b' })).toEqual({ a: 1, b: { a: 1 } });
    expect(patched({ a: 1 }, { op: 'move', from: '/a', path: '' })).toBe(1);
    expect(patched({ a: 1 }, { op: 'move', from: '/a', path: '/a' })).toEqual({ a: 1 });
    expect(patched({ a: 1 }, { op: 'move', from: '', path: '' })).toEqual({ a: 1 });
    expect(patched({ a: 1, ab: {} }, { op: 'move', from: '/a', path: '/ab/c' })).toEqual({ ab: { c: 1 } });
    expect(refused({ a: {} }, { op: 'move', from: '/a', path: '/a/b' }).reason).toContain('into itself');
    expect(refused({ a: {} }, { op: 'remove', path: '' }).reason).toContain('replace it');
    expect(refused({ a: 1 }, { op: 'move', from: '/b', path: '/b' }).path).toBe('/content/diff/0/from');
  });

  it('copies values, so a later change affects one place', () => {
    const value = { deep: { deeper: 1 } };
    const shared = { k: 0 };
    expect(
      patched(
        { a: {} },
        { op: 'add', path: '/a/x', value },
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'replace', path: '/a/x/deep/deeper', value: 2 },
        { op: 'add', path: '/c', value: shared },
        { op: 'add', path: '/d', value: shared },
        { op: 'remove', path: '/c/k' },
      ),
    ).toEqual({
      a: { x: { deep: { deeper: 2 } } },
      b: { x: { deep: { deeper: 1 } } },
      c: {},
      d: { k: 0 },
    });
    expect(value).toEqual({ deep: { deeper: 1 } });
  });

  it('names the failing operation and undoes the earlier ones', () => {
    const value = { a: [1] };
    expect(refused(value, { op: 'remove', path: '/a/0' }, { op: 'test', path: '/a', value: [1] })).toEqual({
      path: '/content/diff/1',
      reason: 'the test fails: there is another value at "/a"',
    });
    expect(value).toEqual({ a: [1] });
  });

  it('tests by deep equality, regardless of key order', () => {
    const value = { a: { x: [1, { y: null }], z: 0 } };
    expect(patched(value, test({ z: -0, x: [1, { y: null }] }))).toEqual(value);
    for (const other of [
      { x: [1, { y: null }] },
      { z: 0, x: [1, { y: 0 }] },
      { z: 0, x: { 0: 1, 1: { y: null } } },
    ])
      expect(refused(value, test(other)).path).toBe('/content/diff/0');
  });
});

describe('A JSON Patch is limited', () => {
  it('in what it copies into itself', () => {
    const copies = Array.from({ length: 40 }, (_, at) => ({ op: 'copy', from: '', path: `/a${at}` }));
    const doubling = refused({}, ...copies);
    expect(doubling.path).toMatch(/^\/content\/diff\/\d+$/);
    expect(
      refused(['x'.repeat(1000)], ...many(10_000, { op: 'copy', from: '', path: '/-' })).reason,
    ).toContain('too m');
  });

  it.each([[numbers(1).concat(numbers(2), numbers(3))], ['x'.repeat(600_000)]])(
    'in what it copies in total, even if it removes the copies',
    (copied) => {
      const once = [
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'remove', path: '/b' },
      ];
      expect(patched({ a: copied }, ...once)).toEqual({ a: copied });
      expect(refused({ a: copied }, ...once, ...once).path).toBe('/content/diff/2');
    },
  );

  it('in time: ten thousand operations on large arrays, and a test of two different ones', () => {
    const front = many(10_000, { op: 'add', path: '/0', value: 0 });
    expect(patched(numbers(1), ...front)).toHaveLength(30_000);
    expect(refused(numbers(1), { op: 'test', path: '', value: numbers(-1) }).path).toBe('/content/diff/0');
    const late = many(10_000, { op: 'test', path: '/0', value: 1 });
    expect(patched(numbers(1), ...late)).toHaveLength(20_000);
  });

  it('in depth, whatever its pointers', () => {
    const digging = Array.from({ length: 700 }, (_, at) => ({
      op: 'add',
      path: '/a'.repeat(at + 1),
      value: {},
    }));
    expect(refused({}, ...digging).reason).toContain('nested too deeply');
    expect(refused({}, { op: 'remove', path: '/a'.repeat(500_000) }).reason.length).toBeLessThan(400);
  });
});
