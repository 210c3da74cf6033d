import type { Clock } from '../../base/ports/clock.ts';
import type { Choices } from './choices.ts';

/** What an environment returns that never answers. */
export const unanswered = Symbol('unanswered');

/** Something that a process asked for, and that has not happened yet. */
interface Asked {
  readonly by: Life;
  readonly answer: () => Promise<void>;
  /** What may have happened of it when the process dies. */
  readonly tear: (() => Promise<void>) | undefined;
}

interface Alarm {
  readonly by: Life;
  readonly at: number;
  readonly wake: () => void;
}

/** What the processes ask of their environment, and when they are to be woken: all that may happen next. */
export class Schedule {
  /** The time, in milliseconds since 1970. */
  now: number;
  #asked: Asked[] = [];
  #alarms: Alarm[] = [];

  constructor(now: number) {
    this.now = now;
  }

  /** Whether nothing is asked for. */
  get isQuiet(): boolean {
    return this.#asked.length === 0;
  }

  /** Whether a process is to be woken. */
  get isAwaited(): boolean {
    return this.#alarms.length > 0;
  }

  ask(asked: Asked): void {
    this.#asked.push(asked);
  }

  set(alarm: Alarm): () => void {
    this.#alarms.push(alarm);
    return () => void (this.#alarms = this.#alarms.filter((other) => other !== alarm));
  }

  /** Answers one of the things that were asked for. */
  async answerOne(choices: Choices): Promise<void> {
    const [first, ...others] = this.#asked;
    if (first === undefined) return;
    const one = choices.of([first, ...others]);
    this.#asked = this.#asked.filter((other) => other !== one);
    await one.answer();
  }

  /** Lets time pass until the next alarm. */
  wake(): void {
    const next = this.#alarms.reduce<Alarm | undefined>(
      (first, alarm) => (first === undefined || alarm.at < first.at ? alarm : first),
      undefined,
    );
    if (next === undefined) return;
    this.#alarms = this.#alarms.filter((other) => other !== next);
    this.now = Math.max(this.now, next.at);
    next.wake();
  }

  /** Forgets a process; each thing that it asked for has happened, or has not. */
  async end(life: Life, choices: Choices): Promise<void> {
    const left = this.#asked.filter(({ by }) => by === life);
    this.#asked = this.#asked.filter(({ by }) => by !== life);
    this.#alarms = this.#alarms.filter(({ by }) => by !== life);
    for (const { tear } of left) if (tear !== undefined && choices.isRare(500)) await tear();
  }
}

/** One life of a process. A dead one is never answered. */
export class Life {
  readonly clock: Clock;
  readonly #schedule: Schedule;
  #isDead = false;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.clock = {
      now: () => schedule.now,
      wakeAt: (at, wake) => (this.#isDead ? () => {} : schedule.set({ by: this, at, wake })),
    };
  }

  /** Asks for something, which happens once it is its turn. */
  ask<Result>(work: () => Promise<Result | typeof unanswered>, tear?: () => Promise<void>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#isDead) return;
      const answer = async (): Promise<void> => {
        try {
          const result = await work();
          if (result !== unanswered) resolve(result);
        } catch (error) {
          reject(error);
        }
      };
      this.#schedule.ask({ by: this, answer, tear });
    });
  }

  /** Returns a callback that answers once it is its turn. */
  asked<Asked extends readonly unknown[], Result>(work: (...asked: Asked) => Result | Promise<Result>) {
    return (...given: Asked): Promise<Result> => this.ask(async () => work(...given));
  }

  /** Waits so many milliseconds. */
  wait(milliseconds: number): Promise<void> {
    const { now, wakeAt } = this.clock;
    return new Promise((resolve) => void wakeAt(now() + milliseconds, resolve));
  }

  /** Dies; each thing that was asked for has happened, or has not. */
  async die(choices: Choices): Promise<void> {
    this.#isDead = true;
    await this.#schedule.end(this, choices);
  }
}
