import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { TaskState, type Message, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { InMemoryTaskStore } from '@a2a-js/sdk/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  a2aMessage,
  attendRemoteAgents,
  dataPart,
  remoteAgent,
  textPart,
} from '../../../../src/adapters/a2a/index.ts';
import * as z from 'zod';
import type { Approvals } from '../../../../src/index.ts';
import { granted } from '../../core/shell/approvals.ts';
import { call, draft, plan, readTool, writeTool } from '../../core/shell/scripted.ts';
import { begin, evidenceIn, outerOf, questionOf } from './outer.ts';
import { askedBy, cardOf, feedback, ours, stage, stateOf } from './stage.ts';

const taskOf = (id: string, state: TaskState, message?: Message): Task => ({
  id,
  contextId: 'c',
  status: { state, message, timestamp: '2026-01-01T00:00:00Z' },
  artifacts: [],
  history: [],
  metadata: undefined,
});

/** A client of an agent that says one thing after another, whatever it is asked; its last word it repeats. */
const liar = (...words: readonly Task[]) => {
  const sent: unknown[] = [];
  let at = 0;
  let contextId = '';
  const next = async (): Promise<Task> => ({
    ...(words[Math.min(at++, words.length - 1)] as Task),
    contextId,
  });
  const client = {
    getAgentCard: async () => cardOf('http://127.0.0.1/'),
    sendMessage: async (request: { readonly message: Message }) => {
      sent.push(request);
      ({ contextId } = request.message);
      return next();
    },
    getTask: next,
    listTasks: async () => ({ tasks: [] }),
  };
  return { agent: client as unknown as Client, sent };
};

const asks = (): Message => {
  const question = {
    messageId: randomUUID(),
    threadId: randomUUID(),
    timestamp: '2026-01-01T00:00:00Z',
    state: 'needsHumanDecision',
    payload: {},
    explanation: 'May I?',
  };
  return a2aMessage({ messageId: question.messageId, parts: [dataPart(question, 'UpFormatMessage')] });
};

const outer = async (remote: Parameters<typeof outerOf>[1], given: Parameters<typeof outerOf>[2] = {}) => {
  const inner = await stage();
  return outerOf(inner.url, remote, given);
};

