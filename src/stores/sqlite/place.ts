import { closeSync, fchmodSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { unusable } from '../shared.ts';

/** The maximum number of links to follow, as in Linux. */
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
    return dirname(file); // it does not exist; opening the file reports that
  }
};

/** Resolves all links of a file name. The file does not have to exist. */
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

/** Returns what tells a file from every other one, also of the same name; `null` if there is none. */
const identityOf = (file: string): string | null => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
};

/**
 * Returns a check that a file is the one of the first call: a database goes on in a file that was deleted, moved or
 * replaced, and what it acknowledges then is lost. It throws `store_unusable`.
 */
export const placeCheck = (file: string): (() => void) => {
  let first: string | null = null;
  return () => {
    const now = identityOf(file);
    first ??= now;
    if (now !== null && now === first) return;
    throw unusable(
      file,
      `its file was ${now === null ? 'deleted or moved' : 'replaced'} while it was open`,
      'put that file back, or end this process and start it with the file that counts; nothing was acknowledged since, and what was under way may have been written',
    );
  };
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';

/**
 * Creates a file that only its user can read and write, whatever the umask; an existing one keeps its permissions.
 * SQLite gives its additional files the same permissions.
 *
 * An existing file is not opened: closing it would release this process's locks on it.
 *
 * Throws `store_unusable`.
 */
export const createPrivately = (given: string): void => {
  const file = realFile(given);
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      fchmodSync(descriptor, 0o600); // the umask may have removed permissions
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'EEXIST') return;
    const remedy = 'create its folder, and let this process create files in it';
    throw unusable(given, `it cannot be created (${code})`, remedy, { cause });
  }
};
