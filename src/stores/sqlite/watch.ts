import { watch as watchFolder } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createChanges } from './changes.ts';
import type { Session } from './session.ts';

type Changed = (taskIds: readonly string[]) => void;

export interface Watch {
  readonly add: (changed: Changed) => () => void;
  /** Registers a record of our own that is about to be committed, which is not reported. */
  readonly writing: (record: number) => void;
  /** Registers a record of our own that was committed. */
  readonly wrote: (record: number) => void;
  /** Forgets a record of our own that was not committed: others may use its id. */
  readonly forget: (record: number) => void;
  readonly close: () => void;
}

/** The delay after a change of the log in milliseconds, so that a burst of writes is read once. */
const debounce = 10;

/** The maximum backoff after a failed poll, in milliseconds. */
const maxBackoff = 60_000;

/**
 * Calls `wake` when a file beside the database changes; returns a function that stops it. Does nothing if the system
 * cannot watch files.
 */
const watchFile = (file: string, wake: () => void): (() => void) => {
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

/**
 * Reports changes by others: soon after the system reports a changed file, and at the latest after `poll`
 * milliseconds.
 */
export const createWatch = (session: Session, poll: number): Watch => {
  const changes = createChanges();
  const listeners = new Set<{ readonly changed: Changed }>();
  let end: (() => void) | null = null;

  /** The backoff after a failed poll: each one reopens the file, which the driver releases slowly. */
  let pause = 0;
  let notBefore = 0;

  /** Polls; returns whether there was a change. */
  const pollOnce = (): boolean => {
    if (performance.now() < notBefore) return false;
    try {
      const { taskIds, accept } = session.use('watch', changes.find);
      if (taskIds.length > 0) for (const { changed } of listeners) changed(taskIds);
      accept();
      pause = 0;
      return taskIds.length > 0;
    } catch {
      // a later poll finds the same changes
      pause = Math.min(Math.max(pause * 2, poll), maxBackoff);
      notBefore = performance.now() + pause;
      return false;
    }
  };

  /** The log changes before its content is committed, so poll until there is a change. */
  const createWake = () => {
    let timer: NodeJS.Timeout | undefined;
    let delay = 0;
    const sleep = (): void => {
      timer = setTimeout(() => {
        timer = undefined;
        delay *= 2;
        if (!pollOnce() && delay < poll) sleep();
      }, delay).unref();
    };
    const wake = (): void => {
      if (timer !== undefined && delay === debounce) return;
      clearTimeout(timer);
      delay = debounce;
      sleep();
    };
    return { wake, cancel: () => clearTimeout(timer) };
  };

  const begin = (): (() => void) => {
    try {
      session.use('watch', changes.begin);
    } catch {
      // nothing is known yet: the first successful poll reports everything
    }
    const timer = setInterval(pollOnce, poll).unref();
    const { wake, cancel } = createWake();
    const unwatch = watchFile(session.file(), wake);
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
      listeners.add(entry);
      end ??= begin();
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0) stop();
      };
    },
    writing: changes.writing,
    wrote: (record) => (end === null ? changes.forget(record) : changes.wrote(record)),
    forget: changes.forget,
    close: () => {
      listeners.clear();
      stop();
    },
  };
};
