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

/** How long the log may go on changing before it is read, in milliseconds: a burst of writes is read once. */
const settling = 10;

/** How long to wait after a look that failed, at most; milliseconds. */
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

  const look = (): void => {
    if (performance.now() < notBefore) return;
    try {
      const { taskIds, accept } = session.use('watch', changes.find);
      if (taskIds.length > 0) for (const { changed } of told) changed(taskIds);
      accept();
      pause = 0;
    } catch {
      // a later look finds the same again
      pause = Math.min(Math.max(pause * 2, poll), longest);
      notBefore = performance.now() + pause;
    }
  };

  const begin = (): (() => void) => {
    try {
      session.use('watch', changes.begin);
    } catch {
      // nothing is known yet: the first look that succeeds tells of everything
    }
    let soon: NodeJS.Timeout | null = null;
    const later = (): void => {
      soon ??= setTimeout(() => {
        soon = null;
        look();
      }, settling).unref();
    };
    const timer = setInterval(look, poll).unref();
    const sleep = wakenBy(session.file(), later);
    return () => {
      clearInterval(timer);
      if (soon !== null) clearTimeout(soon);
      sleep();
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
