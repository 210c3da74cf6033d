import type { Spelling } from './spelling.ts';

/** The most characters that are compared for one call, or for one document: a tenth of a second. */
const mostCharacters = 20_000_000;

/** The cost of a comparison besides its characters. */
const perPair = 64;

/**
 * What comparing may still cost. Once it is used up, nothing more is looked at, and what is not looked at has the label
 * that nothing accepts: a call of many values cannot keep a process longer than its lease.
 */
export class Effort {
  #left = mostCharacters;

  /** Returns whether texts of this length may be compared, and counts them. */
  allows(characters: number): boolean {
    this.#left -= characters + perPair;
    return this.#left >= 0;
  }

  /** Returns whether two texts may be compared, and counts them. */
  allowsPair(one: Spelling, other: Spelling): boolean {
    return this.allows(one.plain.length + other.plain.length);
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}
