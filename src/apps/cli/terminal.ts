import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { withoutCredentials } from '../../base/boundary/credentials.ts';
import { hidingOf } from './credentials.ts';
import { Printer, type Output } from './printer.ts';
import { createProgress, type Progress } from './progress.ts';
import { usage } from './stop.ts';

/** An input stream; `isTTY` marks a terminal. */
export interface Input extends Readable {
  readonly isTTY?: boolean;
}

/** The environment of a command line. */
export interface CliEnvironment {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder for relative file names. */
  readonly cwd: string;
  /** Returns a signal that aborts when the person interrupts. The caller must handle it. */
  readonly interrupted: () => AbortSignal;
}

/** The dependencies of a command: results go to `out`, everything else to `err`. */
export interface Terminal {
  readonly stdin: Input;
  readonly out: Printer;
  readonly err: Printer;
  /** The stream for prompts. No one answers unless `isInteractive`. */
  readonly prompts: Output;
  readonly isInteractive: boolean;
  readonly interrupted: () => AbortSignal;
  /** The environment variables. */
  readonly env: CliEnvironment['env'];
  /** The keys of encoded stores: `AGENTCHARTER_STORE_KEYS`. */
  readonly storeKeys: string | undefined;
  /**
   * Returns an absolute path. Throws a `Stop` for an address of PostgreSQL, and for a NUL character, at which the system
   * would cut the name.
   */
  readonly path: (file: string) => string;
  /** Creates a progress line. Pass `false` if other lines are printed meanwhile. */
  readonly progress: (isWanted?: boolean) => Progress;
}

const address = /^\s*postgres(ql)?\s*:/iu;

const pathIn = (cwd: string, file: string): string => {
  if (file.includes('\0'))
    throw usage(
      `${JSON.stringify(withoutCredentials(file))}: expected the name of a file without NUL (U+0000)`,
    );
  if (address.test(file))
    throw usage(
      `${withoutCredentials(file)}: expected a file, or for a store an address such as postgres://USER@HOST/DATABASE`,
    );
  return resolve(cwd, file);
};

/** Returns the terminal of a command line. Its printers never print credentials that its words have. */
export const terminalOf = (
  { stdin, stdout, stderr, env, cwd, interrupted }: CliEnvironment,
  words: readonly string[],
): Terminal => {
  const hiding = hidingOf(words, cwd);
  const isDumb = env['TERM'] === 'dumb';
  const isColoured = (env['NO_COLOR'] ?? '') === '' && !isDumb;
  const isWatched = stderr.isTTY === true;
  return {
    stdin,
    out: new Printer(stdout, isColoured, hiding.words),
    err: new Printer(stderr, isColoured, hiding.all),
    prompts: stderr,
    isInteractive: stdin.isTTY === true && isWatched && (env['CI'] ?? '') === '',
    interrupted,
    env,
    storeKeys: env['AGENTCHARTER_STORE_KEYS'],
    path: (file) => pathIn(cwd, file),
    progress: (isWanted = true) => createProgress(stderr, isWanted && isWatched && !isDumb),
  };
};
