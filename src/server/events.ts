import type { Link } from './link.ts';

/** Milliseconds between two signs of life, so that nothing on the way takes the silence for an end. */
const heartbeat = 15_000;

/** The media type of server-sent events. */
export const eventType = 'text/event-stream';

const utf8 = new TextEncoder();

/** A server-sent event; its data is text without line breaks, such as JSON. */
export const eventOf = (
  data: string,
  { id, event }: { readonly id?: string; readonly event?: string } = {},
): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`;

/** Waits so many milliseconds for a value; `undefined` after that. No process stays for it. */
export const within = async <Value>(
  milliseconds: number,
  value: Promise<Value>,
): Promise<Value | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
    if (typeof timer === 'object') timer.unref(); // elsewhere than in Node it is a number
  });
  try {
    return await Promise.race([value, silence]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Answers with server-sent events, as fast as they are read: a slow reader gets them later, and nothing is buffered.
 *
 * Ends with its reader. If the events break off, `onError` gets the error and the connection is cut.
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
          if (!link.cut()) controller.error(new Error('the events were given up'));
          next?.catch(() => {}); // no one reads it any more
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
