import { createHash } from 'node:crypto';
import { keyOf, type Call } from './suite.ts';

/** Who answers the questions. */
export const people = ['attentive', 'errs 5 %', 'errs 20 %', 'approves all'] as const;
export type Person = (typeof people)[number];

/** The seed of every random choice. */
export const seed = 20_261_126;

/** Returns a number from 0 to 1 that depends on the seed and the names alone. */
export const chance = (...names: readonly (string | number)[]): number =>
  createHash('sha256')
    .update(JSON.stringify([seed, ...names]))
    .digest()
    .readUInt32BE(0) /
  2 ** 32;

const errorRate = { attentive: 0, 'errs 5 %': 0.05, 'errs 20 %': 0.2 } as const;

/** Answers whether a call may be made; the same question of the same run always gets the same answer. */
export type Answerer = (call: Call, isEarly: boolean) => boolean;

/** Returns a person who knows what the user wants, and errs now and then; or who does not look. */
export const answererFor = (person: Person, user: readonly Call[], run: string): Answerer => {
  const wanted = new Set(user.map(keyOf));
  let asked = 0;
  return (call, isEarly) => {
    if (person === 'approves all') return true;
    const isRight = wanted.has(keyOf(call)) && !isEarly;
    asked += 1;
    return chance(person, run, asked) < errorRate[person] ? !isRight : isRight;
  };
};
