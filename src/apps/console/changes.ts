import { randomUUID } from 'node:crypto';
import type { Orchestrator } from '../../core/shell/surface.ts';
import { Audience } from '../../optional/server/audience.ts';
import { eventOf } from '../../optional/server/events.ts';
import type { Link } from '../../optional/server/link.ts';
import type { Change } from './wire.ts';

/** Milliseconds for which changes are collected into one message. */
const batchDelay = 100;
/** The number of messages that are kept for clients that reconnect. */
const historySize = 256;
/** The maximum of task ids in a message; beyond it, the message is `all`. */
const maxNamed = 200;
/** The maximum of unread characters of a client. Beyond it, the client is disconnected and reconnects. */
const maxUnread = 1_048_576;

const changeEvent = (id: string, change: Change): string =>
  eventOf(JSON.stringify(change), { id, event: 'change' });

const merged = (changes: readonly Change[]): Change => {
  const tasks = new Set<string>();
  for (const change of changes) {
    if (change.tasks === 'all') return change;
    for (const taskId of change.tasks) tasks.add(taskId);
  }
  return { tasks: tasks.size > maxNamed ? 'all' : [...tasks] };
};

/**
 * Sends the ids of changed tasks to pages, as server-sent events. A page that reconnects gets what it missed.
 */
export const createChanges = (orchestrator: Orchestrator) => {
  const epoch = randomUUID().slice(0, 8);
  const pages = new Audience(maxUnread);
  const past: Change[] = [];
  let forgotten = 0; // the number of messages dropped from `past`
  const moved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const numberOf = (): string => `${epoch}-${forgotten + past.length}`;

  const notify = (): void => {
    timer = undefined;
    const change = merged([{ tasks: [...moved] }]);
    moved.clear();
    past.push(change);
    if (past.length > historySize) {
      past.shift();
      forgotten += 1;
    }
    pages.send(() => changeEvent(numberOf(), change));
  };
  const touch = ({ taskId }: { readonly taskId: string }): void => {
    moved.add(taskId);
    timer ??= setTimeout(notify, batchDelay).unref();
  };
  const leave = (['record', 'document', 'question', 'settled', 'changed'] as const).map((name) =>
    orchestrator.on(name, touch),
  );

  /** Returns the changes after a message; all, if the message is no longer known. */
  const since = (last: string | null): Change => {
    if (last === null) return { tasks: [] };
    const [run, number] = last.split('-');
    const at = Number(number) - forgotten;
    if (run !== epoch || !Number.isInteger(at) || at < 0 || at > past.length) return { tasks: 'all' };
    return merged(past.slice(at));
  };

  return {
    follow: (last: string | null, link: Link): AsyncGenerator<string> =>
      pages.join(() => `retry: 1000\n${changeEvent(numberOf(), since(last))}`, link),
    close: (): Promise<void> => {
      for (const stop of leave) stop();
      clearTimeout(timer);
      return pages.end();
    },
  };
};
