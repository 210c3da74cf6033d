import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Orchestrator } from '../orchestrator/surface.ts';
import { begin } from './reply.ts';
import type { Change } from './wire.ts';

/** Changes are told together after so many milliseconds: a thousand tasks that move are one message. */
const together = 100;
/** How many messages a page may have missed and still be told what was in them. */
const remembered = 256;
/** More tasks than these are told as `all`. */
const named = 200;
const heartbeat = 15_000;
/** A page that has this much unread (bytes) does not listen: it is let go of, and comes back. */
const unread = 1_048_576;

const tidings = (number: string, change: Change): string =>
  `id: ${number}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;

const merged = (changes: readonly Change[]): Change => {
  const tasks = new Set<string>();
  for (const change of changes) {
    if (change.tasks === 'all') return change;
    for (const taskId of change.tasks) tasks.add(taskId);
  }
  return { tasks: tasks.size > named ? 'all' : [...tasks] };
};

/** Tells pages which tasks changed, as Server-Sent Events; one that comes back hears what it missed. */
export const createChanges = (orchestrator: Orchestrator) => {
  const epoch = randomUUID().slice(0, 8);
  const pages = new Set<ServerResponse>();
  const past: Change[] = [];
  let forgotten = 0; // how many came before `past`
  const moved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const numberOf = (): string => `${epoch}-${forgotten + past.length}`;

  const notify = (): void => {
    timer = undefined;
    const change = merged([{ tasks: [...moved] }]);
    moved.clear();
    past.push(change);
    if (past.length > remembered) {
      past.shift();
      forgotten += 1;
    }
    const message = tidings(numberOf(), change);
    for (const page of pages) {
      if (page.writableLength > unread) page.destroy();
      else page.write(message);
    }
  };
  const touch = ({ taskId }: { readonly taskId: string }): void => {
    moved.add(taskId);
    timer ??= setTimeout(notify, together).unref();
  };
  const leave = (['record', 'document', 'question', 'settled'] as const).map((name) =>
    orchestrator.on(name, touch),
  );

  /** What a page missed that saw this message last; all, where that is not known any more. */
  const since = (last: string | undefined): Change => {
    if (last === undefined) return { tasks: [] };
    const [run, number] = last.split('-');
    const at = Number(number) - forgotten;
    if (run !== epoch || !Number.isInteger(at) || at < 0 || at > past.length) return { tasks: 'all' };
    return merged(past.slice(at));
  };

  return {
    follow: ({ headers }: IncomingMessage, response: ServerResponse): void => {
      const last = headers['last-event-id'];
      begin(response, 200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(
        `retry: 1000\n${tidings(numberOf(), since(typeof last === 'string' ? last : undefined))}`,
      );
      pages.add(response);
      const beat = setInterval(() => response.write(': here\n\n'), heartbeat).unref();
      response.on('close', () => {
        clearInterval(beat);
        pages.delete(response);
      });
    },
    close: (): void => {
      for (const stop of leave) stop();
      clearTimeout(timer);
      for (const page of pages) page.end();
    },
  };
};
