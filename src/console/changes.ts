import { randomUUID } from 'node:crypto';
import type { Orchestrator } from '../orchestrator/surface.ts';
import { Audience } from '../server/audience.ts';
import { eventOf } from '../server/events.ts';
import type { Link } from '../server/link.ts';
import type { Change } from './wire.ts';

/** Changes are told together after so many milliseconds: a thousand tasks that move are one message. */
const together = 100;
/** How many messages a page may have missed and still be told what was in them. */
const remembered = 256;
/** More tasks than these are told as `all`. */
const named = 200;
/** A page that has this much unread (characters) does not listen: it is let go of, and comes back. */
const unread = 1_048_576;

const tidings = (id: string, change: Change): string =>
  eventOf(JSON.stringify(change), { id, event: 'change' });

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
  const pages = new Audience(unread);
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
    pages.tell(() => tidings(numberOf(), change));
  };
  const touch = ({ taskId }: { readonly taskId: string }): void => {
    moved.add(taskId);
    timer ??= setTimeout(notify, together).unref();
  };
  const leave = (['record', 'document', 'question', 'settled'] as const).map((name) =>
    orchestrator.on(name, touch),
  );

  /** What a page missed that saw this message last; all, where that is not known any more. */
  const since = (last: string | null): Change => {
    if (last === null) return { tasks: [] };
    const [run, number] = last.split('-');
    const at = Number(number) - forgotten;
    if (run !== epoch || !Number.isInteger(at) || at < 0 || at > past.length) return { tasks: 'all' };
    return merged(past.slice(at));
  };

  return {
    follow: (last: string | null, link: Link): AsyncGenerator<string> =>
      pages.join(() => `retry: 1000\n${tidings(numberOf(), since(last))}`, link),
    close: (): Promise<void> => {
      for (const stop of leave) stop();
      clearTimeout(timer);
      return pages.end();
    },
  };
};
