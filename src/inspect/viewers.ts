import type { ServerResponse } from 'node:http';

/** Bytes that may wait for a viewer that does not read; then it is let go, comes back, and is shown how everything stands. */
const backlog = 64 * 1024 * 1024;

/** Pages that are open: each is told by Server-Sent Events, one JSON text an event. */
export class Viewers {
  readonly #open = new Set<ServerResponse>();

  get size(): number {
    return this.#open.size;
  }

  admit(response: ServerResponse, greeting: readonly string[]): void {
    response.on('close', () => this.#open.delete(response)).on('error', () => this.#open.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`retry: 1000\n\n${greeting.map(framed).join('')}`);
    this.#open.add(response);
  }

  /** Sends a text to every viewer. Without viewers, the text is not computed. */
  notify(text: () => string): void {
    if (this.#open.size === 0) return;
    const message = framed(text());
    for (const response of this.#open) {
      if (response.writableLength > backlog) response.destroy();
      else response.write(message);
    }
  }

  end(text: string): void {
    for (const response of this.#open) response.end(framed(text));
    this.#open.clear();
  }
}

const framed = (text: string): string => `data: ${text}\n\n`;
