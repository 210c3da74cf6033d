import { TaskState, type Message, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { a2aMessage, attendRemoteAgents, dataPart, textPart } from '../../../../src/adapters/a2a/index.ts';
import type { Orchestrator } from '../../../../src/index.ts';
import { call, plan, readTool } from '../../core/shell/scripted.ts';
import { begin, evidenceIn, outerOf, questionOf, type Remote } from './outer.ts';
import { cardOf, stage, stateOf } from './stage.ts';
import { hidePlanned } from '../../../planned.ts';

const { TASK_STATE_WORKING: works, TASK_STATE_COMPLETED: done, TASK_STATE_INPUT_REQUIRED: asks } = TaskState;

interface TaskReply {
  readonly state: TaskState;
  readonly id?: string;
  readonly contextId?: string;
  readonly message?: Partial<Message>;
}

const taskOf = (contextId: string, { state, message, ...other }: TaskReply): Task => ({
  id: 'own',
  contextId,
  status: {
    state,
    message: message && a2aMessage({ messageId: 'm', parts: [textPart('Which?')], ...message }),
    timestamp: '2026-01-01T00:00:00Z',
  },
  artifacts:
    state === done
      ? [
          {
            artifactId: 'a',
            name: '',
            description: '',
            parts: [dataPart({ of: 'another' })],
            metadata: undefined,
            extensions: [],
          },
        ]
      : [],
  history: [],
  metadata: undefined,
  ...other,
});

/** Stands for the context of the call. */
const ownContext = 'own';

/** An agent that says one thing after another about whatever it is asked, and repeats its last word. */
const agentReplying = (...words: readonly (TaskReply | Partial<Message>)[]): Client => {
  let at = 0;
  let context = '';
  const next = async (): Promise<Task | Message> => {
    const word = words[Math.min(at++, words.length - 1)] ?? {};
    return 'state' in word
      ? taskOf(context, word)
      : a2aMessage({
          messageId: 'm',
          parts: [dataPart({ of: 'another' })],
          ...word,
          ...(word.contextId === ownContext && { contextId: context }),
        });
  };
  const client = {
    getAgentCard: async () => cardOf('http://127.0.0.1/'),
    sendMessage: async ({ message }: { readonly message: Message }) => {
      context = message.contextId;
      return next();
    },
    getTask: next,
    listTasks: async () => ({ tasks: [] }),
  };
  return client as unknown as Client;
};

const outer = async (agent: Client, remote: Remote = {}) => {
  const inner = await stage();
  return outerOf(inner.url, { agent, ...remote });
};

/** Why the calls of a task failed, as its ledger has it. */
const failuresIn = async (orchestrator: Orchestrator, taskId: string): Promise<readonly string[]> =>
  (await orchestrator.ledger(taskId)).flatMap(({ fact, brought }) =>
    fact?.type === 'call.failed' || fact?.type === 'call.doubted' ? (brought.explanation ?? '') : [],
  );

const foreign = { contextId: 'another' };

describe('A remote agent that answers about another conversation', () => {
  it.each<readonly [string, readonly (TaskReply | Partial<Message>)[]]>([
    ['a task of another context in the first reply', [{ state: done, ...foreign }]],
    ['a task without a context', [{ state: done, contextId: '' }]],
    ['a task without an id', [{ state: done, id: '' }]],
    ['another task in a later reply', [{ state: works }, { state: done, id: 'another' }]],
    ['another context in a later reply', [{ state: works }, { state: done, ...foreign }]],
    [
      'another task between replies about its own',
      [{ state: works }, { state: works, id: 'another' }, { state: done }],
    ],
    ['a question of another context', [{ state: asks, message: foreign }]],
    ['a question of another task', [{ state: asks, message: { taskId: 'another' } }]],
    ['a final message of another task', [{ state: done, message: { taskId: 'another' } }]],
    ['a message of another context', [foreign]],
    ['a message of another task, before this call has one', [{ taskId: 'another' }]],
  ])('refuses %s and records no evidence', async (_, words) => {
    const { orchestrator } = await outer(agentReplying(...words));
    const asking = questionOf(orchestrator);
    const { taskId } = await begin(orchestrator);
    const end = await Promise.race([orchestrator.settled(taskId), asking]);
    expect(end).toMatchObject({ outcome: 'failure' });
    expect(await failuresIn(orchestrator, taskId)).toEqual([
      expect.stringMatching(/^CharterError: agent remote answered with .+ of another conversation/),
    ]);
    expect(await evidenceIn(orchestrator, taskId)).toEqual([]);
  });

  it('leaves a write in doubt after a foreign reply to an answer', async () => {
    const agent = agentReplying(
      { state: asks, message: {} },
      { state: asks, message: {} },
      { state: done, ...foreign },
    );
    const { orchestrator } = await outer(agent, { tier: 'write_low_risk' });
    const asking = questionOf(orchestrator);
    const { taskId } = await begin(orchestrator);
    const { message } = await asking;
    const next = questionOf(orchestrator, message.messageId);
    await orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
    expect((await next).question.kind).toBe('doubt');
    expect(await evidenceIn(orchestrator, taskId)).toEqual([]);
  });

  it('asks a person after a foreign reply to a message that may be sent again', async () => {
    const { orchestrator } = await outer(agentReplying({ state: done, ...foreign }), {
      tier: 'write_low_risk',
      doubt: 'idempotent',
    });
    const asking = questionOf(orchestrator);
    const { taskId } = await begin(orchestrator);
    expect((await asking).question.kind).toBe('doubt');
    expect(await evidenceIn(orchestrator, taskId)).toEqual([]);
  });

  it('fails a waiting call on the first foreign reply', async () => {
    const { orchestrator, tool } = await outer(
      agentReplying({ state: works }, { state: works }, { state: works, id: 'another' }),
      { patience: 1 },
    );
    onTestFinished(attendRemoteAgents(orchestrator, [tool], { every: 1 }));
    const { taskId } = await begin(orchestrator);
    expect((await orchestrator.settled(taskId)).outcome).toBe('failure');
    expect(await failuresIn(orchestrator, taskId)).toHaveLength(1);
  });

  it('accepts a message in its context that names a new task', async () => {
    const { orchestrator } = await outer(agentReplying({ contextId: ownContext, taskId: 'new' }));
    const { taskId } = await begin(orchestrator);
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
  });

  it('accepts a message that names no conversation', async () => {
    const { orchestrator } = await outer(agentReplying({ contextId: '', taskId: '' }));
    const { taskId } = await begin(orchestrator);
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
  });
});

it('rejects as evidence a task of another conversation that a message names', async () => {
  const slow = readTool('look', {
    call: (_, { met, notYet }) => met ?? notYet({ dependency: 'letter', explanation: 'By mail.' }),
  });
  const inner = await stage({ options: { tools: [slow] }, model: () => plan([call('look')]) });
  const secret = await inner.send({ user: 'outer', isPolling: true });
  const { orchestrator } = await outerOf(inner.url, { patience: 1 });
  const waiting = new Promise<string>((resolve) => {
    orchestrator.on('record', ({ fact }) => fact?.type === 'dependency.awaited' && resolve(fact.dependency));
  });
  const { taskId, threadId } = await begin(orchestrator);
  await waiting;
  const message = {
    messageId: crypto.randomUUID(),
    threadId,
    timestamp: new Date().toISOString(),
    state: 'completed',
    payload: { taskId: secret.id },
    explanation: 'It is done.',
    agentId: 'remote',
  };
  const { identity } = (await orchestrator.ledger(taskId))[0]!.brought.request!;
  await orchestrator.receive(message, { agent_id: 'remote', owner_id: identity.owner_id });
  expect((await orchestrator.settled(taskId)).outcome).toBe('failure');
  expect(await failuresIn(orchestrator, taskId)).toEqual([
    expect.stringContaining('of another conversation'),
  ]);
  expect(await evidenceIn(orchestrator, taskId)).toEqual([]);
});

describe('A client that names the task of another user', () => {
  const asking = { model: () => plan([], { confidence: 0.1 }) };

  it('finds no task to answer, read, follow or cancel', async () => {
    hidePlanned('error', /^Pre-stream error for request \d+: TaskNotFoundError/);
    const { send, get, cancel, client, orchestrator } = await stage(asking);
    const task = await send({ user: 'ada' });
    const before = await orchestrator.list();
    const following = async () => {
      const options = { serviceParameters: { 'x-user': 'eve' } };
      for await (const event of client.resubscribeTask({ tenant: '', id: task.id }, options)) return event;
      return null;
    };
    const tried = [
      () => send({ user: 'eve', task }),
      () => send({ user: null, task }),
      () => get(task.id, 'eve'),
      () => cancel(task.id, 'eve'),
      following,
    ];
    for (const attempt of tried) await expect(attempt()).rejects.toThrow(/not found/i);
    expect(await orchestrator.list()).toEqual(before);
  });

  it('begins in a new thread, even with the same context name or a reference to the task', async () => {
    const { send, orchestrator } = await stage(asking);
    vi.spyOn(console, 'warn').mockReturnValue(); // the SDK says that it found no such task
    const task = await send({ user: 'ada' });
    const { contextId } = task;
    for (const user of ['eve', 'bob', null]) {
      expect(stateOf(await send({ user, contextId }))).toBe('TASK_STATE_INPUT_REQUIRED');
      await send({ user, references: [task.id] });
    }
    await send({ user: 'ada', contextId });
    const [first, ...others] = (await orchestrator.list()).map(({ threadId }) => threadId);
    const again = others.pop();
    expect(again).toBe(first);
    expect(new Set(others).size).toBe(others.length);
    expect(others).not.toContain(first);
    expect(await orchestrator.thread(first ?? '')).toHaveLength(4);
  });
});
