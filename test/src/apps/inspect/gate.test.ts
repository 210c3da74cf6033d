import { describe, expect, it, onTestFinished } from 'vitest';
import { createInspector, type InspectorOptions } from 'agentcharter/inspect';
import { isCharterError } from 'agentcharter';
import { ask, cookieOf } from './client.ts';
import { orderActor } from './machines.ts';

const inspecting = async (options: InspectorOptions = {}) => {
  const inspector = await createInspector(options);
  onTestFinished(() => inspector.close());
  const { port, origin } = new URL(inspector.url);
  return { ...inspector, port, origin };
};
const paths = ['/', '/page.js', '/page.css', '/events', '/chart?actor=x:0', '/none'];

describe('The inspector’s address', () => {
  it('is on 127.0.0.1 only, with a token of 24 random bytes that a cookie replaces', async () => {
    const { url } = await inspecting({ randomBytes: (size) => new Uint8Array(size).fill(255) });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=_{32}$/);
    const { status, headers } = await ask(url);
    expect(status).toBe(303);
    expect(headers).toMatchObject({
      location: './',
      'set-cookie': [expect.stringMatching(/^agentcharter-\w+=_{32}; Path=\/; HttpOnly; SameSite=Strict$/)],
    });
    const page = await ask(new URL('/', url).href, { cookie: await cookieOf(url) });
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('https://stately.ai/inspect') });
    expect(page.body).not.toContain('____');
  });

  it('has another token each time', async () => {
    const [one, other] = [await inspecting(), await inspecting()];
    expect(new URL(one.url).search).not.toBe(new URL(other.url).search);
  });

  it('answers on this machine only', async () => {
    const { port } = await inspecting();
    await expect(ask(`http://127.0.0.2:${port}/`)).rejects.toThrow('ECONNREFUSED');
    await expect(ask(`http://[::1]:${port}/`)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('A refused request to the inspector', () => {
  it.each(paths)('at %s has no token, a wrong one, or another inspector’s', async (path) => {
    const { url, origin } = await inspecting();
    const cookie = await cookieOf(url);
    const [name] = cookie.split('=');
    const stranger = (await cookieOf((await inspecting()).url)).split('=')[1];
    const token = new URL(url).searchParams.get('token');
    const asked = [{}, `${name}=`, `${name}=${stranger}`, `${name}=${token}`, 'agentcharter-1=1'];
    for (const cookie of asked)
      expect(await ask(origin + path, typeof cookie === 'string' ? { cookie } : {})).toMatchObject({
        status: 403,
      });
    const wrong = new URL(path, origin);
    wrong.searchParams.set('token', 'x'.repeat(32));
    // who is in already is led back, to an address without it
    for (const [headers, status] of [
      [{}, 403],
      [{ cookie }, 303],
    ] as const) {
      const answered = await ask(wrong.href, headers);
      expect(answered).toMatchObject({ status, body: expect.not.stringContaining('x') });
      expect(answered.headers).not.toHaveProperty('set-cookie');
    }
  });

  it.each(paths)('at %s comes from a page of another name or origin, with any token', async (path) => {
    const { url, origin, port } = await inspecting();
    const cookie = await cookieOf(url);
    const hosts = [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port}0`,
      `127.0.0.1.evil:${port}`,
    ];
    const origins = [
      'https://evil.example',
      'null',
      'http://127.0.0.1:1',
      `https://127.0.0.1:${port}`,
      'https://stately.ai',
    ];
    for (const host of hosts) {
      const status = URL.canParse(`http://${host}`) ? 403 : 400; // no port is that high
      expect(await ask(origin + path, { cookie, host })).toMatchObject({ status });
    }
    for (const page of origins)
      expect(await ask(origin + path, { cookie, origin: page })).toMatchObject({ status: 403 });
    for (const site of ['cross-site', 'same-site'])
      expect(await ask(origin + path, { cookie, 'sec-fetch-site': site })).toMatchObject({ status: 403 });
    for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }])
      expect(await ask(url, headers)).toMatchObject({
        status: 403,
        headers: expect.not.objectContaining({ 'set-cookie': expect.anything() }),
      });
  });

  it.each(['POST', 'PUT', 'OPTIONS', 'HEAD', 'DELETE'])(
    'sends nothing back to the process: %s',
    async (method) => {
      const { url } = await inspecting();
      expect(await ask(url, {}, method)).toMatchObject({ status: 405 });
    },
  );
});

describe('An admitted page of the inspector', () => {
  it.each(paths.filter((path) => path !== '/events'))('may load nothing foreign: %s', async (path) => {
    const { url, origin, port, inspect } = await inspecting();
    orderActor(inspect);
    const cookie = await cookieOf(url);
    const { status, headers } = await ask(origin + path, { cookie: `a=b; ${cookie}`, origin });
    expect(status).toBe(path === '/none' || path.startsWith('/chart') ? 404 : 200);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; .*frame-src https:\/\/stately\.ai; .*frame-ancestors 'none'$/,
      ),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect((await ask(origin + path, { cookie, host: `localhost:${port}` })).status).toBe(status);
  });

  it.each([
    ['undefined', () => undefined],
    ['not a string', () => 4 as never],
    ['an error', () => Promise.reject(new Error('no'))],
  ])('has no picture that is %s', async (_what, chart) => {
    const { url, origin, inspect } = await inspecting({ chart });
    const { sessionId } = orderActor(inspect);
    const answered = await ask(`${origin}/chart?actor=${sessionId}`, { cookie: await cookieOf(url) });
    expect(answered).toMatchObject({ status: 404, body: 'it has no picture' });
  });

  it('shows a viewer’s address as text', async () => {
    const { url, origin } = await inspecting({ viewer: 'https://viewer.example/?"><script>&amp;' });
    const { body } = await ask(origin, { cookie: await cookieOf(url) });
    expect(body).toContain('data-viewer="https://viewer.example/?&quot;>&lt;script>&amp;amp;"');
  });
});

describe('An invalid inspector option', () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['/port', { port: -1 }],
    ['/port', { port: 65_536 }],
    ['/port', { port: '80' }],
    ['/viewer', { viewer: 'javascript:alert(1)' }],
    ['/viewer', { viewer: 'stately.ai' }],
    ['/redact', { redact: 'secret' }],
    ['/actors', { actors: 0 }],
    ['/patience', { patience: Number.NaN }],
    ['/chart', { chart: '<svg/>' }],
    ['/randomBytes', { randomBytes: 4 }],
    ['/randomBytes', { randomBytes: () => new Uint8Array() }],
    ['/randomBytes', { randomBytes: () => new Uint8Array(23) }],
    ['/prot', { prot: 1 }],
  ];
  it.each(wrong)('%s is refused: %j', async (path, options) => {
    const error: unknown = await createInspector(options as InspectorOptions).catch(
      (caught: unknown) => caught,
    );
    expect(isCharterError(error, 'definition_invalid') && error.details).toEqual({
      definition: 'inspector',
      issues: [{ path, message: expect.any(String) }],
    });
  });
});
