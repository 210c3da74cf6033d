import { defineTaskClass, type TaskClassDefinition } from 'agentcharter';
import { createGuard, defineCallerTool, guardTool, type GuardOptions } from 'agentcharter/guard';
import { z } from 'zod';
import type { Feedback } from '../../../src/base/feedback/feedback.ts';
import { identity } from './bank.ts';

export const input = z.object({ to: z.string() });
export const describeRecall = ({ to }: { readonly to: string }) => ({
  type: 'recall',
  target: to,
  payload: { to },
});

/** A guard of tools that live with its caller: `pay` and `look`, the idempotent `put`, and `note`, which lives here. */
export const openDesk = (
  contract: Partial<TaskClassDefinition> = {},
  options: Partial<GuardOptions> = {},
) => {
  const here: string[] = [];
  const guard = createGuard({
    tools: [
      defineCallerTool({ name: 'look', description: '', input, tier: 'read_only' }),
      defineCallerTool({
        name: 'pay',
        description: '',
        input,
        output: z.object({ receipt: z.string() }),
        rollback: { describe: describeRecall },
      }),
      defineCallerTool({
        name: 'put',
        description: '',
        input,
        tier: 'write_low_risk',
        doubt: 'idempotent',
      }),
      guardTool({ name: 'note', input, execute: ({ to }) => here.push(to) }, { tier: 'write_low_risk' }),
      guardTool({ name: 'read', input, execute: ({ to }) => here.push(to) }, { tier: 'read_only' }),
    ],
    taskClasses: [
      defineTaskClass({
        id: 'job',
        tools: ['look', 'pay', 'put', 'note', 'read'],
        authorities: ['human'],
        ...contract,
      }),
    ],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
    ...options,
  });
  const begin = () => guard.begin({ taskClass: 'job', payload: { for: 'test' }, identity });
  const answer = async (taskId: string, feedback: Omit<Feedback, 'target'>) => {
    const [entry] = await guard.orchestrator.inbox(taskId);
    if (entry === undefined) throw new Error('nothing is asked');
    await guard.orchestrator.respond({ ...feedback, target: entry.message.messageId }, { by: 'kim' });
    return entry;
  };
  const facts = async (taskId: string) =>
    (await guard.orchestrator.ledger(taskId)).flatMap(({ fact }) => fact?.type ?? []);
  return { guard, here, begin, answer, facts, [Symbol.asyncDispose]: () => guard.close() };
};

export const receipt = { status: 'done', result: { receipt: 'r-1' } } as const;
