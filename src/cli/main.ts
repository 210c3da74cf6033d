#!/usr/bin/env node
import { run } from './run.ts';

const { stdin, stdout, stderr, env } = process;

/** Until something asks for this, an interrupt ends the program; the second one always does. */
const interrupted = (): AbortSignal => {
  const leave = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leave.abort());
  return leave.signal;
};

const code = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  interrupted,
});
await new Promise((written) => stdout.write('', written));
process.exit(code); // what a module of the user's still holds open keeps nobody waiting
