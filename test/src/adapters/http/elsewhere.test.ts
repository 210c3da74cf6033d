import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { httpPolicy, httpVerifier } from 'agentcharter/adapters/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBank } from '../../guard/bank.ts';

interface Seen {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** A service on this machine, and what it was asked. */
const service = async (answer: (response: ServerResponse, body: unknown) => void) => {
  const seen: Seen[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const part of request) text += String(part);
    const body: unknown = JSON.parse(text);
    seen.push({ method: request.method, headers: request.headers, body });
    answer(response, body);
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ask?of=1`;
  return { url, seen };
};

const says = (document: unknown) => (response: ServerResponse) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(document));

const headers = { authorization: 'Bearer s3cret-s3cret' };

/** Pays in a bank under a policy; returns the outcome, and what the host was told of errors. */
const paid = async (url: string, contract = {}) => {
  const bank = openBank(contract, { policy: httpPolicy({ url, headers }) });
  onTestFinished(() => bank.guard.close());
  const errors: string[] = [];
  bank.guard.orchestrator.on('error', ({ error }) => errors.push(inspect(error)));
  const run = await bank.begin();
  const outcome = await run.call('note', { line: 'a' }, { ref: 'c1' });
  const ledger = JSON.stringify(await bank.guard.orchestrator.ledger(run.taskId));
  expect(ledger + errors.join()).not.toContain('s3cret');
  return { bank, run, outcome, errors: errors.join(), ledger };
};

describe('A policy that answers elsewhere', () => {
  it('is asked what a policy is asked, and decides', async () => {
    const { url, seen } = await service(says({ verdict: 'allow', reasons: ['small'] }));
    const { outcome, bank, ledger } = await paid(url);
    expect(outcome).toMatchObject({ status: 'done' });
    expect(bank.done).toEqual(['note a']);
    expect(ledger).toContain('small');
    expect(seen[0]).toMatchObject({
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: {
        action: 'note',
        arguments: { line: 'a' },
        tier: 'write_low_risk',
        identity: { agent_id: 'teller' },
      },
    });
  });

  it('asks a person, or ends the call', async () => {
    const review = await service(says({ verdict: 'needs_review', reasons: ['large'] }));
    expect((await paid(review.url)).outcome).toMatchObject({ status: 'paused' });
    const deny = await service(says({ verdict: 'deny', ends: 'call', reasons: ['never'] }));
    expect((await paid(deny.url)).outcome).toMatchObject({ status: 'refused' });
  });

  it.each([
    ['a status', (response: ServerResponse) => void response.writeHead(500).end('no'), 'answered 500'],
    [
      'a redirect',
      (response: ServerResponse) => void response.writeHead(307, { location: '/' }).end(),
      'answered 307',
    ],
    ['no JSON', (response: ServerResponse) => void response.end('allow'), 'is not JSON'],
    ['another document', says({ verdict: 'yes', reasons: [] }), '/verdict'],
    ['too much', says({ verdict: 'allow', reasons: ['x'.repeat(1_100_000)] }), 'too large'],
    ['nothing', (response: ServerResponse) => void response.destroy(), 'cannot be reached'],
  ])('allows nothing by %s', async (_, answer, why) => {
    const { url } = await service(answer);
    const { outcome, bank, errors } = await paid(url);
    expect(outcome.status).not.toBe('done');
    expect(bank.done).toEqual([]);
    expect(errors).toContain(why);
  });

  it('allows nothing when its time is over', async () => {
    const { url } = await service(() => {});
    const { outcome, bank } = await paid(url, { deadlines: { policy: 50 } });
    expect(outcome.status).not.toBe('done');
    expect(bank.done).toEqual([]);
  });
});

describe('A verifier that answers elsewhere', () => {
  it('passes a draft, or does not', async () => {
    for (const result of ['pass', 'fail'] as const) {
      const { url, seen } = await service(says({ checks: [{ check_id: 'sum', result }] }));
      const verifier = httpVerifier({ id: 'sums', url, headers, requires: ['sum'] });
      const contract = { beforeDeliver: { verifiers: ['sums'] } };
      const bank = openBank(contract, { verifiers: [verifier] });
      onTestFinished(() => bank.guard.close());
      const run = await bank.begin();
      const concluded = await run.conclude({ payload: { sum: 7 } });
      expect(concluded.status).toBe(result === 'pass' ? 'delivered' : 'repairing');
      expect(seen[0]?.body).toMatchObject({ kind: 'draft', value: { sum: 7 } });
    }
  });
});

describe('httpPolicy and httpVerifier', () => {
  it('refuse an address that is none, or that holds a password', () => {
    for (const url of ['localhost', 'file:///a', 'http://kim:secret@localhost/']) {
      expect(() => httpPolicy({ url })).toThrow('url: expected an absolute http or https URL');
      expect(() => httpVerifier({ id: 'v', url })).toThrow('url: expected an absolute http or https URL');
    }
    expect(() => httpPolicy({ url: 'http://localhost', header: {} } as never)).toThrow('header');
  });
});
