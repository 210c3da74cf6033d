import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openBank } from '../../guard/bank.ts';

const missing = (name: string): void => {
  vi.doMock(name, () => {
    throw new Error(`Cannot find package '${name}'`);
  });
};

const lacks = (face: string, packages: string) => ({
  code: 'definition_invalid',
  message: `${face}: needs its server: npm install ${packages}`,
  details: { definition: face },
  cause: expect.anything(),
});

const identity = () => ({ person: 'kim' });

beforeEach(() => {
  vi.doUnmock('hono');
  vi.doUnmock('@hono/node-server');
  vi.resetModules();
});

describe('Without Hono', () => {
  beforeEach(() => missing('hono'));

  it('a wire and a console can be created and name the missing package on a request', async () => {
    const { createWire } = await import('agentcharter/adapters/http');
    const { createConsole } = await import('agentcharter/console');
    const { guard } = openBank();
    const request = new Request('http://localhost/');
    await expect(createWire(guard, { identity }).fetch(request)).rejects.toMatchObject(lacks('wire', 'hono'));
    await expect(createConsole(guard.orchestrator).fetch(request)).rejects.toMatchObject(
      lacks('console', 'hono'),
    );
    await guard.close();
  });

  it('the inspector names the missing package on a request', async () => {
    const { createInspector } = await import('agentcharter/inspect');
    const inspector = await createInspector({ port: null });
    await expect(inspector.fetch(new Request('http://localhost/'))).rejects.toMatchObject(
      lacks('inspector', 'hono'),
    );
  });
});

describe('Without the server for Node', () => {
  beforeEach(() => missing('@hono/node-server'));

  it('listen() names the missing packages', async () => {
    const { createWire } = await import('agentcharter/adapters/http');
    const { createConsole } = await import('agentcharter/console');
    const { createInspector } = await import('agentcharter/inspect');
    const { guard } = openBank();
    const packages = 'hono @hono/node-server';
    await expect(createWire(guard, { identity }).listen()).rejects.toMatchObject(lacks('wire', packages));
    await expect(createConsole(guard.orchestrator).listen()).rejects.toMatchObject(
      lacks('console', packages),
    );
    await expect(createInspector()).rejects.toMatchObject(lacks('inspector', packages));
    await guard.close();
  });

  it('fetch works', async () => {
    const { createWire } = await import('agentcharter/adapters/http');
    const { guard } = openBank();
    const { status } = await createWire(guard, { identity }).fetch(
      new Request('http://localhost/openapi.json'),
    );
    expect(status).toBe(200);
    await guard.close();
  });
});
