import { expect } from 'vitest';
import * as z from 'zod';
import type { UpFormatMessage } from '../../../schema/index.ts';
import { passes, scene } from '../../src/core/shell/scene.ts';
import { call, draft, identity, plan, readTool, writeTool } from '../../src/core/shell/scripted.ts';
import { settle } from '../../src/core/shell/simulated-clock.ts';

const output = z
  .object({ email: z.email().describe('contact address') })
  .meta({ title: 'A freelancer', $id: 'https://example.org/freelancer', concepts: ['schema:Person'] });

export const thinking = {
  reasoning: ['the request names a person'],
  questions: ['Is this the right person?'],
  assumptions: ['the address is current'],
  alternatives: [plan([], { explanation: 'Do nothing.' })],
  confidence: 0.3,
};

const delegates = readTool('delegate', {
  call: (_, { met, notYet }) =>
    met ?? notYet({ dependency: 'search', agent: 'scout', explanation: 'Scout searches.' }),
});
const asks = readTool('look', {
  call: (_, { answer, needsHuman }) => answer ?? needsHuman({ explanation: 'Which one?' }),
});
const sends = readTool('mail', {
  call: async (_, { send }) => {
    await send({ state: 'completed', payload: { sent: 1 }, explanation: 'One was sent.' });
    return {};
  },
});

export const tools = [delegates, asks, sends, writeTool('pay')];
export const answered = { severity: 'low', priority: 2 };

/** A message of another agent. */
const messageOf = (threadId: string, more: object) => ({
  messageId: '00000000-0000-4000-8000-00000000abcd',
  threadId,
  timestamp: '2026-11-21T05:00:00Z',
  state: 'completed',
  payload: { found: 3 },
  explanation: 'Scout found three.',
  ...more,
});

/** A task in which everybody speaks: it delivers, and a refinement is settled. */
export const deliveredTask = async () => {
  const made = scene({
    model: ({ asks: wanted }) =>
      wanted === 'plan'
        ? plan(
            tools.map(({ name }) => call(name)),
            thinking,
          )
        : draft({ email: 'ada@example.org' }, { upContext: { concepts: ['mathematician'] } }),
    tools,
    policy: 'needs_review',
    verifiers: { judge: passes },
    taskClass: {
      output,
      beforeDeliver: { verifiers: ['judge'] },
      followup: () => ({ explanation: 'Another?', payload: {}, byDefault: {} }),
    },
  });
  const { orchestrator } = made;
  const { taskId, threadId } = await orchestrator.submit({
    taskClass: 'work',
    payload: { wish: 'a freelancer' },
    identity: { ...identity, user_id: 'ana' },
  });
  await settle();
  const [asked] = await orchestrator.inbox();
  await orchestrator.receive(
    messageOf(threadId, {
      state: 'submitted',
      upFeedback: { type: 'approve', target: asked?.message.messageId },
    }),
    { agent_id: 'critic', owner_id: 'acme' },
  );
  for (let turn = 0; turn < 20; turn += 1) {
    const [open] = await orchestrator.inbox();
    if (open !== undefined) {
      const type = open.question.kind === 'tool' ? 'edit' : 'approve';
      const content = type === 'edit' ? { content: { value: 'the first' } } : {};
      await orchestrator.respond(
        { type, target: open.message.messageId, metadata: answered, ...content },
        { by: 'dana' },
      );
    }
    await settle();
    const [task] = await orchestrator.list();
    if (task?.state === 'waiting')
      await orchestrator.receive(messageOf(threadId, { messageId: '00000000-0000-4000-8000-00000000abce' }), {
        agent_id: 'scout',
        owner_id: 'acme',
      });
    await settle();
  }
  return {
    thread: await orchestrator.thread(threadId),
    documents: await orchestrator.documents(taskId),
    threadId,
  };
};

/** Tasks that end without a delivery. */
export const endedTasks = async (): Promise<readonly UpFormatMessage[]> => {
  const failed = scene({ model: [draft()], taskClass: { limits: { corrections: 0, revisions: 0 } } });
  const ended = scene({ model: [plan([call('look')])], tools });
  const threads = [failed, ended].map(async ({ orchestrator, submit, question, answer }) => {
    const taskId = await submit();
    if (orchestrator === ended.orchestrator) await orchestrator.cancel(taskId, { by: 'kim' });
    else {
      expect((await question()).question.kind).toBe('help');
      await answer('reject');
    }
    await settle();
    return orchestrator.thread((await orchestrator.list())[0]?.threadId ?? '');
  });
  return (await Promise.all(threads)).flat();
};
