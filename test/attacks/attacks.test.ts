import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../docs/reference/gates.ts';
import { later } from './attack.ts';
import { attacks } from './index.ts';

const prototypes = (): unknown =>
  [Object.prototype, Array.prototype, Function.prototype].map((prototype) => Reflect.ownKeys(prototype));

const untouched = prototypes();
const escaped: unknown[] = [];
const note = (error: unknown): void => void escaped.push(error);

beforeAll(() => {
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
});
afterAll(() => {
  process.off('uncaughtException', note);
  process.off('unhandledRejection', note);
});

const every = Object.entries(attacks).flatMap(([file, some]) => some.map((one) => ({ file, ...one })));

describe.each(Object.entries(attacks))('%s', (_, some) => {
  for (const { number, attempt, expected, run } of some) {
    test(`${number}: ${attempt}`, async () => {
      expect(await run()).toBe(expected);
      expect(prototypes()).toEqual(untouched);
      expect(escaped).toEqual([]);
    });
  }
});

test('every row of the threat model has an attack', () => {
  const numbers = new Set(every.map(({ number }) => number));
  const wanted = Object.keys(rows).map(Number);
  expect(wanted.length).toBeGreaterThan(36);
  expect(later).toEqual({});
  expect([...numbers].toSorted((one, other) => one - other)).toEqual(wanted);
});

test('every attack has a unique name', () => {
  const names = every.map(({ number, attempt }) => `${number}: ${attempt}`);
  expect(new Set(names).size).toBe(names.length);
});
