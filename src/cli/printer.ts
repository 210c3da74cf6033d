import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { oneLine, visibleJson } from '../boundary/foreign-text.ts';

/** Where a command writes; a terminal says so. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
}

type Tone = 'good' | 'bad' | 'faint';

/** A text with a colour, where colours are shown. */
export interface Toned {
  readonly tone: Tone;
  readonly text: string;
}

const sequences: Record<Tone, string> = { good: '\u001b[32m', bad: '\u001b[31m', faint: '\u001b[2m' };
const plain = '\u001b[0m';

const toned = (tone: Tone) => (text: string) => ({ tone, text });
export const good = toned('good');
export const bad = toned('bad');
export const faint = toned('faint');

/** Prints lines: nothing in them can steer a terminal. Whoever stops reading is not written to any more. */
export class Printer {
  readonly #stream: Output;
  readonly #isColoured: boolean;
  #isClosed = false;
  #failure: Error | null = null;

  constructor(stream: Output, isColoured: boolean) {
    this.#stream = stream;
    this.#isColoured = isColoured && stream.isTTY === true;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#isClosed = true;
      if (error.code !== 'EPIPE') this.#failure ??= error;
    });
  }

  /** Whether nobody reads on: what goes on for the sake of its output may end. */
  get isClosed(): boolean {
    return this.#isClosed || this.#stream.destroyed;
  }

  /** Why not everything was written, where that is not the reader's own doing. */
  get failure(): Error | null {
    return this.#failure;
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  async line(...parts: readonly (string | Toned)[]): Promise<void> {
    await this.raw(`${parts.map((part) => this.#painted(part)).join('')}\n`);
  }

  /** Lines of a text that has several. */
  async lines(text: string): Promise<void> {
    for (const line of text.replace(/\n$/, '').split('\n')) await this.line(line);
  }

  /** A document of text: as it is where a program reads it, in lines on a terminal. */
  async document(text: string): Promise<void> {
    await (this.isTerminal ? this.lines(text) : this.raw(text));
  }

  async json(value: unknown): Promise<void> {
    await this.raw(`${visibleJson(value)}\n`);
  }

  /** As it is: what no terminal is shown. */
  async raw(text: string | Uint8Array): Promise<void> {
    if (this.isClosed || this.#stream.write(text)) return;
    const freed = new AbortController();
    const { signal } = freed;
    try {
      await Promise.race([once(this.#stream, 'drain', { signal }), once(this.#stream, 'close', { signal })]);
    } catch {
      // its own listener knows why
    } finally {
      freed.abort();
    }
  }

  #painted(part: string | Toned): string {
    if (typeof part === 'string') return oneLine(part);
    const text = oneLine(part.text);
    return this.#isColoured ? `${sequences[part.tone]}${text}${plain}` : text;
  }
}
