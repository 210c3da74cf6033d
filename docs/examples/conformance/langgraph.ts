import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';
import { problemsOf, type Evidence, type Json, type Work, type WorkTool } from './work.ts';

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  attempt: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  problems: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  delivered: Annotation<Json | null>({ reducer: (_, next) => next, default: () => null }),
});

/** What is asked of a person before a risky tool is called. */
export interface ApprovalRequest {
  readonly question: string;
  readonly tool: string;
  readonly arguments: Json;
}

/** What a person answers: the value that resumes the graph. */
export interface ApprovalAnswer {
  readonly type: 'approve' | 'reject';
}

const toolOf = ({ name, run }: WorkTool) =>
  tool(
    async (input: Json, config: { configurable?: { thread_id?: string } }) =>
      JSON.stringify(await run(input, { id: config.configurable?.thread_id ?? '' })),
    { name, description: name, schema: z.looseObject({}) },
  );

const callsIn = (messages: readonly BaseMessage[]) => {
  const last = messages.at(-1);
  return AIMessage.isInstance(last) ? (last.tool_calls ?? []) : [];
};

const evidenceIn = (messages: readonly BaseMessage[]): readonly Evidence[] =>
  messages
    .filter((message) => ToolMessage.isInstance(message))
    .filter(({ status }) => status !== 'error')
    .map(({ name, text }) => ({ tool: name ?? '', result: JSON.parse(text) as unknown }));

const draftIn = (messages: readonly BaseMessage[]): Json => JSON.parse(messages.at(-1)?.text ?? '{}') as Json;

/** A graph that plans, asks for approval, calls tools, verifies and delivers; a thread of its own for each run. */
export const createAgent = (model: BaseChatModel, work: Work) => {
  const tools = work.tools.map(toolOf);
  const risky = new Set(work.tools.filter(({ isRisky }) => isRisky).map(({ name }) => name));
  const llm = model.bindTools?.(tools) ?? model;

  const plan = async ({ messages }: typeof State.State) => ({ messages: [await llm.invoke(messages)] });

  const approve = ({ messages }: typeof State.State) => {
    const refused: ToolMessage[] = [];
    for (const { id = '', name, args } of callsIn(messages)) {
      if (!risky.has(name)) continue;
      const request: ApprovalRequest = { question: 'May this tool be called?', tool: name, arguments: args };
      const { type } = interrupt<ApprovalRequest, ApprovalAnswer>(request);
      if (type === 'approve') continue;
      const content = 'A person has refused this call.';
      refused.push(new ToolMessage({ name, tool_call_id: id, status: 'error', content }));
    }
    return { messages: refused };
  };

  const verify = async ({ messages, attempt }: typeof State.State) => {
    const problems = await problemsOf(work, draftIn(messages), evidenceIn(messages));
    if (problems.length === 0) return { problems };
    const content = `Not accepted: ${problems.join('; ')}. Try again.`;
    return { problems, attempt: attempt + 1, messages: [new HumanMessage(content)] };
  };

  const deliver = ({ messages }: typeof State.State) => ({ delivered: draftIn(messages) });

  return new StateGraph(State)
    .addNode('plan', plan)
    .addNode('approve', approve)
    .addNode('tools', new ToolNode(tools))
    .addNode('verify', verify)
    .addNode('deliver', deliver)
    .addEdge(START, 'plan')
    .addConditionalEdges('plan', ({ messages }) => (callsIn(messages).length > 0 ? 'approve' : 'verify'), [
      'approve',
      'verify',
    ])
    .addEdge('approve', 'tools')
    .addEdge('tools', 'plan')
    .addConditionalEdges(
      'verify',
      ({ problems, attempt }) => {
        if (problems.length === 0) return 'deliver';
        return attempt <= work.repairs ? 'plan' : END;
      },
      ['deliver', 'plan', END],
    )
    .addEdge('deliver', END)
    .compile({ checkpointer: new MemorySaver() });
};

/** What resumes a thread that waits for a person. */
export const answer = (resume: ApprovalAnswer) =>
  new Command<ApprovalAnswer, Record<string, never>, never>({ resume });
