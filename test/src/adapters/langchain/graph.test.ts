import { AIMessage } from '@langchain/core/messages';
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { charterMiddleware, deliverNode, runGraph, type RunSource } from 'agentcharter/adapters/langchain';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import type { Step } from '../subject.ts';
import { asked, calls, openFixture } from './fixture.ts';
import { scripted } from './scripted.ts';

type Fixture = ReturnType<typeof openFixture>;
type State = typeof MessagesAnnotation.State;

const hasCalls = ({ messages }: State): boolean => {
  const last = messages.at(-1);
  return AIMessage.isInstance(last) && (last.tool_calls ?? []).length > 0;
};

/** A graph that somebody built by hand: a model, a ToolNode, and a gate where it ends. */
const graphOf = (
  { guarded }: Fixture,
  source: RunSource,
  script: readonly Step[],
  leaves: 'deliver' | typeof END,
) => {
  const model = scripted(script);
  return new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', new ToolNode(guarded.bind(source)))
    .addNode('deliver', deliverNode(source, { again: 'model' }), { ends: ['model', END] })
    .addEdge(START, 'model')
    .addConditionalEdges('model', (state) => (hasCalls(state) ? 'tools' : leaves), ['tools', 'deliver', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer: new MemorySaver() });
};

const read = calls(['c1', 'read', { of: 'all' }]);
const answer = { answer: { good: true } };

describe('A graph without createAgent', () => {
  it('interrupts its ToolNode for all waiting calls, and makes each of them once', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const step = calls(['c1', 'pay', { to: 'a' }], ['c2', 'note', { line: 'b' }], ['c3', 'pay', { to: 'c' }]);
    const graph = graphOf(fixture, run, [step, answer], 'deliver');
    const stop = await runGraph(graph, run, asked);
    expect(stop).toMatchObject({ status: 'paused', questions: [{}, {}] });
    expect(await runGraph(graph, run)).toMatchObject({ status: 'paused' });
    const [first] = await run.questions();
    const target = first?.message.messageId ?? '';
    await fixture.guard.orchestrator.respond({ type: 'approve', target }, { by: 'kim' });
    expect(await runGraph(graph, run)).toMatchObject({ status: 'paused', questions: [{}] });
    await fixture.answer(run);
    expect(await runGraph(graph, run)).toEqual({ status: 'delivered', payload: { good: true } });
    expect(fixture.done.toSorted()).toEqual(['note b', 'pay a', 'pay c']);
  });

  it('returns from its gate with the reasons, and ends there with the delivered answer', async () => {
    const fixture = openFixture({ beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'read' }] } });
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const graph = graphOf(
      fixture,
      fixture.guard.resume,
      [{ answer: { good: false } }, read, answer],
      'deliver',
    );
    const { messages } = await graph.invoke(asked, { configurable: { thread_id: run.taskId } });
    expect(messages.map(({ text }) => text)).toEqual([
      'Do it.',
      '{"good":false}',
      expect.stringContaining('EVIDENCE_MISSING'),
      '',
      '{"of":"all"}',
      '{"good":true}',
    ]);
    expect((await run.progress()).outcome).toBe('success');
  });

  it('ends at its gate with the reasons when its run fails', async () => {
    const evidence = [{ type: 'tool_result', tool: 'read' }] as const;
    const fixture = openFixture({ beforeDeliver: { evidence }, limits: { repairs: 0 } });
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const graph = graphOf(fixture, run, [answer], 'deliver');
    const { messages } = await graph.invoke(asked, { configurable: { thread_id: run.taskId } });
    expect(messages.map(({ text }) => text)).toEqual(['Do it.', expect.stringContaining('EVIDENCE_MISSING')]);
  });

  it('delivers nothing without its gate: definition_invalid', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    await expect(runGraph(graphOf(fixture, run, [answer], END), run, asked)).rejects.toMatchObject({
      code: 'definition_invalid',
    });
    expect((await run.progress()).outcome).not.toBe('success');
  });

  it('interrupts and resumes through a nested agent, as a subgraph or as a call', async () => {
    for (const isGraph of [true, false]) {
      const fixture = openFixture();
      await using _ = fixture.guard;
      const run = await fixture.begin();
      const step = calls(['c1', 'pay', { to: 'a' }], ['c2', 'pay', { to: 'b' }]);
      const agent = createAgent({
        model: scripted([step, answer]),
        middleware: [charterMiddleware(fixture.guarded, run)],
      });
      const asCall = async (state: State) => ({ messages: (await agent.invoke(state)).messages });
      const graph = new StateGraph(MessagesAnnotation)
        .addNode('agent', isGraph ? agent.graph : asCall)
        .addEdge(START, 'agent')
        .addEdge('agent', END)
        .compile({ checkpointer: new MemorySaver() });
      expect(await runGraph(graph, run, asked)).toMatchObject({ status: 'paused', interrupts: [{}, {}] });
      expect(await runGraph(graph, run)).toMatchObject({ status: 'paused' });
      await fixture.answer(run);
      expect(await runGraph(graph, run)).toMatchObject({ status: 'delivered' });
      expect(fixture.done.toSorted()).toEqual(['pay a', 'pay b']);
    }
  });

  it('keeps its run when it is aborted while waiting', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const waiting = new AbortController();
    fixture.guard.orchestrator.on('question', () => waiting.abort());
    const graph = fixture.agent(run, [calls(['c1', 'pay', { to: 'a' }]), answer], { waits: true });
    await expect(runGraph(graph, run, asked, { signal: waiting.signal })).rejects.toThrow(/abort/i);
    expect(await run.questions()).toHaveLength(1);
    await fixture.answer(run);
    expect(await runGraph(graph, run)).toMatchObject({ status: 'delivered' });
    expect(fixture.done).toEqual(['pay a']);
  });
});
