import { serve } from '@hono/node-server';
import { createWire } from 'agentcharter/adapters/http';
import { createConsole } from 'agentcharter/console';
import { createInspector } from 'agentcharter/inspect';
import express from 'express';
import { Hono } from 'hono';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBank } from '../../guard/bank.ts';
import type { FetchEnv } from '../../../../src/optional/server/env.ts';
import type { Face } from '../../../../src/optional/server/face.ts';
import { raw } from '../../apps/console/served.ts';

const agent = { agent_id: 'teller', owner_id: 'acme', control_class: 'human-supervised' } as const;

interface Opened {
  readonly face: Pick<Face, 'fetch' | 'handler'>;
  /** A path with an answer, and the content type of the answer. */
  readonly path: string;
  readonly type: string;
  /** The path to open first for its cookie. */
  readonly open: string | null;
}

type Options = { readonly basePath?: string };

const faces: Readonly<Record<string, (options: Options) => Promise<Opened>>> = {
  'the wire': async (options) => {
    const { guard } = openBank();
    const wire = createWire(guard, { ...options, identity: () => ({ agent }) });
    onTestFinished(() => wire.close().then(guard.close));
    return { face: wire, path: '/openapi.json', type: 'application/json', open: null };
  },
  'the console': async (options) => {
    const { guard } = openBank();
    const room = createConsole(guard.orchestrator, options);
    onTestFinished(() => room.close().then(guard.close));
    return { face: room, path: '/api/tasks', type: 'application/json', open: `/?token=${room.newToken()}` };
  },
  'the inspector': async (options) => {
    const inspector = await createInspector({ ...options, port: null });
    onTestFinished(() => inspector.close());
    const { search } = new URL(inspector.url, 'http://here');
    return { face: inspector, path: '/page.css', type: 'text/css; charset=utf-8', open: `/${search}` };
  },
};

const listening = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Fastify passes its own request and reply, with Node's inside; `hijack` leaves the response to the route. */
const fastifyRoute =
  (handler: RequestListener) =>
  (request: { raw: IncomingMessage }, reply: { raw: ServerResponse; hijack: () => void }): void => {
    reply.hijack();
    request.raw.url = request.raw.url?.replace('/tools', '') ?? '/';
    handler(request.raw, reply.raw);
  };

/** Mounts a server below `/tools` in a framework and returns the origin. */
const frameworks: Readonly<Record<string, (face: Opened['face']) => Promise<string>>> = {
  Hono: async ({ fetch }) => {
    const app = new Hono().mount('/tools', fetch);
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false });
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  Express: ({ handler }) => listening(express().use('/tools', handler)),
  'the shape of Fastify': ({ handler }) => {
    const route = fastifyRoute(handler);
    return listening((request, response) => route({ raw: request }, { raw: response, hijack: () => {} }));
  },
};

describe.each(Object.entries(frameworks))('in %s', (_, mount) => {
  it.each(Object.entries(faces))(
    '%s answers below a path and rejects a foreign host',
    async (_name, make) => {
      const { face, path, type, open } = await make({});
      const url = `${await mount(face)}/tools`;
      const opened = open === null ? null : await raw(`${url}${open}`);
      if (opened !== null) expect([opened.status, opened.headers.location]).toEqual([303, './']);
      const cookie = opened?.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      const answered = await raw(`${url}${path}`, { headers: { cookie } });
      expect([answered.status, answered.headers['content-type']]).toEqual([200, type]);
      expect(answered.headers['content-security-policy']).toContain("default-src 'none'");
      const foreign = await raw(`${url}${path}`, { headers: { cookie, host: 'evil.example' } });
      expect(foreign.status).toBe(403);
      expect((await raw(`${url}/nowhere`, { headers: { cookie } })).status).toBe(404);
    },
  );
});

