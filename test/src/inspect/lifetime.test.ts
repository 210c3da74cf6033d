import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isCharterError } from 'agentcharter';
import { createInspector } from 'agentcharter/inspect';
import { view } from './client.ts';
import { orderActor } from './machines.ts';

/** A program that shows an actor, waits for a line, and ends as it is told. */
const program = (end: string): string => `
import { createInspector } from './src/inspect/index.ts';
import { createActor, createMachine } from 'xstate';
const inspector = await createInspector();
createActor(createMachine({}), { inspect: inspector.inspect }).start();
console.log(inspector.url);
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.destroy();
${end}`;

const run = async (end: string) => {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program(end)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const errors = text(child.stderr);
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const viewer = await view(line.trim());
  await viewer.until(({ length }) => length > 0);
  const ended = once(child, 'exit');
  child.stdin.write('\n');
  const [code] = (await ended) as [number | null];
  await viewer.until(() => false);
  return { code, errors: await errors, last: viewer.messages.at(-1)?.type };
};

describe('A process with an inspector', () => {
  it.concurrent('ends without close(), even with a viewer', async ({ expect }) => {
    expect(await run('')).toEqual({ code: 0, errors: '', last: '@xstate.snapshot' });
  });

  it.concurrent('ends after close(), which notifies its viewer', async ({ expect }) => {
    expect(await run('await inspector.close();')).toEqual({
      code: 0,
      errors: '',
      last: '@statelyai.disconnected',
    });
  });
});

describe('close()', () => {
  it('ends every viewer, frees the port, and may be called again', async () => {
    const inspector = await createInspector();
    const viewers = [await view(inspector.url), await view(inspector.url)];
    const silent = connect(Number(new URL(inspector.url).port), '127.0.0.1');
    await once(silent, 'connect');
    const actor = orderActor(inspector.inspect).start();
    await inspector.close();
    await inspector.close();
    for (const viewer of viewers) {
      await viewer.until(() => false);
      expect(viewer.messages.at(-1)).toEqual({ type: '@statelyai.disconnected' });
    }
    await expect(view(inspector.url)).rejects.toThrow('ECONNREFUSED');
    actor.send({ type: 'go' });
    expect(actor.getSnapshot().value).toEqual({ middle: { one: { two: 'three' } } });
    const again = await createInspector({ port: Number(new URL(inspector.url).port) });
    await again[Symbol.asyncDispose]();
  });
});

describe('A taken port', () => {
  it('rejects the call with its number, and breaks nothing else', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const error: unknown = await createInspector({ port }).catch((caught: unknown) => caught);
    expect(isCharterError(error, 'definition_invalid') && error.details.issues).toEqual([
      {
        path: '/port',
        message: `${port} on 127.0.0.1 is in use; expected another, or 0 for one that is free`,
      },
    ]);
  });
});
