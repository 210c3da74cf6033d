import type { Clock } from '../../base/ports/clock.ts';
import type { Choices } from './choices.ts';

/** What an environment returns that never answers. */
export const unanswered = Symbol('unanswered');

/** Something that a process asked for, and that has not happened yet. */
interface Asked {
  readonly name: string;
  readonly answer: () => Promise<void>;
  /** What may have happened of it when the process dies. */
  readonly tear: (() => Promise<void>) | undefined;
}

interface Alarm {
  readonly at: number;
  readonly wake: () => void;
}

/** One life of a process: what it asked of its environment, and when it is to be woken. A dead one is never answered. */
export class Life {
  readonly clock: Clock;
  #asked: Asked[] = [];
  #alarms = new Set<Alarm>();
  #isDead = false;

  constructor(now: () => number) {
    this.clock = {
      now,
      wakeAt: (at, wake) => {
        const alarm = { at, wake };
        if (!this.#isDead) this.#alarms.add(alarm);
        return () => void this.#alarms.delete(alarm);
      },
    };
  }

  /** Whether nothing is asked for. */
  get isQuiet(): boolean {
    return this.#asked.length === 0;
  }

  /** When it is woken next; `undefined` for never. */
  get next(): number | undefined {
    return this.#alarms.size === 0 ? undefined : Math.min(...[...this.#alarms].map(({ at }) => at));
  }

  /** Asks for something, which happens once it is its turn. */
  ask<Result>(
    name: string,
    work: () => Promise<Result | typeof unanswered>,
    tear?: () => Promise<void>,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#isDead) return;
      const answer = async (): Promise<void> => {
        try {
          const result = await work();
          if (result !== unanswered) resolve(result);
        } catch (error) {
          reject(error as Error); // as it was thrown
        }
      };
      this.#asked.push({ name, answer, tear });
    });
  }

  /** Answers one of the things that were asked for; returns its name. */
  async answerOne(choices: Choices): Promise<string> {
    const [first, ...others] = this.#asked;
    if (first === undefined) throw new Error('nothing was asked for');
    const one = choices.of([first, ...others]);
    this.#asked = this.#asked.filter((other) => other !== one);
    await one.answer();
    return one.name;
  }

  /** Wakes it by the alarm that is next. */
  wake(): void {
    const { next } = this;
    const alarm = [...this.#alarms].find(({ at }) => at === next);
    if (alarm === undefined) return;
    this.#alarms.delete(alarm);
    alarm.wake();
  }

  /** Dies; each thing that was asked for has happened, or has not. */
  async die(choices: Choices): Promise<void> {
    this.#isDead = true;
    this.#alarms = new Set();
    const asked = this.#asked;
    this.#asked = [];
    for (const { tear } of asked) if (tear !== undefined && choices.isRare(500)) await tear();
  }
}
