import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { TaskState, type AgentCard, type Message, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { a2aMessage, dataPart, remoteAgent, textPart } from '../../../../src/adapters/a2a/index.ts';
import type { Orchestrator } from '../../../../src/index.ts';
import { begin, evidenceIn, outerOf, questionOf, type Remote } from './outer.ts';
import { cardOf, stage } from './stage.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A server of somebody else's, and what was asked of it. */
const strange = async (answer: Answer) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.on('error', () => {});
    void answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
};

/** Stands for what is nested too deeply to be written by `JSON.stringify`. */
const deep = 'too deep';
const deepText = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;

const json = (response: ServerResponse, value: unknown): unknown =>
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify(value).replace(JSON.stringify(deep), deepText));

const isCard = ({ url }: IncomingMessage): boolean => url === '/.well-known/agent-card.json';

/** A task as it stands on the wire, which answers a message of JSON-RPC. */
const completed = async (request: IncomingMessage, parts: readonly unknown[] = [{ data: { ok: true } }]) => {
  const { id, params } = JSON.parse(await text(request)) as {
    readonly id: number;
    readonly params: { readonly message?: { readonly contextId: string } };
  };
  if (params.message === undefined) return { jsonrpc: '2.0', id, result: { tasks: [] } };
  const { contextId } = params.message;
  const status = { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:00Z' };
  const task = { id: 't', contextId, status, artifacts: [{ artifactId: 'a', parts }] };
  return { jsonrpc: '2.0', id, result: { task } };
};

/** An agent whose card leads to an address, and that completes whatever it is asked. */
const agentAt = async (leads: () => string = () => '', more: Partial<AgentCard> = {}) => {
  const agent = await strange(async (request, response) =>
    json(
      response,
      isCard(request)
        ? cardOf(leads() || `http://${request.headers.host}/a2a`, more)
        : await completed(request),
    ),
  );
  return agent;
};

const outer = async (agent: string | Client, remote: Remote = {}) => {
  const inner = await stage();
  return outerOf(inner.url, { agent, ...remote });
};

const failuresIn = async (orchestrator: Orchestrator, taskId: string): Promise<readonly string[]> =>
  (await orchestrator.ledger(taskId)).flatMap(({ fact, brought }) =>
    fact?.type === 'call.failed' || fact?.type === 'call.doubted' ? (brought.explanation ?? '') : [],
  );

/** What became of a call of an agent. */
const called = async (agent: string | Client, remote: Remote = {}) => {
  const { orchestrator } = await outer(agent, remote);
  const asking = questionOf(orchestrator);
  const { taskId } = await begin(orchestrator);
  const asked = asking.then(({ question }) => ({ outcome: question.kind }));
  const { outcome } = await Promise.race([orchestrator.settled(taskId), asked]);
  const failures = await failuresIn(orchestrator, taskId);
  return { outcome, failures, evidence: await evidenceIn(orchestrator, taskId) };
};

describe('The address of a remote agent', () => {
  it('is the one of the host, whatever the card names', async () => {
    const other = await agentAt();
    const agent = await agentAt(() => `${other.url}/a2a`);
    const { failures, evidence } = await called(agent.url);
    expect(failures).toEqual([
      expect.stringContaining(`agent remote refers to ${other.url}: expected ${agent.url}`),
    ]);
    expect([other.asked, evidence]).toEqual([[], []]);
    expect(await called(agent.url, { origins: [other.url] })).toMatchObject({ outcome: 'success' });
    expect(other.asked).toEqual(['POST /a2a']);
  });

  it('stays the one of the first card, whatever the agent serves later', async () => {
    const other = await agentAt();
    let leads = '';
    const agent = await agentAt(() => leads);
    const tool = remoteAgent({
      agent: agent.url,
      name: 'remote',
      description: '',
      tier: 'read_only',
      input: z.object({}),
    });
    const context = { key: 'k', attempt: 0, met: null, answer: null, signal: new AbortController().signal };
    expect(await tool.call({}, context as never)).toMatchObject({ parts: [{ data: { ok: true } }] });
    leads = `${other.url}/a2a`;
    expect(await tool.call({}, context as never)).toMatchObject({ parts: [{ data: { ok: true } }] });
    expect(other.asked).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])('refuses a redirect with %i', async (status) => {
    const other = await agentAt();
    const away = (response: ServerResponse, to: string) => response.writeHead(status, { location: to }).end();
    const byCard = await strange((request, response) => away(response, `${other.url}${request.url}`));
    const byAnswer = await strange((request, response) =>
      isCard(request)
        ? json(response, cardOf(`http://${request.headers.host}/a2a`))
        : away(response, `${other.url}/a2a`),
    );
    const within = await strange((request, response) =>
      isCard(request) ? json(response, cardOf(`http://${request.headers.host}/a2a`)) : away(response, '/b2b'),
    );
    for (const agent of [byCard, byAnswer, within]) {
      const { failures, evidence } = await called(agent.url);
      expect(failures).toEqual([expect.stringMatching(/agent remote (?:refers|redirects)/)]);
      expect(evidence).toEqual([]);
    }
    expect([other.asked, within.asked]).toEqual([[], ['GET /.well-known/agent-card.json', 'POST /a2a']]);
  });

  it('must be a web address, and so must its origins', () => {
    for (const [agent, origins, path] of [
      ['agent.example', [], '/agent'],
      ['file:///etc/passwd', [], '/agent'],
      ['https://agent.example', ['https://api.example', 'api.example'], '/origins/1'],
    ] as const)
      expect(() =>
        remoteAgent({
          agent,
          origins,
          name: 'remote',
          description: '',
          tier: 'read_only',
          input: z.object({}),
        }),
      ).toThrow(
        expect.objectContaining({
          code: 'definition_invalid',
          details: expect.objectContaining({ issues: [expect.objectContaining({ path })] }),
        }),
      );
  });
});

const flood = (response: ServerResponse): void => {
  const chunk = Buffer.alloc(262_144, 32);
  response.setHeader('content-type', 'application/json');
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

const skills = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: `s${at}`,
    name: 's',
    description: '',
    tags: [],
    examples: [],
    inputModes: [],
    outputModes: [],
    securityRequirements: [],
  }));

