import { connect } from 'node:net';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { routes } from '../../../../src/adapters/http/routes/index.ts';
import { runs } from '../../../machines/generated.ts';
import { settle } from '../../core/shell/simulated-clock.ts';
import { pay, read, served } from './served.ts';

/** What comes back for bytes as they are, until the server has said all that it says. */
const answerTo = (url: string, bytes: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    // what is no whole request is never answered: it ends here. Node does not answer who has hung up, so not at once
    const hangUp = setTimeout(() => socket.end(), 500);
    socket.on('close', () => clearTimeout(hangUp));
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
      // events go on: whoever has their beginning has seen enough
      if (text.includes('text/event-stream')) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(text) : reject(error),
    );
  });

const statusIn = (text: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);

const junk = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('{}', '[]', '{"payload":{}}', '{"calls":[]}', '{"__proto__":{}}'),
  fc
    .constantFrom({ taskClass: 'job', payload: {} }, read, pay, { calls: [read] })
    .map((one) => JSON.stringify(one)),
);
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('GET', 'POST') },
  { weight: 2, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'DELETE') },
  { weight: 1, arbitrary: fc.constantFrom('TRACE', 'get', 'BREW') },
);
const caller = fc.constantFrom(
  'X-Caller: teller',
  'X-Caller: teller',
  'X-Caller: kim',
  'X-Caller: rival',
  'X-None: x',
);
const type = fc.constantFrom(...Array.from({ length: 4 }, () => 'application/json'), 'text/plain', '');
const header = fc.constantFrom(
  'Transfer-Encoding: chunked',
  'Content-Encoding: gzip',
  'Idempotency-Key: \u00e9',
  'Expect: 100-continue',
  'Connection: upgrade',
  'Origin: null',
  'Authorization: Bearer x',
  'X-Caller: kim',
);
/** Often none, so that some requests come far. */
const more = fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(header, { maxLength: 3 }));

it('answers any bytes at any route with HTTP, and changes nothing for a refused request', async () => {
  const { url, begin, post, guard, errors, get } = await served();
  const { host } = new URL(url);
  const taskId = await begin();
  await post(`/runs/${taskId}/calls`, read);
  await post(`/runs/${taskId}/calls`, pay);
  const { threadId } = await get(`/runs/${taskId}`);
  const places = routes.map(({ path }) =>
    path.replace('{taskId}', taskId).replace('{threadId}', String(threadId)),
  );
  const path = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...places) },
    { weight: 1, arbitrary: fc.webPath() },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii' }) },
  );
  const written = fc
    .tuple(method, path, caller, type, more, junk)
    .map(([verb, place, who, kind, others, body]) => {
      const bytes = Buffer.from(body);
      const lines = [
        `${verb} ${place} HTTP/1.1`,
        `Host: ${host}`,
        who,
        `Content-Type: ${kind}`,
        ...others,
        `Content-Length: ${bytes.length}`,
      ];
      return Buffer.concat([
        Buffer.from(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`, 'latin1'),
        bytes,
      ]);
    });
  const anything = fc.oneof(
    { weight: 9, arbitrary: written },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes)) },
  );
  const allRecords = async () => {
    const tasks = await guard.orchestrator.list();
    const ledgers = await Promise.all(tasks.map((task) => guard.orchestrator.ledger(task.taskId)));
    // what a run does not take now is kept as a refusal: it is answered with 409, and changes nothing else
    return JSON.stringify([tasks, ledgers.map((ledger) => ledger.filter(({ kind }) => kind !== 'refusal'))]);
  };
  /** What was taken goes on by itself for a moment. */
  const state = async (): Promise<string> => {
    for (let last = await allRecords(); ;) {
      await settle();
      const now = await allRecords();
      if (now === last) return now;
      last = now;
    }
  };
  const seen = new Map<number, number>();
  let before = await state();
  await fc.assert(
    fc.asyncProperty(anything, async (bytes) => {
      const text = (await answerTo(url, bytes)).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
      const status = statusIn(text);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      // bytes that end before they are a request are told nothing
      if (text !== '') expect(text).toMatch(/^HTTP\/1\.1 \d{3} [^\r\n]*\r\n(?:[\w-]+: ?[^\r\n]*\r\n)+\r\n/);
      expect(status).not.toBe(500);
      const after = await state();
      if (status < 200 || status > 299) expect(after).toBe(before);
      before = after;
    }),
    runs(500),
  );
  expect(errors).toEqual([]);
  const met = [200, 400, 404, 405, 415, 422].filter((status) => !seen.has(status));
  expect(met, [...seen].join(' ')).toEqual([]);
});
