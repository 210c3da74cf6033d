import { createAgent, createMiddleware, fakeModel, toolStrategy, type BaseMessage } from 'langchain';
import { Command, isInterrupted } from '@langchain/langgraph';
import { charterMiddleware, runGraph } from 'agentcharter/adapters/langchain';
import type { Run } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asked, calls, openFixture, toolsThat } from './fixture.ts';
import { scripted } from './scripted.ts';
import { saverOf, textOf } from './saver.ts';

const read = calls(['c1', 'read', { of: 'all' }]);
const answer = { answer: { good: true } };
const evidence = [{ type: 'tool_result', tool: 'read' }] as const;

const threadOf = ({ taskId }: Run) => ({ configurable: { thread_id: taskId } });

const within = ({ taskId }: Run) => ({ configurable: { thread_id: 'talk', run: taskId } });

const sureWhereKind = ({ text }: BaseMessage) => ({
  payload: JSON.parse(text),
  confidence: text.includes('kinder') ? 1 : 0.3,
});

const messagesOf = (state: object): readonly BaseMessage[] =>
  'messages' in state && Array.isArray(state.messages) ? state.messages : [];

const texts = (state: object): readonly string[] => messagesOf(state).map(({ text }) => text);

describe('A createAgent agent under a run', () => {
  it('proposes the calls of one step as one round', async () => {
    const fixture = openFixture({ limits: { rounds: 1 } });
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const step = calls(
      ['c1', 'read', { of: 'a' }],
      ['c2', 'read', { of: 'b' }],
      ['c3', 'note', { line: 'c' }],
    );
    expect(await runGraph(fixture.agent(run, [step, answer]), run, asked)).toMatchObject({
      status: 'delivered',
    });
    expect(fixture.done.toSorted()).toEqual(['note c', 'read a', 'read b']);
  });

  it('is interrupted by each waiting call, with the question as JSON, and resumes after all answers', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const step = calls(['c1', 'pay', { to: 'a' }], ['c2', 'pay', { to: 'b' }], ['c3', 'read', { of: 'all' }]);
    const agent = fixture.agent(run, [step, answer]);
    const stop = await runGraph(agent, run, asked);
    if (stop.status !== 'paused') throw new Error(stop.status);
    expect(stop.interrupts).toHaveLength(2);
    const questions = stop.questions.map(({ taskId, message }) => ({
      taskId,
      messageId: message.messageId,
      kind: 'approval',
    }));
    for (const { value } of stop.interrupts)
      expect(JSON.parse(JSON.stringify(value))).toMatchObject({
        type: 'agentcharter.pause',
        taskId: run.taskId,
        questions,
        awaits: [],
      });
    await fixture.answer(run);
    expect(await runGraph(agent, run)).toMatchObject({ status: 'delivered' });
    expect(fixture.done.toSorted()).toEqual(['pay a', 'pay b', 'read all']);
  });

  it('is interrupted at each resumption until a person answers', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const agent = fixture.agent(run, [calls(['c1', 'pay', { to: 'a' }]), answer]);
    await runGraph(agent, run, asked);
    for (let times = 0; times < 3; times += 1)
      expect(await runGraph(agent, run)).toMatchObject({ status: 'paused' });
    await fixture.answer(run);
    expect(await runGraph(agent, run)).toMatchObject({ status: 'delivered' });
    expect(fixture.done).toEqual(['pay a']);
  });

  it('shows the model the results of its calls', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const step = calls(['c1', 'pay', { to: 'a' }], ['c2', 'read', { of: 'all' }]);
    const wrong = calls(['c3', 'read', { of: 7 }]);
    const agent = fixture.agent(run, [step, wrong, answer]);
    await runGraph(agent, run, asked);
    await fixture.answer(run, 'reject');
    await runGraph(agent, run);
    const { values } = await agent.graph.getState(threadOf(run));
    const toolMessages = messagesOf(values).filter((message) => message.type === 'tool');
    expect(toolMessages.map(({ text }) => JSON.parse(text))).toEqual([
      { code: 'HUMAN_REJECTED', explanation: expect.any(String) },
      { of: 'all' },
      { code: 'OUTPUT_INVALID', explanation: '"/arguments/of" must be a string, was a number' },
    ]);
    expect(toolMessages.map((message) => 'status' in message && message.status)).toEqual([
      'error',
      'success',
      'error',
    ]);
  });

  it('reads why its answer was held back, and keeps no held-back answer in its messages', async () => {
    const fixture = openFixture({ beforeDeliver: { evidence } });
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const agent = fixture.agent(run, [{ answer: { good: false } }, read, answer]);
    const state = await agent.invoke(asked, threadOf(run));
    expect(texts(state)).toEqual([
      'Do it.',
      '{"good":false}',
      expect.stringContaining('EVIDENCE_MISSING'),
      '',
      '{"of":"all"}',
      '{"good":true}',
    ]);
  });

  it('hides an answer during review, and then shows the reviewed one', async () => {
    const fixture = openFixture();
    const unsure = { draftOf: ({ text }: BaseMessage) => ({ payload: JSON.parse(text), confidence: 0.3 }) };
    const run = await fixture.begin();
    expect(await runGraph(fixture.agent(run, [answer], unsure), run, asked)).toMatchObject({
      status: 'paused',
    });
    const saver = saverOf(textOf(fixture.saver));
    const script = fakeModel().alwaysThrow(new Error('the model is not asked again'));
    const middleware = [charterMiddleware(fixture.guarded, run, unsure)];
    const agent = createAgent({ model: script, middleware, checkpointer: saver });
    expect(texts((await agent.graph.getState(threadOf(run))).values)).toEqual(['Do it.']);
    await fixture.answer(run, 'edit', {
      value: { canProceed: true, confidence: 1, explanation: '', payload: { good: 'enough' } },
    });
    expect(await runGraph(agent, run)).toEqual({ status: 'delivered', payload: { good: 'enough' } });
    expect(texts((await agent.graph.getState(threadOf(run))).values)).toEqual([
      'Do it.',
      '{"good":"enough"}',
    ]);
    await fixture.guard.close();
  });

  it('reads a person’s remark on its answer', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const script = [answer, { answer: { kinder: true } }];
    const agent = fixture.agent(run, script, { draftOf: sureWhereKind, waits: true });
    fixture.guard.orchestrator.on(
      'question',
      () => void fixture.answer(run, 'instruction', 'Say it kindly.'),
    );
    expect(await runGraph(agent, run, asked)).toEqual({ status: 'delivered', payload: { kinder: true } });
    const { values } = await agent.graph.getState(threadOf(run));
    expect(texts(values)[2]).toContain('Say it kindly.');
  });

  it('holds a structured response back, together with its call', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const agent = createAgent({
      model: fakeModel().respondWithTools([{ name: 'extract-1', args: { good: 'the secret' }, id: 's1' }]),
      responseFormat: toolStrategy(z.object({ good: z.string() })),
      middleware: [
        charterMiddleware(fixture.guarded, run, {
          draftOf: (_, payload = {}) => ({ payload, confidence: 0.3 }),
        }),
      ],
      checkpointer: fixture.saver,
    });
    const state = await agent.invoke(asked, threadOf(run));
    expect(isInterrupted(state)).toBe(true);
    expect(JSON.stringify([state.messages, state.structuredResponse])).not.toContain('the secret');
    await fixture.answer(run);
    const end: unknown = await agent.invoke(new Command({ resume: 'go on' }), threadOf(run));
    expect(end).toMatchObject({ structuredResponse: { good: 'the secret' } });
  });

  it('serves the run of each thread when it is created once', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const agent = fixture.agent(fixture.guard.resume, [read, answer]);
    const [one, other] = [await fixture.begin(), await fixture.begin()];
    await Promise.all([runGraph(agent, one, asked), runGraph(agent, other, asked)]);
    expect([(await one.progress()).outcome, (await other.progress()).outcome]).toEqual([
      'success',
      'success',
    ]);
    await expect(agent.invoke(asked, { configurable: { thread_id: 'nobody' } })).rejects.toThrow('nobody');
  });

  it('serves the run of each invocation when a thread has several', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const named = (_thread: string, { run }: Readonly<Record<string, unknown>>) =>
      fixture.guard.resume(String(run));
    const agent = fixture.agent(named, [answer, { answer: { better: true } }]);
    const [one, other] = [await fixture.begin(), await fixture.begin()];
    expect(await runGraph(agent, one, asked, within(one))).toMatchObject({ payload: { good: true } });
    expect(await runGraph(agent, other, asked, within(other))).toMatchObject({ payload: { better: true } });
  });

  it('asks no model after its run is over', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    await fixture.guard.orchestrator.cancel(run.taskId, { by: 'kim' });
    const state = await fixture.agent(run, []).invoke(asked, threadOf(run));
    expect(texts(state)).toEqual(['Do it.', expect.stringContaining('CANCELLED')]);
  });

  it('refuses provider-run tools from every source', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const searching = createMiddleware({ name: 'Searching', tools: [{ type: 'web_search' }] });
    const agent = fixture.agent(run, [answer], { outer: [searching] });
    await expect(runGraph(agent, run, asked)).rejects.toMatchObject({ code: 'definition_invalid' });
  });

  it('refuses a guarded tool that the agent also has as its own', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const tools = toolsThat(fixture.done);
    const agent = createAgent({
      model: fakeModel(),
      tools: [...tools],
      middleware: [charterMiddleware(fixture.guarded, run)],
      checkpointer: fixture.saver,
    });
    await expect(runGraph(agent, run, asked)).rejects.toThrow('leave guarded tools out of `tools`');
  });

  it('is refused without a checkpointer when it must wait', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const middleware = [charterMiddleware(fixture.guarded, run)];
    const agent = createAgent({ model: scripted([calls(['c1', 'pay', { to: 'a' }])]), middleware });
    for (const input of [asked, undefined])
      await expect(runGraph(agent, run, input)).rejects.toThrow('expected a graph with a checkpointer');
  });

  it('is refused with a string as input', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    await expect(runGraph(fixture.agent(run, [answer]), run, 'Do it.')).rejects.toThrow(
      "runGraph: expected an input such as { messages: '…' }, was a string",
    );
  });
});
