import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { begin } from './reply.ts';

/** Milliseconds between two signs of life, so that nobody on the way takes the silence for an end. */
const heartbeat = 15_000;

/**
 * Sends events as server-sent events, each as JSON, as fast as they are read: a slow reader gets fewer, and nothing is
 * buffered for it. `gone` aborts when the reader disconnects.
 */
export const sendEvents = async (
  response: ServerResponse,
  events: AsyncIterable<object>,
  gone: AbortSignal,
): Promise<void> => {
  begin(response, 200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  const beat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': here\n\n');
  }, heartbeat).unref();
  try {
    for await (const event of events) {
      if (!response.write(`data: ${JSON.stringify(event)}\n\n`))
        await once(response, 'drain', { signal: gone });
    }
    response.end();
  } finally {
    clearInterval(beat);
  }
};
