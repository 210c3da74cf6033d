import { get as httpGet, type IncomingMessage } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createEvents } from '../../../../src/core/shell/events.ts';
import { scene } from '../../core/shell/scene.ts';
import { served } from './served.ts';
import { eventually } from '../../../waits.ts';

interface Tiding {
  readonly id: string;
  readonly tasks: readonly string[] | 'all';
}

/** An orchestrator that tells what a test says. */
const movingTasks = () => {
  const { emit, on } = createEvents();
  const { orchestrator } = scene();
  return {
    orchestrator: { ...orchestrator, on },
    move: (...taskIds: string[]): void => {
      for (const taskId of taskIds) emit('changed', { taskId });
    },
  };
};

/** A page that listens, and what it heard. */
const listening = async (
  { origin, cookie }: { origin: string; cookie: string },
  last?: string,
): Promise<{ heard: Tiding[]; leave: () => void }> => {
  const received: Tiding[] = [];
  const headers = { cookie, ...(last !== undefined && { 'last-event-id': last }) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet(`${origin}/events`, { headers, agent: false }, resolve).on('error', reject);
  });
  expect(response.headers['content-type']).toContain('text/event-stream');
  response.setEncoding('utf8').on('data', (text: string) => {
    for (const [, id = '', tasks = ''] of text.matchAll(/^id: (.*)\nevent: change\ndata: (.*)$/gm))
      received.push({ id, ...(JSON.parse(tasks) as Omit<Tiding, 'id'>) });
  });
  response.on('error', () => {});
  const leave = (): void => void response.destroy();
  onTestFinished(leave);
  await eventually(() => expect(received).toHaveLength(1));
  return { heard: received, leave };
};

const changed = (heard: readonly Tiding[]) => heard.slice(1).map(({ tasks }) => tasks);

it('sends every page the changed tasks, batched by moment and without duplicates', async () => {
  const { orchestrator, move } = movingTasks();
  const room = await served(orchestrator);
  const [one, other] = [await listening(room), await listening(room)];
  move('a', 'b', 'a');
  await eventually(() => expect(changed(one.heard)).toEqual([['a', 'b']]));
  move('c');
  await eventually(() => expect(changed(other.heard)).toEqual([['a', 'b'], ['c']]));
});

it('sends a returning page exactly what it missed', async () => {
  const { orchestrator, move } = movingTasks();
  const room = await served(orchestrator);
  const first = await listening(room);
  move('a');
  await eventually(() => expect(changed(first.heard)).toEqual([['a']]));
  first.leave();
  const other = await listening(room);
  move('b');
  await eventually(() => expect(changed(other.heard)).toEqual([['b']]));
  const back = await listening(room, first.heard.at(-1)?.id);
  expect(back.heard[0]?.tasks).toEqual(['b']);
  expect((await listening(room, back.heard[0]?.id)).heard[0]?.tasks).toEqual([]);
});

it.each(['another-0', 'another-1', '', 'x', '-1', '__proto__'])(
  'sends a page with an unknown position (%j) a full reload',
  async (last) => {
    const { orchestrator } = movingTasks();
    expect((await listening(await served(orchestrator), last)).heard[0]?.tasks).toBe('all');
  },
);

it('sends a full reload instead of more than 200 tasks', async () => {
  const { orchestrator, move } = movingTasks();
  const { heard } = await listening(await served(orchestrator));
  move(...Array.from({ length: 1_000 }, (_, at) => `task ${at}`));
  await eventually(() => expect(changed(heard)).toEqual(['all']));
});

it('sends a full reload to a page that was away for too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { orchestrator, move } = movingTasks();
  const room = await served(orchestrator);
  const first = await listening(room);
  for (let n = 0; n < 300; n += 1) {
    move(`task ${n}`);
    vi.advanceTimersByTime(100);
  }
  vi.useRealTimers();
  expect((await listening(room, first.heard[0]?.id)).heard[0]?.tasks).toBe('all');
});

it('releases its pages and its listeners when it closes', async () => {
  const { orchestrator } = movingTasks();
  const leave = vi.fn<() => void>();
  const { room, origin, cookie } = await served({ ...orchestrator, on: () => leave });
  await listening({ origin, cookie });
  await room.close();
  expect(leave).toHaveBeenCalledTimes(5);
});