describe('in the style of Next.js, which keeps the path in the URL', () => {
  it.each(Object.entries(faces))('%s answers below its base path', async (_name, make) => {
    const { face, path, type, open } = await make({ basePath: '/api/tools' });
    // app/api/tools/[[...path]]/route.ts
    const GET = (request: Request): Promise<Response> => face.fetch(request);
    const url = 'http://localhost:3000/api/tools';
    const opened = open === null ? null : await GET(new Request(`${url}${open}`));
    const cookie = opened?.headers.get('set-cookie')?.split(';')[0] ?? '';
    const answered = await GET(new Request(`${url}${path}`, { headers: { cookie } }));
    expect([answered.status, answered.headers.get('content-type')]).toEqual([200, type]);
    for (const elsewhere of ['/api/toolset', '/tools', '', '/api'])
      expect(
        (await GET(new Request(`http://localhost:3000${elsewhere}${path}`, { headers: { cookie } }))).status,
      ).toBe(404);
    expect(
      (await GET(new Request(`http://evil.example/api/tools${path}`, { headers: { cookie } }))).status,
    ).toBe(403);
    const doubled = new Headers({ cookie, 'sec-fetch-site': 'same-origin' });
    doubled.append('sec-fetch-site', 'cross-site');
    expect((await GET(new Request(`${url}${path}`, { headers: doubled }))).status).toBe(400);
  });
});

describe('the host’s data of a request', () => {
  const body = JSON.stringify({ taskClass: 'job', payload: {} });
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body };

  it('reaches identity as the env passed to fetch', async () => {
    const { guard } = openBank();
    const seen: unknown[] = [];
    const wire = createWire(guard, { identity: (_, env) => (seen.push(env['user']), { agent }) });
    onTestFinished(() => wire.close().then(guard.close));
    const app = new Hono<{ Variables: { user: string } }>();
    app.use(async (context, next) => {
      context.set('user', 'ada');
      await next();
    });
    app.post('/runs', ({ req, get }) => wire.fetch(req.raw, { user: get('user') }));
    expect((await app.request('http://localhost/runs', sent)).status).toBe(201);
    expect(seen).toEqual(['ada']);
  });

  it('reaches identity as the Node request that a middleware changed', async () => {
    const { guard } = openBank();
    const seen: unknown[] = [];
    const identity = (_: Request, { incoming }: FetchEnv) => {
      seen.push(incoming !== undefined && 'user' in incoming && incoming.user);
      return { agent };
    };
    const wire = createWire(guard, { identity });
    onTestFinished(() => wire.close().then(guard.close));
    const app = express();
    app.use((request, _, next) => {
      Object.assign(request, { user: 'ada' });
      next();
    });
    app.use('/tools', wire.handler);
    const url = await listening(app);
    expect((await fetch(`${url}/tools/runs`, sent)).status).toBe(201);
    expect(seen).toEqual(['ada']);
  });

  it('is no parsed body: the error tells the host to mount the wire before its parser', async () => {
    const { guard } = openBank();
    const errors: unknown[] = [];
    const wire = createWire(guard, { identity: () => ({ agent }), onError: (error) => errors.push(error) });
    onTestFinished(() => wire.close().then(guard.close));
    const url = await listening(express().use(express.json()).use('/tools', wire.handler));
    expect((await fetch(`${url}/tools/runs`, sent)).status).toBe(500);
    expect(errors).toMatchObject([
      { code: 'definition_invalid', message: expect.stringContaining('express.json()') },
    ]);
  });
});

it('An aborted request is answered and leaves no resource open', async () => {
  const { guard } = openBank();
  const wire = createWire(guard, { identity: () => ({ agent }) });
  const request = new Request('http://localhost/openapi.json', { signal: AbortSignal.abort() });
  expect((await wire.fetch(request)).status).toBe(200);
  await wire.close();
  await guard.close();
});

it('A closed server answers 503 and holds no port', async () => {
  const { face, path } = await faces['the wire']!({});
  const url = await listening(face.handler);
  expect((await raw(`${url}${path}`)).status).toBe(200);
  await (face as Face).close();
  const { status, body } = await raw(`${url}${path}`);
  expect([status, JSON.parse(body)]).toMatchObject([503, { code: 'closed' }]);
});
