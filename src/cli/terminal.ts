import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { Printer, type Output } from './printer.ts';
import { createProgress, type Progress } from './progress.ts';
import { usage } from './stop.ts';

/** Where a command reads; a terminal says so. */
export interface Input extends Readable {
  readonly isTTY?: boolean;
}

/** What a command line is run in. */
export interface Surroundings {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What names of files are relative to. */
  readonly cwd: string;
  /** Aborted where the person wants it to end; who asks for it takes care of that. */
  readonly interrupted: () => AbortSignal;
}

/** What a command works with: what it finds out goes to `out`, all else to `err`. */
export interface Terminal {
  readonly stdin: Input;
  readonly out: Printer;
  readonly err: Printer;
  /** Where a person is asked; nobody is there to answer unless `isInteractive`. */
  readonly prompts: Output;
  readonly isInteractive: boolean;
  readonly interrupted: () => AbortSignal;
  /** The absolute name of a file or folder. Throws a `Stop` for a name with NUL: the system would read half of it. */
  readonly path: (file: string) => string;
  /** A line of its own: not to be wanted where other lines are printed meanwhile. */
  readonly progress: (isWanted?: boolean) => Progress;
}

const pathIn = (cwd: string, file: string): string => {
  if (!file.includes('\0')) return resolve(cwd, file);
  throw usage(`${JSON.stringify(file)}: expected the name of a file without NUL (U+0000)`);
};

export const terminalOf = ({ stdin, stdout, stderr, env, cwd, interrupted }: Surroundings): Terminal => {
  const isDumb = env['TERM'] === 'dumb';
  const isColoured = (env['NO_COLOR'] ?? '') === '' && !isDumb;
  const isWatched = stderr.isTTY === true;
  return {
    stdin,
    out: new Printer(stdout, isColoured),
    err: new Printer(stderr, isColoured),
    prompts: stderr,
    isInteractive: stdin.isTTY === true && isWatched && (env['CI'] ?? '') === '',
    interrupted,
    path: (file) => pathIn(cwd, file),
    progress: (isWanted = true) => createProgress(stderr, isWanted && isWatched && !isDumb),
  };
};
