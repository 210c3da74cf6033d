import { existsSync } from 'node:fs';
import { causeOf } from '../errors.ts';

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

const loader = `npm install --save-dev tsx, and set NODE_OPTIONS='--import tsx'`;

/** Returns why a module of a host cannot be loaded, and what to do if this Node.js reads no TypeScript. */
export const moduleProblem = (error: unknown, path: string): string => {
  const code = codeOf(error);
  const isTypeScript = /\.[cm]?ts$/.test(path);
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' || (error instanceof SyntaxError && isTypeScript))
    return `this Node.js reads no TypeScript: ${loader}`;
  const isImport = isTypeScript && code === 'ERR_MODULE_NOT_FOUND' && existsSync(path);
  return isImport ? `${causeOf(error)}; if that is a TypeScript file: ${loader}` : causeOf(error);
};
