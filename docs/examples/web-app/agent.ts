import { EventEmitter } from 'node:events';
import { defineTaskClass, type CallContext } from 'agentcharter';
import { guardTools, streamGuarded } from 'agentcharter/adapters/ai-sdk';
import { createGuard } from 'agentcharter/guard';
import { tablePolicy, type PolicyRequest } from 'agentcharter/policies';
import { postgresStore } from 'agentcharter/stores/postgres';
import { tool, ToolLoopAgent, type ModelMessage, type TextStreamPart, type ToolSet } from 'ai';
import type { Pool } from 'pg';
import { z } from 'zod';
import { model } from './model.ts';
import { keyOf, Message, type Turns } from './turns.ts';

/** Where the task of a message stands, and what the chat says about it. */
export interface Standing {
  readonly status: 'working' | 'waiting' | 'delivered' | 'failed';
  readonly text: string;
}

/** What the agent needs of the program. */
interface Given {
  readonly connectionString: string;
  readonly pool: Pool;
  readonly turns: Turns;
  /** Returns whether this user may decide about refunds. */
  readonly isClerk: (user: string) => boolean;
}

const Refund = z.object({ order: z.string(), eur: z.number().positive() });
const Answer = z.object({ text: z.string() });
const isAbove = (limit: number) => (write: PolicyRequest) => Refund.parse(write.arguments).eur > limit;

const asUser = ({ text }: Message): ModelMessage => ({ role: 'user', content: text });

/** Creates the guarded agent. `parts` emits what it streams, by the key of its message. */
export const createAgent = ({ connectionString, pool, turns, isClerk }: Given) => {
  const refund = tool({
    description: 'Pays an order back.',
    inputSchema: Refund,
    execute: async ({ order, eur }, { context }) => {
      const { key } = context as unknown as CallContext; // the same in a retry, so that it pays once
      const row = 'INSERT INTO refund VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
      await pool.query(row, [key, order, eur]);
      return { refunded: eur };
    },
  });
  const guarded = guardTools(
    { refund },
    {
      refund: {
        tier: 'write_low_risk', // `write_high_risk` asks at every amount
        doubt: 'idempotent',
        summary: ({ order, eur }) => `Refund ${eur} EUR for order ${order}.`,
      },
    },
  );
  const parts = new EventEmitter<Record<string, [TextStreamPart<ToolSet>]>>();

  const guard = createGuard({
    tools: guarded.tools,
    taskClasses: [defineTaskClass({ id: 'chat', tools: ['refund'], output: Answer })],
    policy: tablePolicy({
      rules: [
        { tools: ['refund'], verdict: 'allow', reason: 'Support may refund up to 100 EUR.' },
        { tools: ['refund'], when: isAbove(100), verdict: 'needs_review', reason: 'It is above 100 EUR.' },
      ],
    }),
    mayRespond: (name, { identity }) => isClerk(name) && name !== identity.user_id,
    store: postgresStore({ connectionString }),
    // The guard starts it for each new task, after an answer, and after a restart.
    agents: {
      chat: async (run, { request }) => {
        const message = Message.parse(request);
        const agent = new ToolLoopAgent({
          instructions: 'You refund orders.',
          ...guarded.bind(run, { model }),
        });
        const messages = [...(await history(message, run.taskId)), asUser(message)];
        for await (const item of streamGuarded({ run, agent, messages }))
          if (item.unverified) parts.emit(keyOf(message), item.part);
      },
    },
  });
  const { orchestrator, close } = guard;

  const standing = async (task: string): Promise<Standing> => {
    const { isSettled, outcome, draft, reasons } = await orchestrator.progress(task);
    if (isSettled && outcome === 'success') return { status: 'delivered', ...Answer.parse(draft) };
    if (isSettled) return { status: 'failed', text: reasons.map(({ says }) => says).join(' ') };
    const [asked] = await orchestrator.inbox(task);
    if (asked === undefined) return { status: 'working', text: '' };
    return { status: 'waiting', text: asked.question.summary ?? asked.message.explanation };
  };

  /** The messages before this one, and what was delivered. What the browser sends as history is not believed. */
  const history = async ({ user, chat }: Message, task: string): Promise<readonly ModelMessage[]> => {
    const earlier = await turns.list(user, chat, task);
    const pairs = earlier.map(async (turn): Promise<readonly ModelMessage[]> => {
      const { text } = await standing(turn.task);
      return [asUser(turn), { role: 'assistant', content: text }];
    });
    return (await Promise.all(pairs)).flat();
  };

  /** Begins the task of a message, or finds it if it has begun. */
  const begin = async (message: Message): Promise<string> => {
    const identity = {
      agent_id: 'support-agent',
      owner_id: 'the-shop',
      user_id: message.user, // for whom it acts; this user may not approve (`mayRespond`)
      control_class: 'human-supervised',
    };
    const request = { taskClass: 'chat', payload: message, identity } as const;
    const { taskId } = await orchestrator.submit(request, { key: keyOf(message) });
    await turns.add(message, taskId);
    return taskId;
  };

  return { orchestrator, close, parts, begin, standing };
};
export type Agent = ReturnType<typeof createAgent>;
