import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Life } from './child.ts';
import type { Line } from './fate.ts';
import type { Program } from './program.ts';
import { patience } from '../../waits.ts';

/** How a life went: what the process said, and whether it was killed. */
export interface Lived {
  readonly lines: readonly Line[];
  readonly wasKilled: boolean;
  /** Milliseconds from the moment that it was ready. */
  readonly took: number;
}

/** A process that is begun, and may be killed. */
export class Victim {
  readonly lines: Line[] = [];
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown[]>;
  readonly #said: Promise<unknown>;
  readonly #errors: Promise<string>;
  #readyAt = 0;

  /** `killedAfter` is when it is killed from here: milliseconds from the moment that it is ready. */
  constructor(program: Program, life: Life, killedAfter: number | null) {
    const env = { PATH: process.env['PATH'] };
    const child = spawn(process.execPath, [program.path, JSON.stringify(life)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    this.#child = child;
    this.#exit = once(child, 'exit');
    this.#errors = text(child.stderr);
    const reader = createInterface(child.stdout);
    this.#said = once(reader, 'close');
    reader.on('line', (line) => {
      const message = JSON.parse(line) as Line;
      this.lines.push(message);
      if (message.says !== 'ready') return;
      this.#readyAt = performance.now();
      if (killedAfter !== null) setTimeout(() => void this.kill(), killedAfter);
    });
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  /** Waits for its end; throws where that is neither a kill nor the end of the workflow. */
  async lived(): Promise<Lived> {
    let isLate = false;
    const alarm = setTimeout(() => {
      isLate = true;
      void this.kill();
    }, patience);
    const [code, signal] = (await this.#exit) as [number | null, NodeJS.Signals | null];
    const took = performance.now() - this.#readyAt;
    clearTimeout(alarm);
    await this.#said;
    const wasKilled = signal === 'SIGKILL';
    const hasEnded = this.lines.at(-1)?.says === 'ended';
    if (isLate || (!wasKilled && (code !== 0 || !hasEnded)))
      throw new Error(`a process ${isLate ? 'hangs' : `ends with ${code}`}: ${await this.#errors}`);
    return { lines: this.lines, wasKilled, took };
  }
}
