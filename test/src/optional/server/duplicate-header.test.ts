import { once } from 'node:events';
import { connect } from 'node:net';
import { createWire } from 'agentcharter/adapters/http';
import { createConsole } from 'agentcharter/console';
import { createInspector } from 'agentcharter/inspect';
import { describe, expect, it, onTestFinished } from 'vitest';
import { duplicateHeaderIn } from '../../../../src/optional/server/duplicate-header.ts';
import { openBank } from '../../guard/bank.ts';
import { cookieOf } from '../../apps/inspect/client.ts';

/** Sends bytes that no client would send and returns the status of the first answer. */
const statusOf = async (origin: string, lines: readonly string[]): Promise<string> => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`${lines.join('\r\n')}\r\n\r\n`); // Node answers no connection that the client has closed
  const [first] = (await once(socket, 'data')) as [Buffer];
  return /^HTTP\/1\.1 (\d+)/.exec(first.toString())?.[1] ?? first.toString();
};

interface Opened {
  readonly origin: string;
  readonly path: string;
  /** The headers that admit a request, besides its host. */
  readonly headers: readonly string[];
}

const servers: Readonly<Record<string, () => Promise<Opened>>> = {
  'the wire': async () => {
    const { guard } = openBank();
    const token = 'b3BlbnNlc2FtZQ.-_~+/==';
    const wire = createWire(guard, { identity: () => ({ person: 'kim' }), token });
    onTestFinished(() => wire.close().then(guard.close));
    return {
      origin: await wire.listen(),
      path: '/openapi.json',
      headers: [`Authorization: Bearer ${token}`],
    };
  },
  'the console': async () => {
    const { guard } = openBank();
    const room = createConsole(guard.orchestrator);
    onTestFinished(() => room.close().then(guard.close));
    const url = await room.listen();
    return { origin: new URL(url).origin, path: '/icon.svg', headers: [`Cookie: ${await cookieOf(url)}`] };
  },
  'the inspector': async () => {
    const inspector = await createInspector();
    onTestFinished(() => inspector.close());
    const { origin } = new URL(inspector.url);
    return { origin, path: '/page.css', headers: [`Cookie: ${await cookieOf(inspector.url)}`] };
  },
};

describe.each(Object.entries(servers))('%s', (_, open) => {
  it('rejects a repeated header that it relies on', async () => {
    const { origin, path, headers } = await open();
    const { host } = new URL(origin);
    const request = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers];
    expect(await statusOf(origin, request)).toBe('200');
    for (const twice of [
      [`Host: ${host}`],
      ['Host: evil.example'],
      ['HOST: evil.example'],
      ['Host:'],
      [`Origin: ${origin}`, 'Origin: https://evil.example'],
      ['Origin: https://evil.example', `Origin: ${origin}`],
      ['Authorization: Bearer x', 'Authorization: Bearer x'],
      ['Cookie: a=1', 'Cookie: a=1'],
      ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'],
      ['Idempotency-Key: one', 'Idempotency-Key: two'],
      ['Content-Type: application/json', 'Content-Type: text/plain'],
      ['Content-Length: 0', 'Content-Length: 0'],
      ['Content-Length: 0', 'Content-Length: 5'],
      ['Content-Encoding: identity', 'Content-Encoding: gzip'],
    ])
      expect([twice, await statusOf(origin, [...request, ...twice])]).toEqual([twice, '400']);
  });

  it('accepts other headers on several lines', async () => {
    const { origin, path, headers } = await open();
    const { host } = new URL(origin);
    const request = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers];
    expect(await statusOf(origin, [...request, 'Accept: text/css', 'Accept: */*', 'X-A: 1', 'X-A: 2'])).toBe(
      '200',
    );
  });

  it('rejects a target whose host differs from the Host header', async () => {
    const { origin, path, headers } = await open();
    const { host } = new URL(origin);
    const lines = [`Host: ${host}`, 'Connection: close', ...headers];
    expect(await statusOf(origin, [`GET ${origin}${path} HTTP/1.1`, ...lines])).toBe('200');
    expect(await statusOf(origin, [`GET http://evil.example${path} HTTP/1.1`, ...lines])).toBe('400');
    expect(await statusOf(origin, [`GET //evil.example${path} HTTP/1.1`, ...lines])).toBe('404');
  });
});

describe('a repeated header', () => {
  const request = new Request('http://here/');

  it('is detected in any letter case', () => {
    const incoming = { url: '/', headers: {} };
    expect(duplicateHeaderIn(request, { ...incoming, rawHeaders: ['Host', 'a', 'hOsT', 'b'] })).toBe('host');
    expect(
      duplicateHeaderIn(request, { ...incoming, rawHeaders: ['Host', 'Host', 'X-Host', 'host'] }),
    ).toBeNull();
  });

  it.each([
    ['/runs', null],
    ['//elsewhere.example/runs', null],
    ['http://here/runs', null],
    ['HTTP://HERE/runs', null],
    ['http://elsewhere.example/runs', 'host'],
    ['http://[/runs', 'host'],
  ])('includes a host in the target %s beside the Host header: %s', (url, doubled) => {
    expect(duplicateHeaderIn(request, { url, headers: { host: 'here' }, rawHeaders: ['Host', 'here'] })).toBe(
      doubled,
    );
  });

  it.each([
    ['host', 'a.example, b.example', 'host'],
    ['origin', 'http://a.example, http://b.example', 'origin'],
    ['sec-fetch-site', 'same-origin, cross-site', 'sec-fetch-site'],
    ['idempotency-key', 'one, two', 'idempotency-key'],
    ['content-type', 'application/json, text/plain', 'content-type'],
    ['authorization', 'Bearer one, Bearer two', 'authorization'],
    ['authorization', 'Digest username="a", realm="b"', null],
    ['accept', 'text/css, */*', null],
  ])('is detected without Node when a server joined %s: %s', (name, value, doubled) => {
    const joined = new Headers();
    for (const part of value.split(', ')) joined.append(name, part);
    expect(duplicateHeaderIn({ headers: joined })).toBe(doubled);
  });
});
