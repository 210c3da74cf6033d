import { tool, ToolLoopAgent } from 'ai';
import { defineTaskClass } from 'agentcharter';
import { generateGuarded, guardTools } from 'agentcharter/adapters/ai-sdk';
import { createGuard } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Step } from '../subject.ts';
import { scripted } from './model.ts';

const identity = { agent_id: 'a', owner_id: 'acme', control_class: 'human-supervised' } as const;
const call = (tool: string, to: string) => ({ id: 'call_0', tool, arguments: { to } });

/** Runs an agent whose model gives each call one id, and approves each write; returns what was paid and what the model read. */
const paid = async (script: readonly Step[]) => {
  const made: string[] = [];
  const inputSchema = z.object({ to: z.string() });
  const guarded = guardTools(
    {
      pay: tool({ inputSchema, execute: async ({ to }) => ({ paid: made.push(to), to }) }),
      find: tool({ inputSchema, execute: async ({ to }) => ({ found: to }) }),
    },
    { pay: { tier: 'write_low_risk' }, find: { tier: 'read_only' } },
  );
  const guard = createGuard({
    tools: guarded.tools,
    taskClasses: [defineTaskClass({ id: 'pay', tools: ['pay', 'find'] })],
    policy: { decide: () => ({ verdict: 'needs_review', reasons: ['r'] }) },
  });
  await using _ = guard;
  const run = await guard.begin({ taskClass: 'pay', payload: {}, identity });
  const read: unknown[] = [];
  const model = scripted([...script, { answer: { said: 'done' } }], undefined, (given) => {
    const { prompt } = given as {
      readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
    };
    read.splice(
      0,
      read.length,
      ...prompt
        .filter(({ role }) => role === 'tool')
        .flatMap(({ content }) =>
          (content as readonly { readonly output: unknown }[]).map(({ output }) => output),
        ),
    );
  });
  for (let round = 0; round < 4; round += 1) {
    const agent = new ToolLoopAgent(guarded.bind(run, { model }));
    const stop = await generateGuarded({ run, agent, messages: [{ role: 'user', content: 'Pay them.' }] });
    if (stop.status !== 'paused') return { made, read, stop };
    for (const { message } of await run.questions())
      await guard.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'kim' });
  }
  throw new Error('it asks without end');
};

const results = (...values: readonly object[]) => values.map((value) => ({ type: 'json', value }));

describe('Writes that a person approved, of calls with one id', () => {
  it('in turn are made, and the model reads the result of each', async () => {
    const { made, read, stop } = await paid([
      { calls: [call('pay', 'ann')] },
      { calls: [call('pay', 'bob')] },
    ]);
    expect(stop).toMatchObject({ status: 'delivered' });
    expect(made).toEqual(['ann', 'bob']);
    expect(read).toEqual(results({ paid: 1, to: 'ann' }, { paid: 2, to: 'bob' }));
  });

  it('at once are made, and the model reads the result of each', async () => {
    const { made, read, stop } = await paid([{ calls: [call('pay', 'ann'), call('pay', 'bob')] }]);
    expect(stop).toMatchObject({ status: 'delivered' });
    expect(made).toEqual(['ann', 'bob']);
    expect(read).toEqual(results({ paid: 1, to: 'ann' }, { paid: 2, to: 'bob' }));
  });

  it('beside a read keep their own result', async () => {
    const { made, read, stop } = await paid([{ calls: [call('find', 'ann'), call('pay', 'ann')] }]);
    expect(stop).toMatchObject({ status: 'delivered' });
    expect(made).toEqual(['ann']);
    expect(read).toEqual(results({ found: 'ann' }, { paid: 1, to: 'ann' }));
  });
});
