import type { Link } from './link.ts';

/** Milliseconds between heartbeats, so that proxies do not close an idle connection. */
const heartbeat = 15_000;

/** The media type of server-sent events. */
export const eventType = 'text/event-stream';

const utf8 = new TextEncoder();

/** Returns a server-sent event. Its data is text without line breaks, such as JSON. */
export const eventOf = (
  data: string,
  { id, event }: { readonly id?: string; readonly event?: string } = {},
): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`;

/** Waits up to `ms` milliseconds for a value, then returns `undefined`. Does not keep the process alive. */
export const within = async <Value>(
  milliseconds: number,
  value: Promise<Value>,
): Promise<Value | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
    if (typeof timer === 'object') timer.unref(); // a number outside Node
  });
  try {
    return await Promise.race([value, silence]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Answers with server-sent events. Each is made when the reader asks for it: nothing is buffered.
 *
 * Stops when the reader disconnects. If the events throw, `onError` gets the error and the connection is cut.
 */
export const eventStream = (
  frames: AsyncIterable<string>,
  link: Link,
  onError: (error: unknown) => void,
): Response => {
  const events = frames[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<string>> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const lose = (): void => {
          if (!link.cut()) controller.error(new Error('the event stream was cut'));
          next?.catch(() => {}); // no one reads it
          events.return?.().catch(() => {});
        };
        if (link.gone.aborted) lose();
        else link.gone.addEventListener('abort', lose, { once: true });
      },
      pull: async (controller) => {
        try {
          next ??= events.next();
          const frame = await within(heartbeat, next);
          if (frame === undefined) return controller.enqueue(utf8.encode(': here\n\n'));
          next = undefined;
          if (frame.done !== true) return controller.enqueue(utf8.encode(frame.value));
          controller.close();
          link.end();
        } catch (error) {
          if (!link.gone.aborted) onError(error);
          link.abort();
        }
      },
      cancel: () => link.abort(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': eventType } });
};
