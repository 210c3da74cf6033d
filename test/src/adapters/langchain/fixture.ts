import { MemorySaver } from '@langchain/langgraph';
import { defineTaskClass, type Store, type TaskClassDefinition } from 'agentcharter';
import {
  charterMiddleware,
  guardTools,
  type DraftOptions,
  type RunSource,
} from 'agentcharter/adapters/langchain';
import { createGuard, type Run } from 'agentcharter/guard';
import { memoryStore } from 'agentcharter/stores/memory';
import { createAgent, tool, type AgentMiddleware } from 'langchain';
import { z } from 'zod';
import type { Feedback } from '../../../../src/base/feedback/feedback.ts';
import type { Step } from '../subject.ts';
import { scripted } from './scripted.ts';

export const identity = { agent_id: 'teller', owner_id: 'acme', control_class: 'human-supervised' } as const;

/** Tools of LangChain's, and what they did. */
export const toolsThat = (done: string[]) => {
  const act = <Result>(what: string, result: Result): Result => {
    done.push(what);
    return result;
  };
  return [
    tool(async ({ of }) => act(`read ${of}`, { of }), {
      name: 'read',
      description: 'Reads.',
      schema: z.object({ of: z.string() }),
    }),
    tool(async ({ line }) => act(`note ${line}`, { line }), {
      name: 'note',
      description: 'Notes.',
      schema: z.object({ line: z.string() }),
    }),
    tool(async ({ to }) => act(`pay ${to}`, `paid ${to}`), {
      name: 'pay',
      description: 'Pays.',
      schema: z.object({ to: z.string() }),
    }),
  ];
};

/** A guard around a teller's tools; a person's word counts for a payment. */
export const openFixture = (contract: Partial<TaskClassDefinition> = {}, store: Store = memoryStore()) => {
  const done: string[] = [];
  const guarded = guardTools(toolsThat(done), {
    read: { tier: 'read_only' },
    note: { tier: 'write_low_risk' },
    pay: {
      rollback: {
        describe: ({ to }) => ({ type: 'money.recall', target: to, payload: { to } }),
        run: async ({ target }) => done.push(`recall ${target ?? ''}`),
      },
    },
  });
  const guard = createGuard({
    tools: guarded.tools,
    taskClasses: [
      defineTaskClass({
        id: 'job',
        tools: ['read', 'note', 'pay'],
        authorities: ['human'],
        ...contract,
        limits: { rounds: 8, repairs: 2, ...contract.limits },
      }),
    ],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
    store,
  });
  const saver = new MemorySaver();
  const begin = (): Promise<Run> => guard.begin({ taskClass: 'job', payload: {}, identity });
  const agent = (
    run: RunSource,
    script: readonly Step[],
    { outer = [], ...options }: DraftOptions & { readonly outer?: readonly AgentMiddleware[] } = {},
  ) => {
    const middleware: readonly AgentMiddleware[] = [...outer, charterMiddleware(guarded, run, options)];
    return createAgent({ model: scripted(script), middleware, checkpointer: saver });
  };
  /** Answers each question that is open, as Kim. */
  const answer = async (
    run: Run,
    type: Feedback['type'] = 'approve',
    content?: Feedback['content'],
  ): Promise<void> => {
    for (const { message } of await run.questions())
      await guard.orchestrator.respond(
        { type, target: message.messageId, ...(content === undefined ? {} : { content }) },
        { by: 'kim' },
      );
  };
  const facts = async ({ taskId }: Run): Promise<readonly string[]> =>
    (await guard.orchestrator.ledger(taskId)).flatMap(({ fact, code }) => code ?? fact?.type ?? []);
  return { done, guarded, guard, saver, begin, agent, answer, facts };
};

export const calls = (...named: readonly (readonly [id: string, tool: string, args: object])[]): Step => ({
  calls: named.map(([id, name, args]) => ({ id, tool: name, arguments: args })),
});

export const asked = { messages: [{ role: 'user', content: 'Do it.' }] };
