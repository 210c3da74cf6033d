import { randomUUID } from 'node:crypto';
import { createOrchestrator, defineTaskClass } from 'agentcharter';
import { a2aMessage, dataPart, taskExecutor } from 'agentcharter/adapters/a2a';
import { createWire } from 'agentcharter/adapters/http';
import { registerTaskTool } from 'agentcharter/adapters/mcp';
import { createGuard } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { draft } from '../core/shell/scripted.ts';

const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' } as const;
const job = defineTaskClass({ id: 'job', tools: [] });
const payload = { to: 'DE89370400440532013000' };

type Begun = { readonly labels?: unknown };

/** Begins a task over HTTP, as an agent. */
const overHttp = async (trusts?: () => boolean): Promise<Begun | undefined> => {
  await using guard = createGuard({ tools: [], taskClasses: [job] });
  const wire = createWire(guard, {
    identity: () => ({ agent: identity }),
    hosts: ['localhost'],
    ...(trusts && { trusts }),
  });
  const response = await wire.fetch(
    new Request('http://localhost/runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ taskClass: 'job', payload }),
    }),
  );
  const { taskId } = (await response.json()) as { taskId: string };
  const [opening] = await guard.orchestrator.ledger(taskId);
  await wire.close();
  return opening?.brought.request;
};

const desk = () => createOrchestrator({ taskClasses: [job], model: { answer: async () => draft() } });

/** Begins a task by the tool of an MCP server, as its client does. */
const overMcp = async (trusts?: () => boolean): Promise<Begun | undefined> => {
  await using orchestrator = desk();
  let called: ((input: unknown, context: unknown) => Promise<unknown>) | undefined;
  const server = {
    server: { getClientCapabilities: () => ({}) },
    registerTool: (_name: string, _config: unknown, callback: typeof called) => (called = callback),
  };
  registerTaskTool(server as never, orchestrator, {
    name: 'job',
    description: 'Does it.',
    taskClass: 'job',
    input: z.object({ to: z.string() }),
    identity: () => identity,
    ...(trusts && { trusts }),
  });
  const { signal } = new AbortController();
  await called?.(payload, { signal, _meta: {}, sessionId: 's', sendRequest: async () => ({}) });
  const [task] = await orchestrator.list();
  return (await orchestrator.ledger(task?.taskId ?? ''))[0]?.brought.request;
};

/** Begins a task by a message of another agent. */
const overA2a = async (trusts?: () => boolean): Promise<Begun | undefined> => {
  await using orchestrator = desk();
  const executor = taskExecutor(orchestrator, { taskClass: 'job', identity, ...(trusts && { trusts }) });
  const context = {
    taskId: randomUUID(),
    contextId: randomUUID(),
    userMessage: a2aMessage({ messageId: randomUUID(), parts: [dataPart(payload)] }, 1),
    context: { tenant: '', user: { isAuthenticated: true, userName: 'remote' }, state: new Map() },
    request: { metadata: {} },
    referenceTasks: [],
  };
  const bus = { publish: () => {}, finished: () => {}, on: () => {}, off: () => {} };
  await executor.execute(context as never, bus as never);
  const [task] = await orchestrator.list();
  return (await orchestrator.ledger(task?.taskId ?? ''))[0]?.brought.request;
};

describe.each([
  ['HTTP', overHttp],
  ['MCP', overMcp],
  ['A2A', overA2a],
])('a request over %s', (_, begun) => {
  const untrusted = { request: { '': { integrity: 'untrusted', readers: 'anyone' } } };

  it('is untrusted by default, and if its host says anything but true', async () => {
    expect((await begun())?.labels).toEqual(untrusted);
    expect((await begun(() => false))?.labels).toEqual(untrusted);
    expect((await begun((() => 'yes') as never))?.labels).toEqual(untrusted);
  });

  it('is trusted if its host trusts the sender', async () => {
    const request = await begun(() => true);
    expect(request).toMatchObject({ payload });
    expect(request).not.toHaveProperty('labels');
  });
});
