import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as FirstTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as FirstServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { registerCallerTools, type CallerToolsOptions } from '../../../../src/adapters/mcp/index.ts';
import { openDesk, receipt } from '../../guard/caller-desk.ts';

const info = { name: 'desk', version: '1' };

/** A client for each way to be served. */
const eras = {
  'MCP 2026-07-28': async (options: CallerToolsOptions) => {
    const handler = createMcpHandler(() => {
      const server = new McpServer(info);
      registerCallerTools(server, options);
      return server;
    });
    const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }));
    onTestFinished(() => handler.close());
    return client;
  },
  'MCP 2025-11-25, client and server 2': async (options: CallerToolsOptions) => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = new McpServer(info);
    registerCallerTools(server, options);
    const client = new Client(info);
    await server.connect(theirs);
    await client.connect(ours);
    return client;
  },
  'MCP 2025-11-25, client and server 1': async (options: CallerToolsOptions) => {
    const [ours, theirs] = FirstTransport.createLinkedPair();
    const server = new FirstServer(info);
    registerCallerTools(server, options);
    const client = new FirstClient(info);
    await server.connect(theirs);
    await client.connect(ours);
    return client;
  },
};

describe.each(Object.entries(eras))('Calls that an agent performs itself, over %s', (_, connect) => {
  const setUp = async (given: Partial<CallerToolsOptions> = {}, contract = {}) => {
    const desk = openDesk(contract);
    onTestFinished(() => desk[Symbol.asyncDispose]());
    const run = await desk.begin();
    const client = await connect({ run: () => run, ...given });
    onTestFinished(() => client.close());
    const use = async (name: string, input: object = {}) => {
      const result = await client.callTool({ name: `guard_${name}`, arguments: { ...input } });
      return {
        ...(result.structuredContent as object | undefined),
        isError: result.isError === true,
        content: result.content,
      };
    };
    return { ...desk, run, client, use };
  };
  const pay = { tool: 'pay', arguments: { to: 'ada' }, ref: 'call-1' };

  it('are cleared after a person approved them, once, and their result is evidence', async () => {
    const { use, run, answer, facts } = await setUp();
    expect(await use('clear', pay)).toMatchObject({ status: 'paused', isError: false });
    expect(await use('report', { ref: 'call-1', outcome: receipt })).toMatchObject({ isError: true });
    await answer(run.taskId, { type: 'approve' });
    expect(await use('clear', pay)).toMatchObject({
      status: 'cleared',
      ref: 'call-1',
      intent: expect.stringContaining('sha256:'),
      arguments: { to: 'ada' },
    });
    expect(await use('report', { ref: 'call-1', outcome: receipt })).toMatchObject({
      status: 'done',
      result: { receipt: 'r-1' },
    });
    expect(await use('report', { ref: 'call-1', outcome: receipt })).toMatchObject({ status: 'done' });
    expect((await facts(run.taskId)).filter((type) => type === 'call.succeeded')).toHaveLength(1);
    expect(await use('conclude', { payload: { paid: true } })).toMatchObject({ status: 'delivered' });
  });

  it('are told to be undone, and count as undone when their caller says so', async () => {
    const { use, run, answer, guard } = await setUp();
    await use('clear', pay);
    await answer(run.taskId, { type: 'approve' });
    await use('clear', pay);
    await use('report', { ref: 'call-1', outcome: receipt });
    await guard.orchestrator.cancel(run.taskId, { by: 'kim' });
    await expect
      .poll(() => use('rollbacks'))
      .toMatchObject({
        rollbacks: [{ ref: 'call-1', tool: 'pay', action: { type: 'recall', target: 'ada' } }],
      });
    const undone = await use('report_rollback', { ref: 'call-1', outcome: { status: 'done' } });
    expect(undone).toMatchObject({ rollbacks: [] });
    const { reasons } = await guard.orchestrator.settled(run.taskId);
    expect(reasons.map(({ code }) => code)).toEqual(['CANCELLED']);
  });

  it.each([
    ['an unknown tool', 'clear', { ...pay, tool: 'fly' }, 'fly'],
    ['arguments that its schema refuses', 'clear', { ...pay, arguments: { to: 7 } }, '/to'],
    ['a call that was not cleared', 'report', { ref: 'call-9', outcome: receipt }, 'call-9'],
    ['an outcome of another form', 'report', { ref: 'call-1', outcome: { status: 'fine' } }, 'outcome'],
    ['a rollback that is not due', 'report_rollback', { ref: 'x', outcome: { status: 'done' } }, 'rollback'],
  ])('are refused in words for %s', async (__, name, input, words) => {
    const { use } = await setUp();
    const refused = await use(name, input).catch((error: unknown) => ({
      content: String(error),
      isError: true,
    }));
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain(words);
  });

  it('fail without details where the host does', async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const { use } = await setUp({ run: () => Promise.reject(new Error('the directory is down')), onError });
    const failed = await use('rollbacks').catch((error: unknown) => ({ content: String(error) }));
    expect(JSON.stringify(failed.content)).toContain('An internal error occurred.');
    expect(errors).toEqual([new Error('the directory is down')]);
  });
});