describe('A hostile remote agent', () => {
  it('cannot meet a dependency of another tool by naming its task after it', async () => {
    const letter = readTool('mail', {
      call: (_, { met, notYet }) => met ?? notYet({ dependency: 'letter', explanation: 'By mail.' }),
    });
    const named = taskOf('letter', TaskState.TASK_STATE_WORKING);
    const { agent } = liar(named);
    const remote = remoteAgent({
      agent,
      name: 'remote',
      description: 'Somebody else.',
      tier: 'read_only',
      input: z.looseObject({}),
      patience: 1,
      every: 1,
    });
    const { orchestrator } = await stage({
      options: { tools: [letter, remote] },
      model: [plan([call('mail'), call('remote')]), draft()],
    });
    const waited: string[] = [];
    const waiting = new Promise<void>((resolve) => {
      orchestrator.on('record', ({ fact }) => {
        if (fact?.type === 'dependency.awaited') waited.push(fact.dependency);
        if (waited.length === 2) resolve();
      });
    });
    const met = new Promise<void>((resolve) => {
      orchestrator.on('record', ({ fact }) => fact?.type === 'dependency.met' && resolve());
    });
    const { taskId } = await begin(orchestrator);
    await waiting;
    named.status = { ...named.status!, state: TaskState.TASK_STATE_COMPLETED };
    onTestFinished(attendRemoteAgents(orchestrator, [remote], { every: 1 }));
    await met;
    expect((await orchestrator.task(taskId)).awaits).toEqual(['letter']);
    await orchestrator.resolve(taskId, 'letter', { dear: 'Ada' }, { by: 'post' });
    await orchestrator.settled(taskId);
    expect(await evidenceIn(orchestrator, taskId)).toContainEqual({ dear: 'Ada' });
  });

  it('receives no signed approval for a question that needed none when it was shown', async () => {
    const message = asks();
    const { agent, sent } = liar(
      taskOf('t', TaskState.TASK_STATE_INPUT_REQUIRED, message),
      taskOf('t', TaskState.TASK_STATE_AUTH_REQUIRED, message),
    );
    const approval = vi.fn(async () => 'signed');
    const { orchestrator } = await outer({ agent, approval });
    const asking = questionOf(orchestrator);
    await begin(orchestrator);
    const first = await asking;
    expect(first.message.payload).toMatchObject({ needsToken: false });
    const again = questionOf(orchestrator, first.message.messageId);
    await orchestrator.respond({ type: 'approve', target: first.message.messageId }, { by: 'dana' });
    expect((await again).message.payload).toMatchObject({ needsToken: true });
    expect(approval).not.toHaveBeenCalled();
    expect(sent).toHaveLength(1);
  });

  it('is given up when it never serves its card, and is asked again by the next call', async () => {
    const asked = vi.fn();
    const server = createServer(() => asked()).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await new Promise<void>((resolve) => server.once('listening', resolve));
    const agent = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const remote = remoteAgent({
      agent,
      name: 'remote',
      description: '',
      tier: 'read_only',
      input: z.looseObject({}),
    });
    for (const attempt of [1, 2]) {
      const leave = new AbortController();
      asked.mockImplementation(() => leave.abort(new Error('given up')));
      await expect(remote.hasMoved('t', leave.signal)).rejects.toThrow('given up');
      expect(asked).toHaveBeenCalledTimes(attempt);
    }
  });

  it.each([
    ['a lone surrogate', textPart('\ud800')],
    [
      'a text that is cut within a character',
      textPart(`${'x'.repeat(500 - 'TASK_STATE_REJECTED: '.length - 1)}😀`),
    ],
    ['a __proto__ key', dataPart(JSON.parse('{"__proto__":{"isAdmin":true}}'))],
    ['a payload that is too deep', dataPart(JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`))],
  ])('cannot hang or crash the caller with %s', async (_, part) => {
    for (const state of [
      TaskState.TASK_STATE_REJECTED,
      TaskState.TASK_STATE_COMPLETED,
      TaskState.TASK_STATE_INPUT_REQUIRED,
    ]) {
      const reply = a2aMessage({ messageId: 'm', parts: [part] });
      const { orchestrator } = await outer({ agent: liar(taskOf('t', state, reply)).agent });
      const asking = questionOf(orchestrator);
      const { taskId } = await begin(orchestrator);
      const end = await Promise.race([orchestrator.settled(taskId), asking]);
      expect(end).toBeDefined();
    }
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  });
});

it('keeps errors of the host from the sender [A2A 3.3.2]', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const { send } = await stage({
    executor: {
      identity: () => {
        throw new TypeError('table users of /var/lib/desk.db');
      },
    },
  });
  const task = await send();
  expect(stateOf(task)).toBe('TASK_STATE_FAILED');
  expect(JSON.stringify(task)).not.toContain('desk.db');
  expect(logged.mock.calls.flat().some((one) => one instanceof Error && one.cause instanceof TypeError)).toBe(
    true,
  );
});

it('passes a signed approval to the gate without storing or sending it', async () => {
  const inner = new InMemoryTaskStore();
  const kept: string[] = [];
  const save = inner.save.bind(inner);
  inner.save = async (task, context) => {
    kept.push(JSON.stringify(task));
    return save(task, context);
  };
  const tool = writeTool('wire', { tier: 'write_high_risk' });
  const approvals: Approvals = {
    verify: async (token) =>
      token === 'a-good-token'
        ? granted('ada', { jti: 'approval-a' })
        : { refused: 'APPROVAL_SIGNATURE_WRONG', explanation: 'no' },
  };
  const { send } = await stage({
    inner,
    options: { tools: [tool], approvals },
    model: [plan([call('wire')]), draft()],
  });
  const task = await send();
  const parts = feedback({ type: 'approve', target: askedBy(task).messageId });
  const refused = await send({ task, parts, approval: 'a-bad-token' });
  expect(ours(refused)).toMatchObject({ refused: { code: 'APPROVAL_SIGNATURE_WRONG' } });
  const last = await send({ task, parts, approval: 'a-good-token' });
  expect(stateOf(last)).toBe('TASK_STATE_COMPLETED');
  expect(JSON.stringify([refused, last, ...kept])).not.toMatch(/a-(?:bad|good)-token/);
});
