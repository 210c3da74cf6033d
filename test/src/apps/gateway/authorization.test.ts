import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  discoverOAuthProtectedResourceMetadata,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call as command } from '../cli/call.ts';
import { serving } from './serving.ts';
import { charter, heardBy, stand } from './stand.ts';

const audience = 'https://gateway.example/mcp';
const env = { DESK_TOKEN: 'a-token-of-the-desk' };

/** An authorization server on this machine, and what else its tokens say if they are wrong. */
const issuerOf = async (status = 200) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] };
  const http = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(keys));
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void http.close());
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const endless = (more: JWTPayload = {}, key = privateKey): Promise<string> =>
    new SignJWT({ iss: issuer, aud: audience, sub: 'agent-7', ...more })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .sign(key);
  const token = (more: JWTPayload = {}, key = privateKey) =>
    endless({ exp: Date.now() / 1000 + 600, ...more }, key);
  return { issuer, token, endless };
};

const fileFor = (issuer: string, more = ''): string => `${charter}
clients:
  - { name: desk, token: "\${DESK_TOKEN}" }
  - { name: reader, subject: agent-7, tools: [shop.find_order] }
authorization: { issuer: '${issuer}', jwks: '${issuer}/jwks.json', audience: '${audience}'${more} }
`;

const post = (url: string, token: string) =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
  });

const namesFor = async (url: string, token: string): Promise<readonly string[]> => {
  const client = new Client({ name: 'a client', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return (await heardBy(client).tools()).map(({ name }) => name);
};

describe('A gateway with an issuer', () => {
  it('tells clients where it is, and that they need a token of it', async () => {
    const { issuer } = await issuerOf();
    const { url } = await serving(await stand(fileFor(issuer)), env);
    const refused = await post(url, '');
    expect(refused.status).toBe(401);
    const where = new URL('/.well-known/oauth-protected-resource/mcp', url).href;
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${where}"`);
    const metadata = { resource: url, authorization_servers: [issuer], bearer_methods_supported: ['header'] };
    expect(await discoverOAuthProtectedResourceMetadata(new URL(url))).toEqual(metadata);
    expect(await (await fetch(new URL('/.well-known/oauth-protected-resource', url))).json()).toEqual(
      metadata,
    );
    const elsewhere = await fetch(where, { headers: { origin: 'https://elsewhere.example' } });
    expect(elsewhere.status).toBe(403);
  });

  it('admits the client of a subject, and clients with tokens of their own', async () => {
    const { issuer, token } = await issuerOf();
    const { url } = await serving(await stand(fileFor(issuer)), env);
    expect(await namesFor(url, await token())).not.toContain('shop_refund');
    expect(await namesFor(url, env.DESK_TOKEN)).toContain('shop_refund');
  });

  it('reads the claim that the file names', async () => {
    const { issuer, token } = await issuerOf();
    const { url } = await serving(await stand(fileFor(issuer, ', claim: client_id')), env);
    expect((await post(url, await token())).status).toBe(401);
    expect((await post(url, await token({ sub: 'other', client_id: 'agent-7' }))).status).toBe(200);
  });

  it('refuses tokens for others, of others, and of another time', async () => {
    const { issuer, token, endless } = await issuerOf();
    const { url } = await serving(await stand(fileFor(issuer)), env);
    const other = (await generateKeyPair('ES256')).privateKey;
    for (const [what, given] of [
      ['another audience', await token({ aud: 'https://other.example' })],
      ['another issuer', await token({ iss: 'https://other.example' })],
      ['expired', await token({ exp: 1 })],
      ['without an end', await endless()],
      ['of another key', await token({}, other)],
      ['no token', 'not-a-token-of-anyone'],
    ] as const) {
      const { status, headers } = await post(url, given);
      expect([what, status]).toEqual([what, 401]);
      expect(headers.get('www-authenticate')).toMatch(
        /^Bearer resource_metadata=".*", error="invalid_token"$/,
      );
    }
    expect((await post(url, await token({ sub: 'agent-8' }))).status).toBe(403);
    expect((await post(url, await token())).status).toBe(200);
  });

  it('admits no one by a token while the keys cannot be read, and says so', async () => {
    const { issuer, token } = await issuerOf(503);
    const { url, said } = await serving(await stand(fileFor(issuer)), env);
    expect((await post(url, await token())).status).toBe(500);
    expect(said()).toContain('the keys of the issuer cannot be read');
    expect((await post(url, env.DESK_TOKEN)).status).toBe(200);
  });
});

it('Without an issuer, there is no metadata', async () => {
  const file = `${charter}clients: [{ name: desk, token: "\${DESK_TOKEN}" }]\n`;
  const { url } = await serving(await stand(file), env);
  expect((await fetch(new URL('/.well-known/oauth-protected-resource', url))).status).toBe(404);
  expect((await post(url, '')).headers.get('www-authenticate')).toBe('Bearer');
});

it.each([
  [
    'a subject without an issuer',
    `${charter}clients: [{ name: a, subject: one }]\n`,
    'needs `authorization`',
  ],
  [
    'a subject of two clients',
    fileFor('https://issuer.example').replace('name: desk,', 'name: desk, subject: agent-7,'),
    'is the subject of another client too',
  ],
  [
    'keys over HTTP from elsewhere',
    fileFor('http://issuer.example'),
    'must begin with https://, or be of this machine',
  ],
])('%s is refused before anything starts', async (_, file, says) => {
  const { code, stderr } = await command('gateway charter.yaml --http 0', { cwd: await stand(file), env });
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});
