import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { oneLine, visibleJson } from '../../base/text/foreign-text.ts';

/** An output stream; `isTTY` marks a terminal, `columns` is its width. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Tone = 'good' | 'bad' | 'faint';

/** Coloured text, if colours are enabled. */
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

/** Prints lines without control characters, and without what `hide` takes out of each text. Stops when the reader closes the stream. */
export class Printer {
  readonly #stream: Output;
  readonly #isColoured: boolean;
  readonly #hide: (text: string) => string;
  #isClosed = false;
  #failure: Error | null = null;

  constructor(stream: Output, isColoured: boolean, hide: (text: string) => string = (text) => text) {
    this.#stream = stream;
    this.#isColoured = isColoured && stream.isTTY === true;
    this.#hide = hide;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#isClosed = true;
      if (error.code !== 'EPIPE') this.#failure ??= error;
    });
  }

  /** Whether the reader closed the stream, so that no more output is needed. */
  get isClosed(): boolean {
    return this.#isClosed || this.#stream.destroyed;
  }

  /** The write error; `null` if there is none or the reader closed the stream. */
  get failure(): Error | null {
    return this.#failure;
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  /** The width of the terminal in characters; 80 for other streams. */
  get columns(): number {
    return this.#stream.columns ?? 80;
  }

  async line(...parts: readonly (string | Toned)[]): Promise<void> {
    await this.raw(`${parts.map((part) => this.#painted(part)).join('')}\n`);
  }

  /** Prints a text of several lines. */
  async lines(text: string): Promise<void> {
    for (const line of text.replace(/\n$/, '').split('\n')) await this.line(line);
  }

  /** Prints a text document: raw into a pipe, as clean lines on a terminal. */
  async document(text: string): Promise<void> {
    await (this.isTerminal ? this.lines(text) : this.raw(text));
  }

  async json(value: unknown): Promise<void> {
    const hide = (_name: string, one: unknown): unknown => (typeof one === 'string' ? this.#hide(one) : one);
    await this.raw(`${visibleJson(JSON.parse(JSON.stringify(value ?? null, hide)))}\n`);
  }

  /** Prints unchanged bytes. Not for terminals. */
  async raw(text: string | Uint8Array): Promise<void> {
    if (this.isClosed || this.#stream.write(text)) return;
    const freed = new AbortController();
    const { signal } = freed;
    try {
      await Promise.race([once(this.#stream, 'drain', { signal }), once(this.#stream, 'close', { signal })]);
    } catch {
      // its own listener handles errors
    } finally {
      freed.abort();
    }
  }

  #painted(part: string | Toned): string {
    if (typeof part === 'string') return oneLine(this.#hide(part));
    const text = oneLine(this.#hide(part.text));
    return this.#isColoured ? `${sequences[part.tone]}${text}${plain}` : text;
  }
}