describe('The budget of a remote agent', () => {
  it.each<readonly [string, Answer, string]>([
    ['a card that never ends', (_, response) => flood(response), 'bytes in one listing'],
    [
      'a card of 5 MiB',
      (_, response) => json(response, cardOf('http://127.0.0.1/', { description: 'x'.repeat(5_242_880) })),
      'bytes in one listing',
    ],
    [
      'a card of 5,001 skills',
      ({ headers }, response) => json(response, cardOf(`http://${headers.host}/`, { skills: skills(5_001) })),
      '5001 tools in one listing',
    ],
    [
      'a card that is 5,000 deep',
      ({ headers }, response) => json(response, { ...cardOf(`http://${headers.host}/`), more: deep }),
      'levels of nesting',
    ],
  ])('sends nothing over the limit: %s', async (_, answer, why) => {
    const agent = await strange(answer);
    const { failures, evidence } = await called(agent.url, { tier: 'write_low_risk' });
    expect(failures).toEqual([expect.stringContaining(why)]);
    expect(evidence).toEqual([]);
    expect(agent.asked.filter((one) => one.startsWith('POST'))).toEqual([]);
  });

  it.each<readonly [string, Answer, string]>([
    ['an answer that never ends', (_, response) => flood(response), 'bytes in one answer'],
    [
      'a result of 2 MiB',
      async (request, response) =>
        json(response, await completed(request, [{ text: 'x'.repeat(2_097_152) }])),
      'bytes in one answer',
    ],
    [
      'a result of 1,001 parts',
      async (request, response) =>
        json(
          response,
          await completed(
            request,
            Array.from({ length: 1_001 }, () => ({ text: 'x' })),
          ),
        ),
      'parts in one answer',
    ],
    [
      'a result that is 5,000 deep',
      async (request, response) => json(response, await completed(request, [{ data: deep }])),
      'levels of nesting',
    ],
  ])(
    'rejects an answer over the limit as evidence and leaves a write in doubt: %s',
    async (_, answer, why) => {
      const agent = await strange((request, response) =>
        isCard(request)
          ? json(response, cardOf(`http://${request.headers.host}/a2a`))
          : answer(request, response),
      );
      const read = await called(agent.url);
      expect(read).toMatchObject({ outcome: 'failure', evidence: [] });
      expect(read.failures).toEqual([expect.stringContaining(why)]);
      const write = await called(agent.url, { tier: 'write_low_risk' });
      expect([write.evidence, write.outcome]).toEqual([[], 'doubt']);
    },
  );

  it('is set by the host and validated at once', async () => {
    const agent = await agentAt();
    const { failures } = await called(agent.url, { budget: { resultBytes: 10 } });
    expect(failures).toEqual([expect.stringContaining('raise budget.resultBytes')]);
    await expect(outer(agent.url, { budget: { resultBytes: 0 } })).rejects.toMatchObject({
      code: 'definition_invalid',
    });
  });
});

/** A client of the host's, whose `fetch` we do not have. */
const clientOf = (parts: Message['parts'], card: Partial<AgentCard> = {}, asks = false): Client => {
  const client = {
    getAgentCard: async () => cardOf('http://127.0.0.1/', card),
    sendMessage: async ({ message: { contextId } }: { readonly message: Message }): Promise<Task> => {
      const state = asks ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_COMPLETED;
      const message = a2aMessage({ messageId: 'm', parts });
      const status = { state, message, timestamp: '2026-01-01T00:00:00Z' };
      return { id: 't', contextId, status, artifacts: [], history: [], metadata: undefined };
    },
    listTasks: async () => ({ tasks: [] }),
  };
  return client as unknown as Client;
};

it.each<readonly [string, Client, string]>([
  ['too many skills', clientOf([], { skills: skills(5_001) }), '5001 tools'],
  ['a card that is too large', clientOf([], { description: 'x'.repeat(5_242_880) }), 'bytes in one listing'],
  ['too many parts', clientOf(Array.from({ length: 1_001 }, () => textPart('x'))), 'parts in one answer'],
  ['too many bytes', clientOf([textPart('x'.repeat(2_097_152))]), 'bytes in one answer'],
  ['a result that is too deep', clientOf([dataPart(JSON.parse(deepText))]), 'levels of nesting'],
  [
    'a question that is too long',
    clientOf([textPart('x'.repeat(2_097_152))], {}, true),
    'bytes in one answer',
  ],
])(
  'refuses %s from an agent behind the host’s own client, and records the refusal',
  async (_, client, why) => {
    const { failures, evidence } = await called(client);
    expect(failures).toEqual([expect.stringContaining(why)]);
    expect(evidence).toEqual([]);
  },
);
