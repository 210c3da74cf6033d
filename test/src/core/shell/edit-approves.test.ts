import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TaskClassDefinition } from '../../../../src/index.ts';
import { scene } from './scene.ts';
import { call, draft, identity, plan, writeTool } from './scripted.ts';

/** Edits a payment of 1 to another amount, under a policy that wants a person to see each; returns what is asked then. */
const edited = async (
  amount: number,
  {
    by = 'kim',
    tool,
    ...taskClass
  }: Partial<TaskClassDefinition> & { by?: string; tool?: Parameters<typeof writeTool>[1] } = {},
) => {
  const { orchestrator, submit, question, invocations } = scene({
    model: [plan([call('pay', { amount: 1 })]), draft()],
    tools: [writeTool('pay', { tier: 'write_high_risk', ...tool })],
    policy: () => ({ verdict: 'needs_review', reasons: [] }),
    taskClass: { authorities: ['human'], ...taskClass },
  });
  const taskId = await submit();
  const { message } = await question();
  const target = { messageId: message.messageId, part: '/payload/action/arguments' };
  await orchestrator.respond({ type: 'edit', target, content: { value: { amount } } }, { by });
  await expect
    .poll(async () => {
      const { isSettled, state } = await orchestrator.task(taskId);
      return isSettled || state === 'needsHumanDecision';
    })
    .toBe(true);
  const asked = (await orchestrator.inbox()).map(({ message: { payload } }) => payload['action']);
  return { asked, made: invocations.map((one) => one.arguments) };
};

describe('an edit of a write', () => {
  it('approves it: the editor is not asked about their own change', async () => {
    expect(await edited(2)).toEqual({ asked: [], made: [{ amount: 2 }] });
  });

  it.each([
    [
      'that its schema reads differently',
      { tool: { input: z.object({ amount: z.number().transform((n) => n * 10) }) } },
      20,
    ],
    ['by the owner of the agent, who approves nothing here', { by: identity.owner_id }, 2],
    ['where two people approve', { approvers: 2 }, 2],
    ['where an approval is signed', { authorities: ['approval' as const] }, 2],
  ])('%s is shown to a person first', async (_, given, amount) => {
    expect(await edited(2, given)).toMatchObject({ asked: [{ arguments: { amount } }], made: [] });
  });

  it('by the owner of the agent approves it where the class says so', async () => {
    const made = await edited(2, { by: identity.owner_id, selfApproval: true });
    expect(made).toEqual({ asked: [], made: [{ amount: 2 }] });
  });
});
