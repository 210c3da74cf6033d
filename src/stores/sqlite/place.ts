import { closeSync, fchmodSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { unusable } from './trouble.ts';

/** Links that are followed at most, as Linux does. */
const mostLinks = 40;

const linkOf = (file: string): string | null => {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
};

const folderOf = (file: string): string => {
  try {
    return realpathSync(dirname(file));
  } catch {
    return dirname(file); // it does not exist, which opening the file will tell
  }
};

/** Returns the name of a file without links. The file need not exist: a link may lead to one that is yet to be made. */
export const realFile = (given: string): string => {
  let file = resolve(given);
  for (let links = 0; links < mostLinks; links += 1) {
    file = join(folderOf(file), basename(file));
    const link = linkOf(file);
    if (link === null) return file;
    file = resolve(dirname(file), link);
  }
  return file;
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';

/**
 * Creates a file that its user alone may read and write, whatever the umask; one that exists keeps its rights. What SQLite
 * makes beside a file gets the rights of that file.
 *
 * A file that exists is not opened: closing it would end the locks that this process holds on it.
 *
 * Throws `store_unusable`.
 */
export const createPrivately = (given: string): void => {
  const file = realFile(given);
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      fchmodSync(descriptor, 0o600); // the umask may have taken rights away
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'EEXIST') return;
    const remedy = 'its folder has to exist, and to let this process create files';
    throw unusable(given, `it cannot be created (${code})`, remedy, { cause });
  }
};
