import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { openAiCompatible } from 'agentcharter/adapters/openai-compatible';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Turn } from '../../../../src/index.ts';
import { runs } from '../../../machines/generated.ts';
import { given, key, turnOf } from './endpoint.ts';

/** What a server does with a connection: it says something, and then ends it, or leaves it open for ever. */
interface Behaviour {
  readonly bytes: Uint8Array;
  readonly ends: boolean;
}

let behaviour: Behaviour;
let said: () => void = () => {};
const open = new Set<Socket>();
const server = createServer((socket) => {
  open.add(socket);
  const { bytes, ends } = behaviour;
  socket.on('error', () => {});
  socket.once('data', () => {
    socket.write(bytes, () => {
      if (ends) socket.end();
      said();
    });
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  for (const socket of open) socket.destroy();
  server.close();
});

const json = fc.oneof(
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.constant(`{"${key}":1,"${key}":2}`) },
  {
    weight: 4,
    arbitrary: fc
      .record({
        finish_reason: fc.constantFrom('stop', 'length', 'content_filter', null, 7),
        message: fc.record(
          {
            content: fc.oneof(fc.json(), fc.string(), fc.constant(null)),
            refusal: fc.constantFrom(null, 'No.', 7),
          },
          { requiredKeys: [] },
        ),
      })
      .map((choice) => JSON.stringify({ choices: [choice] })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(key, 'invalid_api_key').map((code) => JSON.stringify({ error: { code } })),
  },
);
const written = (status: number, header: string, body: string, missing = 0): Uint8Array => {
  const length = Math.max(0, Buffer.byteLength(body) + missing);
  return Buffer.from(
    `HTTP/1.1 ${status} X\r\n${header}connection: close\r\ncontent-length: ${length}\r\n\r\n${body}`,
  );
};
const odd = fc
  .tuple(
    fc.constantFrom(200, 200, 201, 204, 302, 400, 401, 429, 500, 999),
    fc.constantFrom(
      '',
      'retry-after: 0\r\n',
      'content-encoding: gzip\r\n',
      `location: /${key}\r\n`,
      'a b\r\n',
    ),
    fc.oneof({ weight: 5, arbitrary: json }, fc.string()),
    fc.constantFrom(0, 0, 0, 5, -1),
  )
  .map((parts) => written(...parts));
const plain = fc
  .json()
  .map((content) => written(200, '', JSON.stringify({ choices: [{ message: { content } }] })));
const behaviours: fc.Arbitrary<Behaviour> = fc.record({
  bytes: fc.oneof(
    { weight: 4, arbitrary: odd },
    { weight: 2, arbitrary: plain },
    fc.uint8Array(),
    fc.constant(Buffer.from('HTTP/1.1 100 \r\n\r\n')),
  ),
  ends: fc.boolean(),
});

it('A turn always ends and never leaks the key, whatever a server answers', async () => {
  const counts = { answered: 0, thrown: 0, left: 0 };
  const { port } = server.address() as AddressInfo;
  let now = 0;
  const clock = {
    now: () => now,
    wakeAt: (at: number, wake: () => void) => {
      now = at;
      queueMicrotask(wake);
      return () => {};
    },
  };
  const model = openAiCompatible({
    url: `http://127.0.0.1:${port}/v1`,
    key,
    model: 'small',
    retries: 1,
    clock,
  });
  const asks = fc.constantFrom<Turn['asks']>('plan', 'draft', 'correction');
  await fc.assert(
    fc.asyncProperty(behaviours, asks, async (next, asks) => {
      behaviour = next;
      const leave = new AbortController();
      said = () => setTimeout(() => leave.abort(new Error('nobody waits')), 5);
      try {
        JSON.stringify(await model.answer(turnOf({ asks }), given({ signal: leave.signal })));
        counts.answered += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(key);
        counts[leave.signal.aborted ? 'left' : 'thrown'] += 1;
      }
    }),
    runs(300),
  );
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(3);
});
