import { defineTaskClass, defineVerifier, type TaskClassDefinition } from 'agentcharter';
import { createGuard, guardTool, type Guard, type GuardOptions, type Run } from 'agentcharter/guard';
import { z } from 'zod';
import type { Feedback } from '../../../src/base/feedback/feedback.ts';

export const identity = { agent_id: 'teller', owner_id: 'acme', control_class: 'human-supervised' } as const;

/** A guard with the effects of its tools and the errors of their next calls. */
export interface Bank {
  readonly guard: Guard;
  readonly done: string[];
  /** The tools whose next call throws. */
  readonly breaks: string[];
  readonly begin: () => Promise<Run>;
}

/** A guard around three tools; a person can approve a payment without a token. */
export const openBank = (
  contract: Partial<TaskClassDefinition> = {},
  options: Partial<GuardOptions> = {},
  done: string[] = [],
): Bank => {
  const breaks: string[] = [];
  const act = <Result>(what: string, result: Result): Result => {
    const at = breaks.indexOf(what.split(' ')[0] ?? '');
    if (at !== -1) {
      breaks.splice(at, 1);
      throw new Error(`${what} is out of order`);
    }
    done.push(what);
    return result;
  };
  const tools = [
    guardTool(
      {
        name: 'read',
        input: z.object({ of: z.string().default('all') }),
        execute: ({ of }) => act(`read ${of}`, { of }),
      },
      { tier: 'read_only' },
    ),
    guardTool(
      {
        name: 'note',
        input: z.object({ line: z.string() }),
        execute: ({ line }) => act(`note ${line}`, { line }),
      },
      { tier: 'write_low_risk' },
    ),
    guardTool(
      { name: 'pay', input: z.object({ to: z.string() }), execute: ({ to }) => act(`pay ${to}`, { to }) },
      {
        rollback: {
          describe: ({ to }) => ({ type: 'money.recall', target: to, payload: { to } }),
          run: async ({ target }) => done.push(`recall ${target ?? ''}`),
        },
      },
    ),
  ];
  const guard = createGuard({
    tools,
    taskClasses: [
      defineTaskClass({
        id: 'job',
        tools: ['read', 'note', 'pay'],
        authorities: ['human'],
        ...contract,
        limits: { rounds: 8, repairs: 2, failures: 0, ...contract.limits },
      }),
    ],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
    ...options,
  });
  const begin = (): Promise<Run> => guard.begin({ taskClass: 'job', payload: { for: 'test' }, identity });
  return { guard, done, breaks, begin };
};

/** A verifier that passes a draft with `good: true`. */
export const isGood = defineVerifier({
  id: 'good',
  verify: ({ value }) => {
    const { success } = z.looseObject({ good: z.literal(true) }).safeParse(value);
    return { checks: [{ check_id: 'good', result: success ? 'pass' : 'fail' }] };
  },
});

/** Answers the only open question as Kim. */
export const answer = async (
  { guard }: Bank,
  run: Run,
  feedback: Omit<Feedback, 'target'>,
): Promise<void> => {
  const [entry] = await run.questions();
  if (entry === undefined) throw new Error('nothing is asked');
  await guard.orchestrator.respond({ ...feedback, target: entry.message.messageId }, { by: 'kim' });
};
