import { dutiesOf, type DeadlineOf, type Fact } from 'agentcharter/machines';
import type { TaskSnapshot } from './eager.ts';

const second = 1_000;
const never = 10_000_000 * second;

interface Wake {
  readonly of: DeadlineOf;
  readonly id: string;
}

const keyOf = ({ of, id }: Wake): string => `${of} ${id}`;

/**
 * The times along a path: each step has its own second, and a deadline passes at the second of the step that records
 * its passing, or never.
 */
export class Timetable {
  readonly #facts: readonly Fact[];
  readonly #start: number;
  #at = 0;
  #running: ReadonlySet<string> = new Set();
  #begun: readonly Wake[] = [];

  constructor(facts: readonly Fact[], start: number) {
    this.#facts = facts;
    this.#start = start;
  }

  /** Returns the time of the fact with this number (milliseconds since 1970). */
  timeOf(at: number): number {
    return this.#start + (at + 1) * second;
  }

  /** Records that so many facts have led here: some deadlines begin, and some end. */
  reached(at: number, snapshot: TaskSnapshot): void {
    const wakes = dutiesOf(snapshot).flatMap((duty): readonly Wake[] => (duty.kind === 'wake' ? [duty] : []));
    this.#at = at;
    this.#begun = wakes.filter((wake) => !this.#running.has(keyOf(wake)));
    this.#running = new Set(wakes.map(keyOf));
  }

  /** Returns when a deadline that begins now passes. */
  endOf(of: DeadlineOf, id: string): number {
    const at = this.#facts.findIndex(
      (fact, at) => at >= this.#at && fact.type === 'deadline.passed' && fact.of === of && fact.id === id,
    );
    return at === -1 ? this.timeOf(this.#at) + never : this.timeOf(at);
  }

  /** Returns the length of the next deadline of this kind, in milliseconds from `now`; call it once for each. */
  lengthOf(of: DeadlineOf, now: number): number {
    const next = this.#begun.find((wake) => wake.of === of);
    if (next === undefined) return never;
    if (of !== 'evidence') this.#begun = this.#begun.filter((wake) => wake !== next); // evidence comes one at a time
    return this.endOf(of, next.id) - now;
  }
}
