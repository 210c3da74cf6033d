import { describe, expect, it } from 'vitest';
import { eventStream } from '../../../../src/optional/server/events.ts';
import { createLink } from '../../../../src/optional/server/link.ts';
import { settle } from '../../core/shell/simulated-clock.ts';

const counted = (most: number, gone?: AbortSignal) => {
  const given: number[] = [];
  const ended: string[] = [];
  const frames = (async function* () {
    try {
      for (let n = 0; n < most; n += 1) {
        given.push(n);
        yield `data: ${n}\n\n`;
      }
      await new Promise((_, reject) => gone?.addEventListener('abort', () => reject(gone.reason as Error)));
    } finally {
      ended.push('ended');
    }
  })();
  return { given, ended, frames };
};

const linked = (signal = new AbortController().signal) => {
  const over: string[] = [];
  const link = createLink(new Request('http://here/', { signal }), {}, () => over.push('over'));
  return { link, over };
};

const readerOf = (response: Response) => {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const next = async (): Promise<string | undefined> => {
    const { done, value } = await reader.read();
    return done ? undefined : decoder.decode(value);
  };
  return { next, leave: () => reader.cancel() };
};

describe('events', () => {
  it('are produced no faster than they are read', async () => {
    const { link, over } = linked();
    const { given, frames } = counted(3);
    const source = (async function* () {
      for (let n = 0; n < 3; n += 1) yield (await frames.next()).value as string;
    })();
    const { next } = readerOf(eventStream(source, link, () => {}));
    await settle();
    expect(given).toEqual([]);
    for (const n of [0, 1, 2]) {
      expect(await next()).toBe(`data: ${n}\n\n`);
      await settle();
      expect(given).toHaveLength(n + 1);
    }
    expect([await next(), over, link.gone.aborted]).toEqual([undefined, ['over'], false]);
  });

  it('end without an error when the reader leaves, even while it waits', async () => {
    const errors: unknown[] = [];
    const { link, over } = linked();
    const { frames, ended } = counted(1, link.gone);
    const { next, leave } = readerOf(eventStream(frames, link, (error) => errors.push(error)));
    await next();
    const waiting = next();
    await settle();
    await leave();
    await settle();
    expect([await waiting, link.gone.aborted, ended, over.length > 0, errors]).toEqual([
      undefined,
      true,
      ['ended'],
      true,
      [],
    ]);
  });

  it('end with their request', async () => {
    const request = new AbortController();
    const errors: unknown[] = [];
    const { link } = linked(request.signal);
    const { frames, ended } = counted(100, link.gone);
    const { next } = readerOf(eventStream(frames, link, (error) => errors.push(error)));
    await next();
    request.abort();
    await expect(next()).rejects.toThrow('was cut');
    await settle();
    expect([ended, errors]).toEqual([['ended'], []]);
  });

  it('that throw end the response, and the host receives the error', async () => {
    const errors: unknown[] = [];
    const { link } = linked();
    const broken = (async function* () {
      yield 'data: 1\n\n';
      throw new Error('down: secret');
    })();
    const { next } = readerOf(eventStream(broken, link, (error) => errors.push(error)));
    await next();
    await expect(next()).rejects.toThrow('was cut');
    expect(errors).toMatchObject([{ message: 'down: secret' }]);
  });
});
