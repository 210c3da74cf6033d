class Point {
  readonly x = 1;
}

const cycle: Record<string, unknown> = { a: [{}] };
(cycle['a'] as unknown[])[0] = cycle;

const throwingProxy = new Proxy(
  {},
  {
    getPrototypeOf() {
      throw new Error('trap');
    },
  },
);

const revoked = Proxy.revocable([], {});
revoked.revoke();

const sparse = Object.assign([], { 0: 1, 2: 3, length: 3 });

/** Values that are neither hashed nor frozen: a name, the value, and the JSON Pointer of the fault. */
export const refused: readonly (readonly [string, unknown, string])[] = [
  ['NaN', [0, Number.NaN], '/1'],
  ['Infinity', { a: { b: Infinity } }, '/a/b'],
  ['-Infinity', -Infinity, ''],
  ['undefined', undefined, ''],
  ['an undefined member', { a: undefined }, '/a'],
  ['an undefined element', [undefined], '/0'],
  ['a function', { a: () => 1 }, '/a'],
  ['a symbol', { a: Symbol('s') }, '/a'],
  ['a bigint', { a: 1n }, '/a'],
  ['a lone high surrogate', { 'a/b': 'x\ud800' }, '/a~1b'],
  ['a lone low surrogate', ['\udc00x'], '/0'],
  ['surrogates in the wrong order', '\udc00\ud800', ''],
  ['a lone surrogate in a key', { a: { '\ud800': 1 } }, '/a'],
  ['a key __proto__', { a: JSON.parse('{"__proto__": 1}') as unknown }, '/a'],
  ['a sparse array', { a: sparse }, '/a/1'],
  ['a vast sparse array', { b: Object.assign([], { length: 9_999 }) }, '/b/0'],
  ['a cycle', cycle, '/a/0'],
  ['a Date', { at: new Date(0) }, '/at'],
  ['a Map', new Map([['a', 1]]), ''],
  ['a typed array', [new Uint8Array(2)], '/0'],
  ['a boxed number', [Object(1)], '/0'],
  ['an instance of a class', { '~': new Point() }, '/~0'],
  ['an instance of a subclass of Array', [new (class extends Array {})()], '/0'],
  ['an object that inherits from a plain one', Object.create({ a: 1 }), ''],
  ['an array without the prototype of arrays', Object.setPrototypeOf([], null), ''],
  ['an error', new Error('no'), ''],
  ['toJSON', { a: { toJSON: () => 1 } }, '/a/toJSON'],
  ['an inherited toJSON', Object.create({ toJSON: () => 1 }), ''],
  [
    'a getter',
    {
      get a() {
        throw new Error('it was called');
      },
    },
    '/a',
  ],
  ['a getter of an array', Object.defineProperty([1], '0', { get: () => 2 }), '/0'],
  ['a proxy', { a: new Proxy({}, {}) }, '/a'],
  ['a proxy that throws', [throwingProxy], '/0'],
  ['a revoked proxy', [revoked.proxy], '/0'],
];
