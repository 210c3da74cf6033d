import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConsole } from '../../../../src/apps/console/index.ts';
import { asked } from '../../core/shell/situations.ts';
import { scene } from '../../core/shell/scene.ts';
import { later } from '../../core/shell/scripted.ts';
import { settle } from '../../core/shell/simulated-clock.ts';
import { raw, served } from './served.ts';

const forbidden = { status: 403 };

describe('The console’s gate', () => {
  it('opens by a link, and then by a cookie, and removes the token from the address', async () => {
    const { opened, ask } = await served(scene().orchestrator);
    expect(opened).toMatchObject({ status: 303, headers: { location: './' } });
    const [cookie = ''] = opened.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    const { status, headers } = await ask('');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('uses 24 random bytes for each link, and another 24 for its cookie', async () => {
    const [one, other] = [await served(scene().orchestrator), await served(scene().orchestrator)];
    const secrets = [one, other].flatMap(({ room, url, cookie }) => [
      url.searchParams.get('token') ?? '',
      room.newToken(),
      cookie.split('=')[1] ?? '',
    ]);
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(24);
    expect(new Set(secrets).size).toBe(6);
    expect(one.cookie.split('=')[0]).not.toBe(other.cookie.split('=')[0]);
  });

  it('accepts each link once, and says how to get another', async () => {
    const { url, origin, room } = await served(scene().orchestrator);
    const again = await raw(url.href);
    expect(again).toMatchObject(forbidden);
    expect(again.headers).not.toHaveProperty('set-cookie');
    expect(again.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(again.body).toBe(
      'This link is not valid. Each link works once.\n' +
        'For a new link, press Enter in the terminal where "agentcharter console" runs, or run the command again. A gateway prints one with each question.\n' +
        'A program that serves the console creates one with newToken().\n',
    );
    const next = `${origin}/?token=${room.newToken()}`;
    expect((await raw(next)).status).toBe(303);
    expect(await raw(next)).toMatchObject(forbidden);
  });

  it('admits exactly one of several that use a link at once', async () => {
    const { origin, room } = await served(scene().orchestrator);
    const link = `${origin}/?token=${room.newToken()}`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => raw(link)));
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
      303, 403, 403, 403, 403, 403, 403, 403,
    ]);
  });

  it('refuses its cookie’s secret as a link, and a link as its cookie', async () => {
    const { origin, room, cookie } = await served(scene().orchestrator);
    const [name, secret] = cookie.split('=');
    expect(await raw(`${origin}/?token=${secret}`)).toMatchObject(forbidden);
    const token = room.newToken();
    expect(await raw(`${origin}/`, { headers: { cookie: `${name}=${token}` } })).toMatchObject(forbidden);
    expect((await raw(`${origin}/?token=${token}`)).status).toBe(303);
  });

  it('keeps a link unused after a refused request', async () => {
    const { origin, room } = await served(scene().orchestrator);
    const link = `${origin}/?token=${room.newToken()}`;
    expect((await raw(link, { method: 'HEAD' })).status).toBe(403);
    expect((await raw(link, { method: 'POST', headers: { origin } })).status).toBe(403);
    expect((await raw(link, { headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await raw(link, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await raw(link)).status).toBe(303);
  });

  it('redirects a visitor with a cookie, and uses the link up', async () => {
    const { ask, origin, url, room } = await served(scene().orchestrator);
    const token = room.newToken();
    for (const query of [url.search, `?token=${token}`]) {
      const { status, headers } = await ask(query);
      expect([status, headers.location]).toEqual([303, './']);
      expect(headers).not.toHaveProperty('set-cookie');
    }
    expect(await raw(`${origin}/?token=${token}`)).toMatchObject(forbidden);
  });

  it('keeps the newest 1,000 unused links', async () => {
    const { origin, room } = await served(scene().orchestrator);
    const [first, second] = [room.newToken(), room.newToken()];
    for (let more = 0; more < 999; more += 1) room.newToken();
    expect(await raw(`${origin}/?token=${first}`)).toMatchObject(forbidden);
    expect((await raw(`${origin}/?token=${second}`)).status).toBe(303);
  });

  it.each([
    ['without a token', '', {}],
    ['with a wrong token', '?token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', {}],
    ['with an empty token', '?token=', {}],
    ['with a cookie of another name', '', { cookie: 'agentcharter=x' }],
  ])('refuses a visitor %s at every path', async (_, query, headers) => {
    const { origin } = await served(scene().orchestrator);
    for (const path of ['', 'page.js', 'api/session', 'api/tasks', 'api/inbox', 'events', 'nowhere'])
      expect(await raw(`${origin}/${path}${query}`, { headers })).toMatchObject(forbidden);
  });

  it('refuses another value in its cookie', async () => {
    const { ask, cookie } = await served(scene().orchestrator);
    for (const changed of [
      cookie.slice(0, -1),
      `${cookie}x`,
      cookie.replace(/=.*/, '='),
      cookie.toLowerCase(),
    ])
      expect(await ask('api/tasks', { headers: { cookie: changed } })).toMatchObject(forbidden);
  });

  it.each(['evil.example', '127.0.0.1', '127.0.0.1:1', 'localhost.evil.example', '[::1]'])(
    'refuses the host %j, which could be bound to this address',
    async (host) => {
      const { ask } = await served(scene().orchestrator);
      expect(await ask('api/tasks', { headers: { host } })).toMatchObject(forbidden);
    },
  );

  it('accepts the configured hosts, and no other', async () => {
    const { room, origin, url } = await served(scene().orchestrator, { hosts: ['Console.example'] });
    expect(await raw(url.href)).toMatchObject(forbidden);
    const opened = await raw(`${origin}/?token=${room.newToken()}`, { headers: { host: 'console.example' } });
    expect(opened.status).toBe(303);
  });

  it.each(['http://evil.example', 'null', 'http://127.0.0.1:1', 'http://127.0.0.1'])(
    'refuses requests from a page of %s',
    async (origin) => {
      const { ask } = await served(scene().orchestrator);
      expect(await ask('api/tasks', { headers: { origin } })).toMatchObject(forbidden);
    },
  );

  it.each(['same-site', 'cross-site'])(
    'lets a %s page link to it, and load nothing from it',
    async (site) => {
      const { ask } = await served(scene().orchestrator);
      const headers = { 'sec-fetch-site': site };
      expect(await ask('api/tasks', { headers: { ...headers, 'sec-fetch-mode': 'no-cors' } })).toMatchObject(
        forbidden,
      );
      expect((await ask('', { headers: { ...headers, 'sec-fetch-mode': 'navigate' } })).status).toBe(200);
    },
  );

  it('accepts an answer from its own page only, and keeps the question open otherwise', async () => {
    const { orchestrator, open } = await asked('plan');
    const { ask, origin } = await served(orchestrator, { identity: () => 'dana' });
    const body = JSON.stringify({
      feedback: { type: 'approve', target: open.message.messageId },
      key: crypto.randomUUID(),
    });
    const answer = (headers: Readonly<Record<string, string>>) => {
      const sent = { 'content-type': 'application/json', ...headers };
      return ask('api/respond', { method: 'POST', headers: sent, body });
    };
    for (const other of ['http://evil.example', `${origin}.evil.example`, origin.replace('http:', 'https:')])
      expect(await answer({ origin: other })).toMatchObject(forbidden);
    expect(await answer({})).toMatchObject(forbidden);
    expect(await orchestrator.inbox()).toHaveLength(1);
    expect((await answer({ origin })).status).toBe(200);
  });

  it('forbids pages to run, style, frame, send or load anything foreign', async () => {
    const { ask, origin } = await served(scene().orchestrator);
    const answers = [await ask(''), await ask('api/tasks'), await ask('nowhere'), await raw(`${origin}/`)];
    for (const { headers } of answers) {
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
    }
    expect(answers[0]?.body).not.toMatch(/<style|<script>|style=|\son\w+=/);
  });

  it.each([
    '__proto__',
    'constructor',
    'toString',
    '/',
    '/\\',
    'api',
    'api/tasks/',
    '%',
    'api/%ff',
    '..%2f..%2fpackage.json',
  ])('serves nothing at /%s', async (path) => {
    const { ask } = await served(scene().orchestrator);
    expect((await ask(path)).status).toBe(404);
  });

  it('works below a path that another server strips', async () => {
    const { handler, newToken, close } = createConsole(scene().orchestrator);
    const server = createServer((request, response) => {
      request.url = (request.url ?? '').replace('/console', '');
      handler(request, response);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(async () => {
      await close();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/console/`;
    const { headers } = await raw(`${url}?token=${newToken()}`);
    expect(headers.location).toBe('./');
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const { status, body } = await raw(url, { headers: { cookie } });
    expect([status, [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path)]).toEqual([
      200,
      ['icon.svg', 'page.css', 'page.js'],
    ]);
    expect((await raw(`${url}api/tasks`, { headers: { cookie } })).status).toBe(200);
  });

  it('reports that its port is taken', async () => {
    const { url } = await served(scene().orchestrator);
    const { listen, close } = createConsole(scene().orchestrator);
    await expect(listen(Number(url.port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await close();
  });

  it('survives clients that leave before the answer', async () => {
    const left = later();
    const identity = async () => {
      await left.promise;
      return 'dana';
    };
    const { ask, origin, cookie } = await served(scene().orchestrator, { identity });
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write(`GET /api/session HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nCookie: ${cookie}\r\n\r\n`);
    await settle();
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    left.resolve(null);
    await settle();
    expect(JSON.parse((await ask('api/session')).body)).toEqual({ identity: 'dana', operates: false });
  });

  it('refuses other methods', async () => {
    const { ask, origin } = await served(scene().orchestrator);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST'])
      expect((await ask('api/tasks', { method, headers: { origin } })).status).toBe(404);
  });
});
