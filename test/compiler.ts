import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The TypeScript compiler. */
export const tsc: string = join(root, 'node_modules/.bin/tsc');

/** One checker instead of one for each core: each repeats the work on the types that they share. */
export const oneChecker = ['--checkers', '1'] as const;

/** Lets the compiler, a Go program, use more memory before it collects: it ends within seconds. */
export const compilerEnv = (): NodeJS.ProcessEnv => ({ GOGC: '400', ...process.env });
