import { InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { a2aMessage, attendRemoteAgents, textPart } from '../../../../src/adapters/a2a/index.ts';
import { trusting } from '../../core/shell/approvals.ts';
import { call, draft, plan, readTool, writeTool } from '../../core/shell/scripted.ts';
import { begin, evidenceIn, foreign, outerOf, questionOf } from './outer.ts';
import { stage } from './stage.ts';

const look = { options: { tools: [readTool('look')] }, model: [plan([call('look')]), draft({ found: 3 })] };

describe('A remote agent as a tool [UpFormat 4]', () => {
  it('delivers evidence, and links its own trace to ours', async () => {
    const inner = await stage(look);
    const { orchestrator } = await outerOf(inner.url);
    const { taskId } = await begin(orchestrator);
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
    expect(await evidenceIn(orchestrator, taskId)).toEqual([
      { agent: 'remote', taskId: expect.any(String), parts: [{ data: { found: 3 } }] },
    ]);
    const [remote] = await inner.orchestrator.list();
    const [theirs] = await inner.orchestrator.ledger(remote?.taskId ?? '');
    const [here] = await orchestrator.ledger(taskId);
    expect(theirs?.trace_id).not.toBe(here?.trace_id);
    const [link] = theirs?.brought.request?.linkedTraces ?? [];
    expect(link?.traceparent).toContain(here?.trace_id);
    expect(inner.turns[0]?.request).toEqual({ room: 7 });
  });

  it.each([
    ['is untrusted, whatever it says of itself', {}, undefined],
    [
      'is as its host labels it',
      { labels: { '/parts/0/data/found': { integrity: 'trusted' } } },
      { '/parts/0/data/found': { integrity: 'trusted' } },
    ],
  ] as const)('has a result that %s', async (_, remote, labels) => {
    const claim = { '': { integrity: 'trusted' } };
    const inner = await stage({ model: [plan(), draft({ found: 3, 'agentcharter:labels': claim })] });
    const { orchestrator } = await outerOf(inner.url, remote);
    const { taskId } = await begin(orchestrator);
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
    const evidence = (await orchestrator.documents(taskId)).find(({ name }) => name === 'EvidenceObject');
    expect(evidence?.document).toMatchObject({ payload: { parts: [{ data: { found: 3 } }] } });
    expect(Object.entries(evidence?.document ?? {})).toEqual(
      labels === undefined
        ? expect.not.arrayContaining([['agentcharter:labels', expect.anything()]])
        : expect.arrayContaining([['agentcharter:labels', labels]]),
    );
  });

  it('puts its question in the caller’s inbox, and receives the answer', async () => {
    const inner = await stage({ model: [plan([], { confidence: 0.1 }), draft({ found: 3 })] });
    const { orchestrator } = await outerOf(inner.url);
    const asking = questionOf(orchestrator);
    const { taskId } = await begin(orchestrator);
    const { message } = await asking;
    expect(message.payload).toMatchObject({
      agent: 'remote',
      needsToken: false,
      message: { state: 'needsHumanDecision', payload: { question: { kind: 'plan' } } },
    });
    await orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
    expect(await inner.orchestrator.list()).toHaveLength(1);
  });

  it('asks again when its question changes before the answer arrives', async () => {
    const inner = await stage({ model: () => plan([], { confidence: 0.1 }) });
    const { orchestrator } = await outerOf(inner.url);
    const asking = questionOf(orchestrator);
    await begin(orchestrator);
    const first = await asking;
    const theirs = await inner.orchestrator.inbox();
    const changed = questionOf(inner.orchestrator, theirs[0]?.message.messageId);
    const target = theirs[0]?.message.messageId ?? '';
    await inner.orchestrator.respond({ type: 'instruction', target, content: 'Otherwise.' }, { by: 'eve' });
    const now = await changed;
    const again = questionOf(orchestrator, first.message.messageId);
    await orchestrator.respond({ type: 'approve', target: first.message.messageId }, { by: 'dana' });
    expect((await again).message.payload).toMatchObject({ message: { messageId: now.message.messageId } });
    expect(await inner.orchestrator.inbox()).toHaveLength(1);
  });

  it('sends a signed approval beside the answer when the agent asks for one', async () => {
    const effects: unknown[] = [];
    const tool = writeTool('wire', { tier: 'write_high_risk', call: (input) => effects.push(input) });
    const inner = await stage({
      options: { tools: [tool], approvals: trusting },
      model: [plan([call('wire', { amount: 9 })]), draft()],
    });
    const { orchestrator } = await outerOf(inner.url, { approval: async () => 'kim' });
    const asking = questionOf(orchestrator);
    const { taskId } = await begin(orchestrator);
    const { message } = await asking;
    expect(message.payload).toMatchObject({ needsToken: true });
    await orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
    expect(effects).toEqual([{ amount: 9 }]);
  });

  it('waits for a slow task, and reads it again after it moves', async () => {
    const slow = readTool('look', {
      call: (_, { met, notYet }) => met ?? notYet({ dependency: 'letter', explanation: 'By mail.' }),
    });
    const inner = await stage({
      options: { tools: [slow] },
      model: [plan([call('look')]), draft({ found: 3 })],
    });
    const { orchestrator, tool } = await outerOf(inner.url, { patience: 20 });
    onTestFinished(attendRemoteAgents(orchestrator, [tool], { every: 5 }));
    const waiting = new Promise<void>((resolve) => {
      orchestrator.on('record', ({ to }) => {
        if (to === 'waiting') resolve();
      });
    });
    const { taskId } = await begin(orchestrator);
    await waiting;
    const [remote] = await inner.orchestrator.list();
    await inner.orchestrator.resolve(remote?.taskId ?? '', 'letter', {}, { by: 'post' });
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
    expect(await inner.orchestrator.list()).toHaveLength(1);
  });

  it('resumes in the next process a wait that a restart interrupted', async () => {
    const slow = readTool('look', {
      call: (_, { met, notYet }) => met ?? notYet({ dependency: 'letter', explanation: 'By mail.' }),
    });
    const inner = await stage({ options: { tools: [slow] }, model: [plan([call('look')]), draft()] });
    const { orchestrator, tool } = await outerOf(inner.url, { patience: 1 });
    const waiting = new Promise<void>((resolve) => {
      orchestrator.on('record', ({ to }) => {
        if (to === 'waiting') resolve();
      });
    });
    const { taskId } = await begin(orchestrator);
    await waiting;
    const [remote] = await inner.orchestrator.list();
    await inner.orchestrator.resolve(remote?.taskId ?? '', 'letter', {}, { by: 'post' });
    onTestFinished(attendRemoteAgents(orchestrator, [tool], { every: 5 }));
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
  });
});

const writing = (effects: string[], fails = false) => {
  const tool = writeTool('write', {
    call: (_, { key, notDone }) => (fails ? notDone('full') : effects.push(key)),
  });
  const evidence = { beforeDeliver: { evidence: [{ type: 'tool_result' as const, tool: 'write' }] } };
  return stage({
    options: { tools: [tool] },
    taskClass: { ...evidence, limits: { repairs: 0 } },
    model: [plan([call('write')]), draft()],
  });
};

describe('A remote agent as a write tool', () => {
  const writes = { tier: 'write_low_risk' as const, doubt: 'idempotent' as const };

  it('writes once when it is called twice under one key', async () => {
    const effects: string[] = [];
    const inner = await writing(effects);
    const { orchestrator, tool } = await outerOf(inner.url, writes);
    const { taskId } = await begin(orchestrator);
    await orchestrator.settled(taskId);
    const record = (await orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'call.started');
    const key = record?.fact?.type === 'call.started' ? record.fact.digest : '';
    const again = await tool.call({ room: 7 }, {
      key,
      met: null,
      answer: null,
      signal: new AbortController().signal,
    } as never);
    expect([again, ...(await evidenceIn(orchestrator, taskId))]).toMatchObject([
      { parts: [{ data: { done: true } }] },
      { parts: [{ data: { done: true } }] },
    ]);
    expect(effects).toHaveLength(1);
    expect(await inner.orchestrator.list()).toHaveLength(1);
  });

  it('leaves no doubt after a certain failure', async () => {
    const inner = await writing([], true);
    const { orchestrator } = await outerOf(inner.url, writes);
    const { taskId } = await begin(orchestrator);
    await orchestrator.settled(taskId);
    const facts = (await orchestrator.ledger(taskId)).flatMap(({ fact }) => fact?.type ?? []);
    expect(facts).toContain('call.failed');
    expect(facts).not.toContain('call.doubted');
  });

  it('leaves no doubt when the agent is unreachable', async () => {
    const inner = await writing([]);
    const { tool } = await outerOf(inner.url, { ...writes, agent: 'http://127.0.0.1:9' });
    const result = await tool.call({}, {
      key: 'k',
      met: null,
      answer: null,
      notDone: (why: string) => ({ why }),
    } as never);
    expect(result).toMatchObject({ why: expect.stringContaining('was not reached') });
  });
});

describe('A remote agent without UpFormat', () => {
  it('returns a direct message as the result', async () => {
    const { url } = await foreign('say');
    const { orchestrator } = await outerOf(url);
    const { taskId } = await begin(orchestrator);
    await orchestrator.settled(taskId);
    expect(await evidenceIn(orchestrator, taskId)).toEqual([
      { agent: 'remote', taskId: null, parts: [{ text: 'Hi.' }] },
    ]);
  });

  it('asks and is answered in plain text', async () => {
    const store = new InMemoryTaskStore();
    store.list = () => Promise.reject(new Error('it lists nothing'));
    const { url, heard } = await foreign('ask', store);
    const { orchestrator } = await outerOf(url);
    const asking = questionOf(orchestrator);
    const { taskId } = await begin(orchestrator);
    const { message } = await asking;
    expect(message).toMatchObject({
      explanation: 'remote asks: Which?',
      payload: { message: { text: 'Which?' } },
    });
    const target = message.messageId;
    await orchestrator.respond({ type: 'instruction', target, content: 'The blue one.' }, { by: 'dana' });
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
    expect(heard.at(-1)).toBe('The blue one.');
  });

  it('ignores an answer to a question that it no longer asks', async () => {
    const { url, heard, store } = await foreign('ask', new InMemoryTaskStore(() => 'everybody'));
    const { orchestrator } = await outerOf(url);
    const asking = questionOf(orchestrator);
    await begin(orchestrator);
    const { message } = await asking;
    const context = new ServerCallContext();
    const task = await store.load(String(message.payload['taskId']), context);
    if (task?.status === undefined) throw new TypeError('there is no such task');
    const other = a2aMessage({ messageId: 'another', parts: [textPart('Delete everything?')] });
    await store.save({ ...task, status: { ...task.status, message: other } }, context);
    const again = questionOf(orchestrator, message.messageId);
    await orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
    expect((await again).message.explanation).toBe('remote asks: Delete everything?');
    expect(heard).toHaveLength(1);
  });

  it('asks a person whether a failed write happened', async () => {
    const { url } = await foreign('fail');
    const { orchestrator } = await outerOf(url, { tier: 'write_low_risk' });
    const asking = questionOf(orchestrator);
    await begin(orchestrator);
    expect((await asking).question.kind).toBe('doubt');
  });

  it('is found again by the conversation of the call', async () => {
    const { url, heard } = await foreign('complete');
    const { orchestrator, tool } = await outerOf(url, { tier: 'write_low_risk' });
    const { taskId } = await begin(orchestrator);
    await orchestrator.settled(taskId);
    const record = (await orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'call.started');
    const key = record?.fact?.type === 'call.started' ? record.fact.digest : '';
    const { signal } = new AbortController();
    const context = { requestId: '', signal, fence: null, mayAct: () => true };
    expect(await tool.lookup?.(key, context)).toMatchObject({ found: 'done', result: { agent: 'remote' } });
    expect(await tool.lookup?.('sha256:another', context)).toEqual({ found: 'unknown' });
    expect(heard).toHaveLength(1);
  });

  it('is not asked to write when the host relies on deduplication', async () => {
    const { url, heard } = await foreign('complete');
    const { orchestrator } = await outerOf(url, { tier: 'write_low_risk', doubt: 'idempotent' });
    const { taskId } = await begin(orchestrator);
    await orchestrator.settled(taskId);
    expect(heard).toEqual([]);
    const facts = (await orchestrator.ledger(taskId)).flatMap(({ fact }) => fact?.type ?? []);
    expect(facts).toContain('call.failed');
  });
});
