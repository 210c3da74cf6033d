import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pay, raw, read, served } from './served.ts';

const stranger = crypto.randomUUID();
const job = { taskClass: 'job', payload: {} };

const opened = async (url: string): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
};

describe('A caller over HTTP', () => {
  it('without an identity is refused everywhere except for the description', async () => {
    const { ask, guard } = await served();
    for (const as of [null, 'mallory', 'toString']) {
      const { status, headers } = await ask('/runs', { method: 'POST', as, body: JSON.stringify(job) });
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
    expect((await ask('/openapi.json', { as: null })).status).toBe(200);
    expect(await guard.orchestrator.list()).toEqual([]);
  });

  it('cannot set its identity in a body', async () => {
    const { post, guard, begin } = await served();
    const identity = { agent_id: 'chief', owner_id: 'acme', control_class: 'autonomous' };
    const { status, said } = await post('/runs', { ...job, identity });
    expect([status, said['code']]).toEqual([422, 'document_invalid']);
    const [first] = await guard.orchestrator.ledger(await begin());
    expect(first?.brought.request?.identity).toMatchObject({ agent_id: 'teller', owner_id: 'acme' });
  });

  it('as a person begins no run, and as an agent answers nothing', async () => {
    const { post, begin } = await served();
    const taskId = await begin();
    expect((await post('/runs', job, { as: 'kim' })).status).toBe(403);
    expect((await post('/messages', job, { as: 'kim' })).status).toBe(403);
    expect((await post(`/runs/${taskId}/calls`, read, { as: 'kim' })).status).toBe(404);
    expect((await post('/feedback', {})).status).toBe(403);
  });

  it.each(['rival', 'scout'])('as another agent (%s) finds and moves no run of this one', async (as) => {
    const { ask, post, begin, guard, get } = await served();
    const taskId = await begin();
    const before = await guard.orchestrator.ledger(taskId);
    const { threadId } = await get(`/runs/${taskId}`);
    for (const place of ['', '/envelopes', '/ag-ui'])
      expect((await ask(`/runs/${taskId}${place}`, { as })).status).toBe(404);
    expect((await ask(`/threads/${String(threadId)}`, { as })).status).toBe(404);
    for (const [place, body] of [
      ['calls', read],
      ['rounds', { calls: [read] }],
      ['conclusion', { payload: {} }],
      ['cancel', {}],
      ['ag-ui', { threadId, runId: 'r' }],
    ] as const)
      expect((await post(`/runs/${taskId}/${place}`, body, { as })).status).toBe(404);
    expect(await guard.orchestrator.ledger(taskId)).toEqual(before);
  });

  it('receives an error that quotes nothing when `identity` throws, and the host learns why', async () => {
    const { ask, errors } = await served({
      wire: { identity: () => Promise.reject(new Error('down: secret')) },
    });
    const { status, body } = await ask('/runs', { method: 'POST', body: '{}' });
    expect([status, JSON.parse(body)]).toMatchObject([500, { code: 'broken' }]);
    expect(body).not.toContain('secret');
    expect(errors).toMatchObject([{ message: 'down: secret' }]);
  });
});

describe('An HTTP request', () => {
  it('without the host’s token is refused', async () => {
    const token = 'b3BlbnNlc2FtZQ.-_~+/==';
    const { ask } = await served({ wire: { token } });
    const withToken = (authorization: string) => ask('/openapi.json', { headers: { authorization } });
    expect((await ask('/openapi.json')).status).toBe(401);
    expect((await withToken(`Bearer ${token.slice(0, -1)}`)).status).toBe(401);
    expect((await withToken(`Bearer ${token}`)).status).toBe(200);
  });

  it.each([
    ['empty', ''],
    ['short', 'opensesame12345'],
    ['invalid in a header', 'open sesame open sesame'],
    ['only spaces', ' '.repeat(20)],
  ])('is not served behind a token that is %s', async (_, token) => {
    const refusal = await served({ wire: { token } }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'definition_invalid', details: { definition: 'wire' } });
    expect(refusal).toMatchObject({ details: { issues: [{ path: '/token' }] } });
    if (token !== '') expect(String(refusal)).not.toContain(token);
  });

  it('for another host or from another origin is refused', async () => {
    const { ask, url } = await served();
    expect((await ask('/openapi.json', { headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await ask('/openapi.json', { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await ask('/openapi.json', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await ask('/openapi.json', { headers: { origin: url } })).status).toBe(200);
    const named = await served({ wire: { hosts: ['Agents.Example'] } });
    expect((await named.ask('/openapi.json', { headers: { host: 'agents.example' } })).status).toBe(200);
    expect((await named.ask('/openapi.json')).status).toBe(403);
  });

  it.each([
    '/',
    '//runs',
    '/runs/',
    '/runs/x',
    '/runs/..%2f..%2fetc%2fpasswd',
    '/runs/../../etc/passwd',
    `/runs/${stranger}`,
    `/runs/${stranger}/calls/x`,
    `/threads/${stranger}`,
    `/runs/${stranger}%00`,
    '/constructor',
    '/openapi_json',
    '/%',
  ])('for %s is refused as not found', async (path) => {
    const { url } = await served();
    const { status, body } = await raw(`${url}${path}`);
    expect([status, JSON.parse(body)]).toMatchObject([404, { code: 'not_found' }]);
  });

  it('to an unknown run is refused as not found', async () => {
    const { post } = await served();
    expect((await post(`/runs/${stranger}/calls`, read)).status).toBe(404);
    expect((await post(`/runs/${stranger}/cancel`, {}, { as: 'kim' })).status).toBe(404);
  });

  it('by another method is refused, with the allowed ones', async () => {
    const { ask } = await served();
    for (const [method, path, allow] of [
      ['GET', '/runs', 'POST, OPTIONS'],
      ['DELETE', `/runs/${stranger}`, 'GET, HEAD, OPTIONS'],
      ['PUT', `/runs/${stranger}/ag-ui`, 'GET, POST, HEAD, OPTIONS'],
    ] as const) {
      const { status, headers } = await ask(path, { method });
      expect([status, headers.allow]).toEqual([405, allow]);
    }
    const { status, headers } = await ask('/runs', { method: 'OPTIONS', as: null });
    expect([status, headers.allow]).toEqual([204, 'POST, OPTIONS']);
  });

  it('by HEAD is answered as by GET, without a body', async () => {
    const { ask, begin } = await served();
    const taskId = await begin();
    for (const path of [`/runs/${taskId}`, `/runs/${taskId}/ag-ui`, '/openapi.json']) {
      const { status, body } = await ask(path, { method: 'HEAD' });
      expect([status, body]).toEqual([200, '']);
    }
  });

  it.each([
    ['a body that is not JSON', '{', 400],
    ['a duplicate key', '{"taskClass":"job","taskClass":"job","payload":{}}', 400],
    ['a __proto__ key', '{"taskClass":"job","payload":{"__proto__":{}}}', 400],
    ['an integer beyond 2^53', '{"taskClass":"job","payload":{"n":9007199254740993}}', 400],
    ['an empty body', '', 400],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['too many levels', '['.repeat(100_000), 400],
    ['slightly too many bytes', `"${'x'.repeat(1_048_576)}"`, 413],
    ['far too many bytes', Buffer.alloc(16_777_216, 32), 413],
    ['another class', '{"taskClass":"none","payload":{}}', 404],
    ['an unknown member', '{"taskClass":"job","payload":{},"tier":"read_only"}', 422],
    ['no payload', '{"taskClass":"job"}', 422],
    ['a list', '[]', 422],
  ])('of %s begins nothing', async (_, body, expected) => {
    const { ask, guard, get } = await served();
    expect((await ask('/runs', { method: 'POST', body })).status).toBe(expected);
    expect(await guard.orchestrator.list()).toEqual([]);
    expect(await get('/openapi.json')).toMatchObject({ openapi: '3.1.1' });
  });

  it('over the size limit without a length is refused while it arrives', async () => {
    const { url } = await served();
    const socket = await opened(url);
    const { host } = new URL(url);
    socket.write(
      `POST /runs HTTP/1.1\r\nHost: ${host}\r\nX-Caller: teller\r\nContent-Type: application/json\r\n`,
    );
    socket.write('Transfer-Encoding: chunked\r\n\r\n');
    const chunk = 'x'.repeat(65_536);
    for (let sent = 0; sent <= 16; sent += 1) socket.write(`10000\r\n${chunk}\r\n`);
    const [told] = (await once(socket, 'data')) as [Buffer];
    expect(told.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect(socket.destroyed).toBe(false);
    socket.write(`10000\r\n${chunk}\r\n0\r\n\r\nGET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const [next] = (await once(socket, 'data')) as [Buffer];
    expect(next.toString()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('in another form than JSON is refused', async () => {
    const { ask, guard } = await served();
    const body = JSON.stringify(job);
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-encoding': 'gzip' },
    ])
      expect((await ask('/runs', { method: 'POST', headers, body })).status).toBe(415);
    expect(await guard.orchestrator.list()).toEqual([]);
    const headers = { 'content-type': 'Application/JSON; charset="UTF-8"' };
    expect((await ask('/runs', { method: 'POST', headers, body })).status).toBe(201);
  });

  it.each(['', 'x'.repeat(129), 'kéy'])('with the key %j is refused', async (key) => {
    const { post, guard } = await served();
    const { status } = await post('/runs', job, { headers: { 'idempotency-key': key } });
    expect(status).toBe(422);
    expect(await guard.orchestrator.list()).toEqual([]);
  });

  it.each([
    ['calls', { tool: 'read', arguments: {} }],
    ['calls', { ...read, ref: 'x'.repeat(129) }],
    ['calls', { ...read, confidence: 2 }],
    ['calls', { ...read, tier: 'read_only' }],
    ['rounds', { calls: [] }],
    ['rounds', { calls: Array.from({ length: 65 }, (_, at) => ({ ...read, ref: `r-${at}` })) }],
    ['conclusion', {}],
    ['conclusion', { payload: {}, state: 'deliver' }],
    ['conclusion', { payload: [] }],
    ['cancel', { by: 'kim' }],
    ['ag-ui', { runId: 'r' }],
  ])('to %s with a wrong body names the mistake and changes nothing: %j', async (place, body) => {
    const { post, begin, guard } = await served();
    const taskId = await begin();
    const before = await guard.orchestrator.ledger(taskId);
    const { status, said } = await post(`/runs/${taskId}/${place}`, body);
    expect([status, said]).toMatchObject([422, { code: 'document_invalid', errors: [{}] }]);
    expect(await guard.orchestrator.ledger(taskId)).toEqual(before);
  });
});

describe('An HTTP connection', () => {
  it('that ends within a body changes nothing, and logs no error', async () => {
    const { url, guard, errors, get } = await served();
    const socket = await opened(url);
    const { host } = new URL(url);
    socket.write(
      `POST /runs HTTP/1.1\r\nHost: ${host}\r\nX-Caller: teller\r\nContent-Type: application/json\r\n`,
    );
    socket.write('Content-Length: 100\r\n\r\n{"taskClass"');
    socket.resetAndDestroy();
    await once(socket, 'close');
    await get('/openapi.json');
    expect([await guard.orchestrator.list(), errors]).toEqual([[], []]);
  });

  it('that ends while it waits for a person keeps the call, and logs no error', async () => {
    const { url, begin, guard, errors, post, approve, done } = await served();
    const taskId = await begin();
    const asked = new Promise((resolve) => guard.orchestrator.on('question', resolve));
    const socket = await opened(url);
    const { host } = new URL(url);
    const body = JSON.stringify({ ...pay, waits: true });
    socket.write(`POST /runs/${taskId}/calls HTTP/1.1\r\nHost: ${host}\r\nX-Caller: teller\r\n`);
    socket.write(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await asked;
    socket.resetAndDestroy();
    await once(socket, 'close');
    await approve(taskId);
    expect((await post(`/runs/${taskId}/calls`, pay)).said).toMatchObject({ status: 'done' });
    expect([done, errors]).toEqual([['pay alice'], []]);
  });

  it('that reads nothing delays no other', async () => {
    const { url, begin, post, errors } = await served();
    const taskId = await begin();
    const socket = await opened(url);
    socket.pause();
    const { host } = new URL(url);
    socket.write(`GET /runs/${taskId}/ag-ui HTTP/1.1\r\nHost: ${host}\r\nX-Caller: teller\r\n\r\n`);
    const long = 'x'.repeat(500_000);
    await post(`/runs/${taskId}/calls`, read);
    const concluded = await post(`/runs/${taskId}/conclusion`, { payload: { long }, explanation: long });
    expect(concluded.said).toMatchObject({ status: 'delivered' });
    expect(errors).toEqual([]);
  });

  it('closes with the server, and the guard continues', async () => {
    const { ask, begin, room, guard, post } = await served();
    const taskId = await begin();
    const following = ask(`/runs/${taskId}/ag-ui`);
    const asked = new Promise((resolve) => guard.orchestrator.on('question', resolve));
    const waiting = post(`/runs/${taskId}/calls`, { ...pay, waits: true });
    const ends = Promise.allSettled([following, waiting]);
    await asked;
    await room.close();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await guard.orchestrator.inbox(taskId)).toHaveLength(1);
  });

  it('receives an error when the guard is closed', async () => {
    const { post, begin, guard } = await served();
    const taskId = await begin();
    await guard.close();
    const { status, said } = await post(`/runs/${taskId}/calls`, read);
    expect([status, said['code']]).toEqual([503, 'closed']);
  });
});
