import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { defineTaskClass, type Model } from 'agentcharter';
import { remoteAgent } from 'agentcharter/adapters/a2a';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { cardOf } from '../../../src/adapters/a2a/stage.ts';
import type { Programs, Unchanged } from './reached.ts';
import { causeOf, identity, next, open } from './task.ts';

const Request = z.object({
  id: z.number(),
  params: z.object({ message: z.object({ contextId: z.string() }) }),
});

/** Answers a request with a completed task. */
const completed = (body: string, contextId?: string): object => {
  const { id, params } = Request.parse(JSON.parse(body));
  const status = { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:00Z' };
  const task = { id: 't', contextId: contextId ?? params.message.contextId, status };
  return { jsonrpc: '2.0', id, result: { task } };
};

/** Serves a remote agent on the loopback. It redirects its caller, or answers each request. */
const serve = async (behavior: { readonly contextId?: string; readonly location?: string }) => {
  const server = createServer((request, response) => {
    const { contextId, location } = behavior;
    const reply = (body: string): object =>
      body === '' ? cardOf(`http://${request.headers.host}/a2a`) : completed(body, contextId);
    const answer = async () => {
      const body = await text(request);
      if (body !== '' && location !== undefined) return response.writeHead(307, { location }).end();
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(reply(body)));
    };
    void answer();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server on a port has an address
};

/** A model that asks the scout. */
const model: Model = {
  answer: async ({ asks }) => ({
    canProceed: true,
    confidence: 0.9,
    explanation: '',
    ...(asks === 'plan' ? { calls: [{ tool: 'scout', arguments: {} }] } : { payload: {} }),
  }),
};

/** Returns why the call of a remote agent failed, as the `error` event reports it. */
const failureOf = async (
  agent: string,
  unchanged: Unchanged,
  budget: { readonly resultBytes?: number } = {},
): Promise<unknown> => {
  const scout = remoteAgent({
    agent,
    name: 'scout',
    description: 'Finds flats.',
    tier: 'read_only',
    input: z.object({}),
    budget,
  });
  const taskClasses = [defineTaskClass({ id: 'flats', tools: ['scout'], limits: { repairs: 0 } })];
  const orchestrator = open({ taskClasses, tools: [scout], model });
  const failed = next(orchestrator, 'error');
  const { taskId } = await orchestrator.submit({ taskClass: 'flats', payload: {}, identity });
  await unchanged(async () => (await orchestrator.task(taskId)).evidence);
  const { error } = await failed;
  await orchestrator.settled(taskId);
  return causeOf(error);
};

export const foreignErrors: Programs<'budget_exceeded' | 'address_refused' | 'reply_refused'> = {
  budget_exceeded: {
    program: async (unchanged) => failureOf(await serve({}), unchanged, { resultBytes: 100 }),
    says: 'agent scout sends more than 100 bytes in one answer, and its budget allows 100: have it need less, or raise budget.resultBytes',
    details: { party: 'agent scout', limit: 'resultBytes', allowed: 100, sent: null },
  },
  address_refused: {
    program: async (unchanged) => failureOf(await serve({ location: 'http://other.example' }), unchanged),
    says: 'agent scout refers to http://other.example: expected http://127.0.0.1:<port>; nothing was sent there. Add it to `origins` if it belongs to the agent',
    details: {
      agent: 'scout',
      origin: 'http://other.example',
      accepts: [expect.stringContaining('http://127.0.0.1:')],
    },
  },
  reply_refused: {
    program: async (unchanged) => failureOf(await serve({ contextId: 'another' }), unchanged),
    says: 'agent scout answered with a task of another conversation: expected the contextId of this call; its answer is not used. Tell the operator of the agent',
    details: { agent: 'scout', field: 'contextId' },
  },
};
