import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openAiCompatible } from 'agentcharter/adapters/openai-compatible';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src/index.ts';
import { plan } from '../../core/shell/scripted.ts';
import { given, key, openEndpoint, raw, completion, thrownBy, turnOf } from './endpoint.ts';

const start = Date.parse('2026-11-21T05:00:00Z');

/** A clock that goes on to each wake-up at once, and remembers how long it was asked to wait. */
const impatient = () => {
  const waited: number[] = [];
  let now = start;
  const clock: Clock = {
    now: () => now,
    wakeAt: (at, wake) => {
      waited.push(at - now);
      now = at;
      queueMicrotask(wake);
      return () => {};
    },
  };
  return { clock, waited };
};

const busy = (status: number, retryAfter?: string) =>
  raw(status, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter });

describe('A refusing endpoint', () => {
  it.each([
    [
      401,
      '{"error":{"message":"Incorrect API key: sk-…","code":"invalid_api_key"}}',
      '401 (invalid_api_key)',
    ],
    [
      404,
      '{"error":{"message":"no such model","type":"not_found_error","code":null}}',
      '404 (not_found_error)',
    ],
    [400, '{"error":{"code":"the prompt said: Lisbon"}}', '400'],
    [400, `{"error":{"code":"bad_${key.replaceAll('-', '_')}"}}`, '400'],
    [403, '<html>', '403'],
  ])('is reported by its status and code only: %i %s', async (status, body, told) => {
    const { url, host, received } = await openEndpoint(raw(status, body));
    const model = openAiCompatible({ url, key: key.replaceAll('-', '_'), model: 'small' });
    const { message } = await thrownBy(model.answer(turnOf(), given()));
    expect(message).toBe(`the model at ${host} answered ${told}`);
    expect(received).toHaveLength(1);
  });

  it('is not followed to another address', async () => {
    const elsewhere = await openEndpoint(completion(plan()));
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `${elsewhere.url}/chat/completions`;
      const { url } = await openEndpoint(raw(status, '', { location }));
      const model = openAiCompatible({ url, key, model: 'small' });
      expect((await thrownBy(model.answer(turnOf(), given()))).message).toMatch(`answered ${status}`);
    }
    expect(elsewhere.received).toEqual([]);
  });

  it('that is unreachable is reported with the error code', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const model = openAiCompatible({ url: `http://127.0.0.1:${port}`, key, model: 'small' });
    const { message } = await thrownBy(model.answer(turnOf(), given()));
    expect(message).toBe(`the model at 127.0.0.1:${port} cannot be reached: ECONNREFUSED`);
  });
});

describe('A busy endpoint', () => {
  it.each([408, 429, 500, 502, 503, 529])('with %i is asked again after 1 and 2 seconds', async (status) => {
    const { url, received } = await openEndpoint(busy(status), busy(status), completion(plan()));
    const { clock, waited } = impatient();
    const model = openAiCompatible({ url, model: 'small', clock });
    expect(await model.answer(turnOf(), given())).toEqual(plan());
    expect(waited).toEqual([1_000, 2_000]);
    expect(new Set(received.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('is asked at most as often as configured', async () => {
    const { url, received } = await openEndpoint(busy(503));
    for (const retries of [0, 3]) {
      const { clock } = impatient();
      const model = openAiCompatible({ url, model: 'small', retries, clock });
      expect((await thrownBy(model.answer(turnOf(), given()))).message).toMatch('answered 503');
    }
    expect(received).toHaveLength(1 + 4);
  });

  it.each([
    ['7', 7_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 05:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 04:00:00 GMT', 0],
    ['soon', 1_000],
  ])('with Retry-After: %s is asked again then', async (retryAfter, delay) => {
    const { url } = await openEndpoint(busy(429, retryAfter), completion(plan()));
    const { clock, waited } = impatient();
    await openAiCompatible({ url, model: 'small', clock }).answer(turnOf(), given());
    expect(waited).toEqual([delay]);
  });

  it.each(['61', '9'.repeat(400)])('with a delay over a minute is not retried: %s', async (retryAfter) => {
    const { url, received } = await openEndpoint(busy(429, retryAfter));
    const model = openAiCompatible({ url, model: 'small' });
    expect((await thrownBy(model.answer(turnOf(), given()))).message).toMatch('answered 429');
    expect(received).toHaveLength(1);
  });

  it('is left alone after an abort: its pause ends, and no further attempt begins', async () => {
    const leave = new AbortController();
    const { url, received } = await openEndpoint(busy(429, '30'));
    let isCancelled = false;
    const clock: Clock = {
      now: () => start,
      wakeAt: () => {
        queueMicrotask(() => leave.abort(new Error('cancelled')));
        return () => (isCancelled = true);
      },
    };
    const model = openAiCompatible({ url, model: 'small', clock });
    const { message } = await thrownBy(model.answer(turnOf(), given({ signal: leave.signal })));
    expect([message, isCancelled, received.length]).toEqual(['cancelled', true, 1]);
  });
});

describe('The answer of an endpoint', () => {
  it('over 1 MiB is aborted before it is complete', async () => {
    const kibibytes64 = ' '.repeat(65_536);
    let isCut = false;
    let written = 0;
    const { url } = await openEndpoint((response) => {
      response.on('close', () => (isCut = !response.writableFinished));
      response.writeHead(200);
      const more = (): void => {
        do written += kibibytes64.length;
        while (!response.destroyed && response.write(kibibytes64));
      };
      response.on('drain', more);
      more();
    });
    const model = openAiCompatible({ url, model: 'small' });
    const error = await thrownBy(model.answer(turnOf(), given()));
    expect(error).toMatchObject({ code: 'input_unreadable', message: expect.stringContaining('too large') });
    await expect.poll(() => isCut).toBe(true);
    expect(written).toBeLessThan(2 ** 26); // what the sockets hold comes on top
  });

  it('that breaks off is an error', async () => {
    const { url, host } = await openEndpoint((response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"choices": [', () => response.destroy());
    });
    const model = openAiCompatible({ url, key, model: 'small' });
    const { message } = await thrownBy(model.answer(turnOf(), given()));
    expect(message).toMatch(new RegExp(`^the model at ${host} broke off its answer(: \\w+)?$`));
  });

  it.each([
    ['before it begins', false],
    ['after it began', true],
  ])('that never comes is aborted by its signal, %s', async (_, isBegun) => {
    const leave = new AbortController();
    let isClosed = false;
    const { url } = await openEndpoint((response) => {
      response.on('close', () => (isClosed = true));
      if (isBegun) response.writeHead(200).write('{');
      setImmediate(() => leave.abort(new Error('cancelled')));
    });
    const model = openAiCompatible({ url, model: 'small' });
    const error = await thrownBy(model.answer(turnOf(), given({ signal: leave.signal })));
    expect(error.message).toBe('cancelled');
    await expect.poll(() => isClosed).toBe(true);
  });

  it('that never comes is aborted even if fetch ignores the signal', async () => {
    const leave = new AbortController();
    const never: typeof fetch = () => new Promise(() => leave.abort(new Error('cancelled')));
    const model = openAiCompatible({ url: 'http://127.0.0.1:1', model: 'small', fetch: never });
    const error = await thrownBy(model.answer(turnOf(), given({ signal: leave.signal })));
    expect(error.message).toBe('cancelled');
  });
});
