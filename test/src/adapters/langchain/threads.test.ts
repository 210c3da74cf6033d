import { AIMessage } from '@langchain/core/messages';
import { Command, END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { charterMiddleware, deliverNode, runGraph, type RunSource } from 'agentcharter/adapters/langchain';
import type { Run } from 'agentcharter/guard';
import { createAgent, createMiddleware } from 'langchain';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Step } from '../subject.ts';
import { asked, calls, openFixture } from './fixture.ts';
import { saverOf, textOf } from './saver.ts';
import { scripted } from './scripted.ts';
import { hidePlanned } from '../../../planned.ts';

/** LangChain prints what a handler throws, before it stops the run. */
beforeEach(() => hidePlanned('error', /^Error in handler GraphWatch, /));

type Fixture = ReturnType<typeof openFixture>;

const pay = calls(['c1', 'pay', { to: 'alice' }]);
const answer = { answer: { good: true } };
const script = [pay, answer];

const threadOf = ({ taskId }: Run) => ({ configurable: { thread_id: taskId } });
const otherRun = { code: 'definition_invalid', details: { definition: 'runGraph' } };
const otherCheckpoint = { code: 'input_unreadable', details: { document: 'checkpoint' } };

const hasCalls = ({ messages }: typeof MessagesAnnotation.State): boolean => {
  const last = messages.at(-1);
  return AIMessage.isInstance(last) && (last.tool_calls ?? []).length > 0;
};

/** A graph that its host builds, on the desk's own checkpointer. */
const graphOf = ({ guarded, saver }: Fixture, source: RunSource, steps: readonly Step[]) => {
  const model = scripted(steps);
  return new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', new ToolNode(guarded.bind(source)))
    .addNode('deliver', deliverNode(source, { again: 'model' }), { ends: ['model', END] })
    .addEdge(START, 'model')
    .addConditionalEdges('model', (state) => (hasCalls(state) ? 'tools' : 'deliver'), ['tools', 'deliver'])
    .addEdge('tools', 'model')
    .compile({ checkpointer: saver });
};

/** Two runs, the first of which waits for a person; both kinds of graph, by what they are under. */
const kinds = [
  ['an agent', (fixture: Fixture, source: RunSource) => fixture.agent(source, script)],
  ['a graph of the host', (fixture: Fixture, source: RunSource) => graphOf(fixture, source, script)],
] as const;

const opened = async () => {
  const fixture = openFixture();
  return { fixture, one: await fixture.begin(), other: await fixture.begin() };
};

const isUntouched = async ({ facts }: Fixture, run: Run): Promise<void> => {
  const seen = await facts(run);
  expect(seen).not.toContain('plan.proposed');
  expect(seen).not.toContain('call.started');
};

describe.each(kinds)('runGraph with %s', (_, graphUnder) => {
  it('proposes nothing to the run of another thread in config', async () => {
    const { fixture, one, other } = await opened();
    await using _guard = fixture.guard;
    const graph = graphUnder(fixture, fixture.guard.resume);
    await expect(runGraph(graph, one, asked, threadOf(other))).rejects.toMatchObject(otherRun);
    await isUntouched(fixture, one);
    await isUntouched(fixture, other);
  });

  it('proposes nothing to another run than the given one', async () => {
    const { fixture, one, other } = await opened();
    await using _guard = fixture.guard;
    await expect(runGraph(graphUnder(fixture, other), one, asked)).rejects.toMatchObject(otherRun);
    await isUntouched(fixture, other);
  });

  it('refuses the checkpoint of another run, and that run continues', async () => {
    const { fixture, one, other } = await opened();
    await using _guard = fixture.guard;
    await runGraph(graphUnder(fixture, one), one, asked);
    await fixture.answer(one);
    const approved = new Command({ resume: { decisions: [{ type: 'approve' }] } });
    for (const input of [undefined, null, approved]) {
      const resumed = runGraph(graphUnder(fixture, other), other, input, threadOf(one));
      await expect(resumed).rejects.toMatchObject(otherCheckpoint);
    }
    await isUntouched(fixture, other);
    expect(await runGraph(graphUnder(fixture, one), one)).toEqual({
      status: 'delivered',
      payload: { good: true },
    });
    expect(fixture.done).toEqual(['pay alice']);
  });

  it('refuses a checkpoint that was moved to its own thread', async () => {
    const { fixture, one, other } = await opened();
    await using _guard = fixture.guard;
    await runGraph(graphUnder(fixture, one), one, asked);
    const kept = textOf(fixture.saver);
    // only the thread is another one: what was kept in it still names its run
    const { storage } = saverOf(kept);
    fixture.saver.storage[other.taskId] = storage[one.taskId] ?? {};
    const { writes } = saverOf(kept);
    for (const [key, value] of Object.entries(writes))
      fixture.saver.writes[key.replace(one.taskId, other.taskId)] = value;
    await expect(runGraph(graphUnder(fixture, other), other)).rejects.toMatchObject(otherCheckpoint);
    await isUntouched(fixture, other);
  });

  it('reports that a thread has no checkpoint to resume', async () => {
    const { fixture, one } = await opened();
    await using _guard = fixture.guard;
    await expect(runGraph(graphUnder(fixture, one), one)).rejects.toMatchObject({
      ...otherCheckpoint,
      message: expect.stringContaining('begin it with an input'),
    });
  });

  it('sets its run itself, whatever config says', async () => {
    const { fixture, one, other } = await opened();
    await using _guard = fixture.guard;
    const config = { configurable: { thread_id: other.taskId, agentcharter_run: other.taskId } };
    const graph = graphUnder(fixture, fixture.guard.resume);
    await expect(runGraph(graph, one, asked, config)).rejects.toMatchObject(otherRun);
    await isUntouched(fixture, other);
  });
});

