import { watch as watchFolder } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createChanges } from './changes.ts';
import type { Session } from './session.ts';

type Changed = (taskIds: readonly string[]) => void;

export interface Watch {
  readonly add: (changed: Changed) => () => void;
  /** Takes note of a record of our own: nobody is told of it. */
  readonly wrote: (record: number) => void;
  readonly close: () => void;
}

/** How long the log may go on changing before it is looked at, in milliseconds: a burst of writes is looked at once. */
const settling = 10;

/** How long to wait after a look that failed, at most, in milliseconds. */
const longest = 60_000;

/** Wakes up where something beside the file changes; answers what ends it. Where the system cannot tell, nothing does. */
const wakenBy = (file: string, wake: () => void): (() => void) => {
  try {
    const name = basename(file);
    const watcher = watchFolder(dirname(file), { persistent: false }, (_, changed) => {
      if (changed === null || changed === name || changed === `${name}-wal`) wake();
    });
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
};

/** Tells of what others write: soon where the system tells of changed files, and every `poll` milliseconds at the latest. */
export const createWatch = (session: Session, poll: number): Watch => {
  const changes = createChanges();
  const told = new Set<{ readonly changed: Changed }>();
  let end: (() => void) | null = null;

  /** After a look that failed, the next one waits: each opens the file anew, which the driver takes long to let go of. */
  let pause = 0;
  let notBefore = 0;

  /** Whether there was something to tell. */
  const look = (): boolean => {
    if (performance.now() < notBefore) return false;
    try {
      const { taskIds, accept } = session.use('watch', changes.find);
      if (taskIds.length > 0) for (const { changed } of told) changed(taskIds);
      accept();
      pause = 0;
      return taskIds.length > 0;
    } catch {
      // a later look finds the same again
      pause = Math.min(Math.max(pause * 2, poll), longest);
      notBefore = performance.now() + pause;
      return false;
    }
  };

  /** The log changes before what is in it counts, which is when the disk has synced: looks until there is something. */
  const createWake = () => {
    let timer: NodeJS.Timeout | undefined;
    let delay = 0;
    const sleep = (): void => {
      timer = setTimeout(() => {
        timer = undefined;
        delay *= 2;
        if (!look() && delay < poll) sleep();
      }, delay).unref();
    };
    const wake = (): void => {
      if (timer !== undefined && delay === settling) return;
      clearTimeout(timer);
      delay = settling;
      sleep();
    };
    return { wake, cancel: () => clearTimeout(timer) };
  };

  const begin = (): (() => void) => {
    try {
      session.use('watch', changes.begin);
    } catch {
      // nothing is known yet: the first look that succeeds tells of everything
    }
    const timer = setInterval(look, poll).unref();
    const { wake, cancel } = createWake();
    const unwatch = wakenBy(session.file(), wake);
    return () => {
      clearInterval(timer);
      cancel();
      unwatch();
    };
  };

  const stop = (): void => {
    end?.();
    end = null;
  };

  return {
    add: (changed) => {
      const entry = { changed };
      told.add(entry);
      end ??= begin();
      return () => {
        told.delete(entry);
        if (told.size === 0) stop();
      };
    },
    wrote: (record) => {
      if (end !== null) changes.wrote(record);
    },
    close: () => {
      told.clear();
      stop();
    },
  };
};
