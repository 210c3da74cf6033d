import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isCharterError } from 'agentcharter';
import { createInspector } from 'agentcharter/inspect';
import { view } from './client.ts';
import { orderActor } from './machines.ts';

/** Shows an actor, and has nothing left to do but to serve. */
const program = `
import { createInspector } from './src/apps/inspect/index.ts';
import { createActor, createMachine } from 'xstate';
const inspector = await createInspector();
createActor(createMachine({}), { inspect: inspector.inspect }).start();
process.once('SIGTERM', () => inspector.close());
console.log(inspector.url);`;

describe('A process with an inspector', () => {
  it('stays up until close(), which notifies its viewer', async () => {
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const [errors, ended] = [text(child.stderr), once(child, 'exit')];
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const viewer = await view(line.trim());
    await viewer.until(({ length }) => length > 0);
    child.kill('SIGTERM');
    await viewer.until(() => false);
    expect(viewer.messages.at(-1)?.type).toBe('@statelyai.disconnected');
    expect({ exit: await ended, errors: await errors }).toEqual({ exit: [0, null], errors: '' });
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
