import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from 'agentcharter';

/** Where a process may die: `torn` is on the way, a record that was not written or an effect that was not answered. */
export interface Moment {
  readonly what: 'commit' | 'call' | 'rollback' | 'lookup';
  readonly name: string;
  readonly at: 'before' | 'torn' | 'after';
}

export const momentText = ({ what, name, at }: Moment): string => `${at} ${what} ${name}`;

/** What is never answered. */
const never = <Result>(): Promise<Result> => new Promise(() => {});

/** One life of a process: everything that it touches goes through it, and nothing does once it is dead. */
export class Life {
  /** All that it came by. */
  readonly moments: Moment[] = [];
  readonly clock: Clock;
  isDead = false;
  readonly #fatal: number | null;
  readonly #alarms = new Map<() => void, number>();

  /** It dies at the moment of this number. */
  constructor(fatal: number | null, outside: Clock) {
    this.#fatal = fatal;
    this.clock = {
      now: outside.now,
      wakeAt: (at, wake) => {
        const stop = outside.wakeAt(at, () => {
          this.#alarms.delete(stop);
          wake();
        });
        const cancel = (): void => {
          this.#alarms.delete(stop);
          stop();
        };
        if (this.isDead) stop();
        else this.#alarms.set(stop, at);
        return cancel;
      },
    };
  }

  /** When it is woken next. */
  get next(): number | undefined {
    return this.#alarms.size === 0 ? undefined : Math.min(...this.#alarms.values());
  }

  /** The moment that it died at. */
  get death(): Moment | null {
    return this.isDead ? (this.moments.at(-1) ?? null) : null;
  }

  /** Waits, unless it dies. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.clock.wakeAt(this.clock.now() + milliseconds, resolve));
  }

  /** What work comes to while it lives. */
  async alive<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    if (this.isDead) return never();
    const result = await work();
    return this.isDead ? never() : result;
  }

  /** A step that is recorded: `cut` does what is left of one that was on its way. */
  async record<Result>(
    name: string,
    write: () => Promise<Result>,
    cut: () => Promise<void>,
  ): Promise<Result> {
    if (this.isDead || this.#dies({ what: 'commit', name, at: 'before' })) return never();
    if (this.#reaches({ what: 'commit', name, at: 'torn' })) {
      await cut();
      await nextTurn(); // it was not answered yet, and whatever else was under way went on
      return this.#die();
    }
    const answer = await write();
    return this.isDead || this.#dies({ what: 'commit', name, at: 'after' }) ? never() : answer;
  }

  /** An effect, or a look-up: it happens, it is answered, each or not. */
  async touch<Result>(
    what: 'call' | 'rollback' | 'lookup',
    name: string,
    act: () => Result | Promise<Result>,
  ): Promise<Result> {
    if (this.isDead || this.#dies({ what, name, at: 'before' })) return never();
    try {
      return await act();
    } finally {
      // whoever asked may have the answer, and can do nothing with it
      if (this.isDead || this.#dies({ what, name, at: 'torn' })) await never();
      this.#dies({ what, name, at: 'after' });
    }
  }

  #reaches(moment: Moment): boolean {
    if (this.moments.length === (this.#fatal ?? -1) + 1 && this.#fatal !== null) return false; // it is dying
    this.moments.push(moment);
    return this.moments.length - 1 === this.#fatal;
  }

  #dies(moment: Moment): boolean {
    if (this.#reaches(moment)) void this.#die();
    return this.isDead;
  }

  #die<Result>(): Promise<Result> {
    this.isDead = true;
    for (const stop of this.#alarms.keys()) stop();
    this.#alarms.clear();
    return never();
  }
}
