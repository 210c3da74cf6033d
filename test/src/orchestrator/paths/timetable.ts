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
 * How long everything may take on the way along a path: each step has its second, and a deadline that begins to run
 * passes at that of the step that tells of its passing, or not at all.
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

  /** When the fact of this number happens (milliseconds since 1970). */
  timeOf(at: number): number {
    return this.#start + (at + 1) * second;
  }

  /** So many facts have happened, and led here: some deadlines begin to run, and some run no more. */
  reached(at: number, snapshot: TaskSnapshot): void {
    const wakes = dutiesOf(snapshot).flatMap((duty): readonly Wake[] => (duty.kind === 'wake' ? [duty] : []));
    this.#at = at;
    this.#begun = wakes.filter((wake) => !this.#running.has(keyOf(wake)));
    this.#running = new Set(wakes.map(keyOf));
  }

  /** When a deadline passes that begins to run now. */
  endOf(of: DeadlineOf, id: string): number {
    const at = this.#facts.findIndex(
      (fact, at) => at >= this.#at && fact.type === 'deadline.passed' && fact.of === of && fact.id === id,
    );
    return at === -1 ? this.timeOf(this.#at) + never : this.timeOf(at);
  }

  /** Milliseconds from `now` on, for the next deadline of this kind that begins to run: asked once for each of them. */
  lengthOf(of: DeadlineOf, now: number): number {
    const next = this.#begun.find((wake) => wake.of === of);
    if (next === undefined) return never;
    if (of !== 'evidence') this.#begun = this.#begun.filter((wake) => wake !== next); // evidence comes singly
    return this.endOf(of, next.id) - now;
  }
}
