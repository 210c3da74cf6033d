import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sendEvents } from '../../../../src/adapters/http/events.ts';
import { settle } from '../../orchestrator/simulated-clock.ts';

/** An answer whose reader takes one event at a time. */
const slow = () => {
  const written: string[] = [];
  const response = Object.assign(new EventEmitter(), {
    writableNeedDrain: true,
    writeHead: () => {},
    flushHeaders: () => {},
    end: () => written.push('end'),
    write: (text: string) => {
      written.push(text);
      return false;
    },
  });
  return { written, response, asResponse: response as unknown as ServerResponse };
};

const counted = (most: number) => {
  const given: number[] = [];
  const events = (async function* () {
    for (let n = 0; n < most; n += 1) {
      given.push(n);
      yield { n };
    }
  })();
  return { given, events };
};

describe('events', () => {
  it('are made no faster than they are read', async () => {
    const { written, response, asResponse } = slow();
    const { given, events } = counted(3);
    const telling = sendEvents(asResponse, events, new AbortController().signal);
    for (const n of [1, 2, 3]) {
      await settle();
      expect([given.length, written.length]).toEqual([n, n]);
      response.emit('drain');
    }
    await telling;
    expect(written).toEqual(['data: {"n":0}\n\n', 'data: {"n":1}\n\n', 'data: {"n":2}\n\n', 'end']);
  });

  it('end with their reader', async () => {
    const { asResponse } = slow();
    const { given, events } = counted(100);
    const gone = new AbortController();
    const telling = sendEvents(asResponse, events, gone.signal);
    await settle();
    gone.abort();
    await expect(telling).rejects.toThrow('aborted');
    expect(given.length).toBe(1);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});
