import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Audience } from '../../../../src/optional/server/audience.ts';
import { eventOf, eventStream } from '../../../../src/optional/server/events.ts';
import { createFace } from '../../../../src/optional/server/face.ts';
import { eventually } from '../../../waits.ts';

const serve = async () => {
  const audience = new Audience(1_000_000);
  const errors: unknown[] = [];
  const face = createFace({
    name: 'test',
    addTo: (app) =>
      void app.get('/', ({ env: { link } }) =>
        eventStream(
          audience.join(() => ': hello\n\n', link),
          link,
          (error) => errors.push(error),
        ),
      ),
    readiness: async () => ({ isReady: true, reasons: [] }),
    headers: {},
    onError: (error) => errors.push(error),
    beforeClose: () => audience.end(eventOf('"bye"')),
  });
  const origin = await face.listen();
  onTestFinished(face.close);
  const join = async () => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (part: Buffer) => (received += part.toString()));
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.replace('localhost', new URL(origin).host));
    await eventually(() => expect(received).toContain(': hello'));
    return { socket, received: () => received };
  };
  return { face, audience, errors, join };
};

it('A reader that stops reading is disconnected, and other readers receive everything', async () => {
  const { audience, errors, join } = await serve();
  const [slow, quick] = [await join(), await join()];
  slow.socket.pause();
  const frame = eventOf(JSON.stringify('x'.repeat(500_000)));
  for (let n = 0; n < 40 && audience.size === 2; n += 1) {
    const before = quick.received().length;
    audience.send(() => frame);
    await eventually(() => expect(quick.received().length).toBeGreaterThan(before + 500_000));
  }
  expect(audience.size).toBe(1);
  slow.socket.resume();
  await once(slow.socket, 'close');
  expect(slow.received().length).toBeLessThan(quick.received().length);
  expect(errors).toEqual([]);
});

it('Readers receive the end before the connection closes', async () => {
  const { face, join } = await serve();
  const { socket, received } = await join();
  const ended = once(socket, 'close');
  await face.close();
  await ended;
  expect(received()).toContain('data: "bye"');
});
