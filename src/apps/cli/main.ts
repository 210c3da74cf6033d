#!/usr/bin/env node
import { run } from './run.ts';

const { stdin, stdout, stderr, env } = process;

/**
 * Returns the signal of the first interrupt. A second interrupt, or one without a listener, ends the program.
 */
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
process.exit(code); // handles left open by your module must not keep the process alive
