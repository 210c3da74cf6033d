/** The maximum length of a run. */
const runLength = 512;

/** Returns the index of the first item that passes a test; all items after it pass too. */
const firstPassing = <Item>(items: readonly Item[], passes: (item: Item) => boolean): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item === undefined || passes(item)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** The direction of a walk: `up` from the first passing item, `down` from the one before it. */
export type Direction = 'up' | 'down';

/** A list that stays sorted. A change moves at most one run of items; a walk begins anywhere. */
export class SortedList<Item> {
  readonly #compare: (one: Item, other: Item) => number;
  /** Sorted runs, none of them empty. */
  readonly #runs: Item[][] = [];

  constructor(compare: (one: Item, other: Item) => number) {
    this.#compare = compare;
  }

  get isEmpty(): boolean {
    return this.#runs.length === 0;
  }

  /** Adds an item that is not in the list. */
  add(item: Item): void {
    const isLater = (other: Item): boolean => this.#compare(other, item) > 0;
    const at = Math.min(this.#runOf(isLater), Math.max(0, this.#runs.length - 1));
    const run = this.#runs[at];
    if (run === undefined) {
      this.#runs.push([item]);
      return;
    }
    run.splice(firstPassing(run, isLater), 0, item);
    if (run.length > runLength)
      this.#runs.splice(at, 1, run.slice(0, runLength / 2), run.slice(runLength / 2));
  }

  /** Removes an item, which must compare as it did when it was added. */
  delete(item: Item): void {
    const isHere = (other: Item): boolean => this.#compare(other, item) >= 0;
    const at = this.#runOf(isHere);
    const run = this.#runs[at];
    const place = run === undefined ? -1 : firstPassing(run, isHere);
    if (run?.[place] !== item) return;
    run.splice(place, 1);
    if (run.length === 0) this.#runs.splice(at, 1);
  }

  /** Walks from the first item that passes a test; all items after it must pass too. */
  *walk(passes: (item: Item) => boolean, direction: Direction = 'up'): Generator<Item, void> {
    const first = this.#runOf(passes);
    const place = firstPassing(this.#runs[first] ?? [], passes);
    if (direction === 'up') {
      yield* this.#runs[first]?.slice(place) ?? [];
      for (let at = first + 1; at < this.#runs.length; at += 1) yield* this.#runs[at] ?? [];
      return;
    }
    yield* (this.#runs[first] ?? []).slice(0, place).toReversed();
    for (let at = first - 1; at >= 0; at -= 1) yield* (this.#runs[at] ?? []).toReversed();
  }

  /** Returns the index of the first run whose last item passes a test. */
  #runOf(passes: (item: Item) => boolean): number {
    return firstPassing(this.#runs, (run) => {
      const last = run.at(-1);
      return last === undefined || passes(last);
    });
  }
}
