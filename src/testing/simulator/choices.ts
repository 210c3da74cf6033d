/** The largest number that decides. */
export const largest = 65_535;

/** Returns one of several, as the seed decides; the first where nothing rare happens. */
export type Choose = <One>(some: readonly [One, ...One[]]) => One;

/** Decides by numbers, in order; by 0 once none is left, so that fewer and smaller numbers are simpler orders. */
export class Choices {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** Returns one of several: the first for 0. */
  readonly of: Choose = (some) => some[this.#next() % some.length] ?? some[0];

  /** Returns whether something rare happens, in so many of a thousand cases. */
  isRare(perThousand: number): boolean {
    return this.#next() > largest * (1 - perThousand / 1_000);
  }

  #next(): number {
    const number = this.#numbers[this.#at] ?? 0;
    this.#at += 1;
    return number;
  }
}
