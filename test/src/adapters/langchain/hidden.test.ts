import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { Command, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { defineTaskClass } from 'agentcharter';
import {
  charterMiddleware,
  deliverNode,
  guardTools,
  runGraph,
  taskCheckpointer,
  type Graph,
} from 'agentcharter/adapters/langchain';
import { createGuard, type Run } from 'agentcharter/guard';
import { createAgent, fakeModel, tool } from 'langchain';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Step } from '../subject.ts';
import { asked, calls, identity } from './fixture.ts';
import { messageOf } from './scripted.ts';

const secret = 'GB29NWBK60161331926819';

const script: readonly Step[] = [
  calls(['c1', 'read_mail', {}]),
  calls(['c2', 'pay', { to: { $from: 'read_mail#1', pointer: '/account' } }]),
  { answer: { done: true } },
];

/** A model with this script that keeps the messages of each of its calls. */
const listening = () => {
  const heard: BaseMessage[][] = [];
  const model = fakeModel();
  for (let turn = 0; turn < 8; turn += 1)
    model.respond((messages) => {
      heard.push([...messages]);
      const step = script[messages.filter((message) => AIMessage.isInstance(message)).length];
      return step === undefined ? new Error('the script is over') : messageOf(step);
    });
  return { model, heard };
};

const open = () => {
  const paid: string[] = [];
  const mail = tool(async () => ({ account: secret }), {
    name: 'read_mail',
    description: 'Reads.',
    schema: z.object({}),
  });
  const pay = tool(
    async ({ to }) => {
      paid.push(to);
      return 'paid';
    },
    { name: 'pay', description: 'Pays.', schema: z.object({ to: z.string() }) },
  );
  const guarded = guardTools([mail, pay], {
    read_mail: { tier: 'read_only', isHidden: true },
    pay: { tier: 'write_low_risk', flows: { '/to': { integrity: 'trusted' } } },
  });
  const guard = createGuard({
    tools: guarded.tools,
    taskClasses: [
      defineTaskClass({
        id: 'post',
        tools: ['read_mail', 'pay'],
        authorities: ['human'],
        limits: { rounds: 4 },
      }),
    ],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
  });
  return { guarded, guard, paid };
};

type Opened = ReturnType<typeof open>;
type Model = ReturnType<typeof listening>['model'];
type State = typeof MessagesAnnotation.State;

const isCalling = ({ messages }: State): boolean => {
  const last = messages.at(-1);
  return AIMessage.isInstance(last) && (last.tool_calls ?? []).length > 0;
};

const graphs: Readonly<Record<string, (opened: Opened, run: Run, model: Model) => Graph>> = {
  'an agent': ({ guarded }, run, model) =>
    createAgent({ model, middleware: [charterMiddleware(guarded, run)], checkpointer: new MemorySaver() }),
  'an agent whose task keeps its checkpoint': ({ guarded }, run, model) =>
    createAgent({
      model,
      middleware: [charterMiddleware(guarded, run)],
      checkpointer: taskCheckpointer(run),
    }),
  'a graph with a ToolNode': ({ guarded }, run, model) =>
    new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode('tools', new ToolNode(guarded.bind(run)))
      .addNode('deliver', deliverNode(run, { again: 'model' }), { ends: ['model', END] })
      .addEdge(START, 'model')
      .addConditionalEdges('model', (state) => (isCalling(state) ? 'tools' : 'deliver'), ['tools', 'deliver'])
      .addEdge('tools', 'model')
      .compile({ checkpointer: new MemorySaver() }),
};

it.each(Object.entries(graphs))(
  '%s shows a hidden value to the person in its interrupt, and never to its model',
  async (_, graphOf) => {
    const opened = open();
    await using guard = opened.guard;
    const run = await guard.begin({ taskClass: 'post', payload: {}, identity });
    const { model, heard } = listening();
    const graph = graphOf(opened, run, model);
    const stop = await runGraph(graph, run, asked);
    if (stop.status !== 'paused' || !('interrupts' in stop)) throw new Error(`it is ${stop.status}`);
    expect(JSON.stringify(stop.interrupts)).toContain(secret);
    const [question] = stop.questions;
    await guard.orchestrator.respond(
      { type: 'approve', target: question?.message.messageId ?? '' },
      { by: 'kim' },
    );
    // a host may resume with what it was interrupted with
    const resumed = await runGraph(graph, run, new Command({ resume: stop.interrupts[0]?.value }));
    expect(resumed).toEqual({ status: 'delivered', payload: { done: true } });
    expect(opened.paid).toEqual([secret]);
    expect(heard.length).toBeGreaterThanOrEqual(script.length);
    expect(JSON.stringify(heard)).toContain('read_mail#1');
    expect(JSON.stringify(heard)).not.toContain(secret);
  },
);