const stopping = () => {
  interrupt('Go on?');
  return {};
};

describe('A thread with several runs', () => {
  const shared = { configurable: { thread_id: 'talk' } };

  it('resumes only the run that its checkpoint names', async () => {
    const { fixture, one, other } = await opened();
    await using _guard = fixture.guard;
    await runGraph(fixture.agent(one, script), one, asked, shared);
    await fixture.answer(one);
    await expect(runGraph(fixture.agent(other, script), other, undefined, shared)).rejects.toMatchObject(
      otherCheckpoint,
    );
    expect(await runGraph(fixture.agent(one, script), one, undefined, shared)).toMatchObject({
      status: 'delivered',
    });
    const next = await runGraph(fixture.agent(other, [pay, answer, answer]), other, asked, shared);
    expect(next).toMatchObject({ status: 'delivered' });
    expect(fixture.done).toEqual(['pay alice']);
  });

  it('is not resumed when its checkpoint names no run', async () => {
    const { fixture, one } = await opened();
    await using _guard = fixture.guard;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('stop', stopping)
      .addNode('deliver', deliverNode(one, { again: 'stop' }), { ends: ['stop', END] })
      .addEdge(START, 'stop')
      .addEdge('stop', 'deliver')
      .compile({ checkpointer: fixture.saver });
    await runGraph(graph, one, asked, shared);
    const resume = new Command({ resume: 'yes' });
    await expect(runGraph(graph, one, resume, shared)).rejects.toMatchObject(otherCheckpoint);
  });
});

describe('An agent resumed without runGraph', () => {
  it('makes no call of another run', async () => {
    const { fixture, one, other } = await opened();
    await using _guard = fixture.guard;
    await runGraph(fixture.agent(one, script), one, asked);
    await fixture.answer(one);
    const agent = fixture.agent(other, script);
    const resumed = agent.invoke(new Command({ resume: 'yes' }) as never, threadOf(one));
    await expect(resumed).rejects.toMatchObject({ cause: otherCheckpoint });
    await isUntouched(fixture, other);
  });

  it('delivers no answer of another run', async () => {
    const { fixture, one, other } = await opened();
    await using _guard = fixture.guard;
    const leaving = createMiddleware({ name: 'Leaving', afterAgent: () => void interrupt('Go on?') });
    const agentUnder = (run: Run) =>
      createAgent({
        model: scripted([answer]),
        middleware: [charterMiddleware(fixture.guarded, run), leaving],
        checkpointer: fixture.saver,
      });
    await runGraph(agentUnder(one), one, asked);
    const resumed = agentUnder(other).invoke(new Command({ resume: 'yes' }) as never, threadOf(one));
    await expect(resumed).rejects.toMatchObject(otherCheckpoint);
    expect((await other.progress()).outcome).not.toBe('success');
  });
});

describe('A run with an input', () => {
  it('ignores the checkpoint of another run in the same checkpointer', async () => {
    const { fixture, one, other } = await opened();
    await using _guard = fixture.guard;
    await runGraph(fixture.agent(one, script), one, asked);
    expect(await runGraph(fixture.agent(other, [answer]), other, asked)).toMatchObject({
      status: 'delivered',
    });
    expect(await fixture.facts(other)).not.toContain('call.started');
    expect(fixture.done).toEqual([]);
  });
});
