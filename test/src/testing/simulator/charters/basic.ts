import { defineTaskClass, defineTool, defineVerifier } from 'agentcharter';
import type { Run } from 'agentcharter/guard';
import { rollbackOf } from '../../../../../src/base/define/rollback.ts';
import type { Doubt } from '../../../../../src/base/ports/tool.ts';
import { z } from 'zod';

const input = z.object({ order: z.string() });
const found = async () => ({ found: 'unknown' }) as const;

/** A read, as its charter defines it: the simulator answers in place of its code. */
export const reading = (name: string) =>
  defineTool({ name, description: `Reads ${name}.`, tier: 'read_only', input, call: async () => null });

/** A write whose calls and rollbacks in doubt are resolved in one way. */
export const writing = (
  name: string,
  doubt: Doubt,
  tier: 'write_low_risk' | 'write_high_risk' = 'write_low_risk',
) =>
  defineTool({
    name,
    description: `Writes ${name}.`,
    tier,
    input,
    call: async () => null,
    ...(doubt === 'reconcilable' ? { doubt, lookup: found } : { doubt }),
    rollback: {
      describe: ({ order }) => ({ type: 'inverse', target: order, payload: { order } }),
      run: async () => null,
      ...(doubt === 'reconcilable' ? { doubt, lookup: found } : { doubt }),
    },
  });

export const allow = { decide: () => ({ verdict: 'allow', reasons: [] }) } as const;
const calls = (...tools: readonly string[]) => ({
  calls: tools.map((tool) => ({ tool, arguments: { order: 'o-7' } })),
});
export const people = [{ by: 'dana' }, { by: 'erin' }];
export const request = (taskClass: string) => ({ taskClass, payload: { order: 'o-7' } });

const sound = defineVerifier({
  id: 'sound',
  verify: () => ({ checks: [{ check_id: 'looks right', result: 'pass' }] }),
});

/** A high-risk write with evidence, a verifier and an approval before it. */
const refund = {
  charter: {
    taskClasses: [
      defineTaskClass({
        id: 'refunds',
        tools: ['find', 'refund'],
        authorities: ['human'],
        beforeWrite: { evidence: [{ type: 'tool_result', tool: 'find' }], verifiers: ['sound'] },
        beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'find' }], verifiers: ['sound'] },
        output: z.object({ refunded: z.number() }),
      }),
    ],
    tools: [reading('find'), writing('refund', 'unsafe', 'write_high_risk')],
    verifiers: [sound],
    policy: allow,
  },
  given: {
    request: request('refunds'),
    model: ({ asks }: { readonly asks: string }) =>
      asks === 'plan' ? calls('find', 'refund') : { payload: { refunded: 5 } },
    people,
  },
} as const;

/** Writes in each way of doubt, of which the last is refused: what was done is undone. */
const undone = {
  charter: {
    taskClasses: [
      defineTaskClass({ id: 'undone', tools: ['first', 'second', 'third', 'refuses'], output: z.object({}) }),
    ],
    tools: [
      writing('first', 'idempotent'),
      writing('second', 'reconcilable'),
      writing('third', 'unsafe'),
      writing('refuses', 'unsafe'),
    ],
    policy: allow,
  },
  given: {
    request: request('undone'),
    model: ({ asks }: { readonly asks: string }) =>
      asks === 'plan' ? calls('first', 'second', 'third', 'refuses') : { payload: {} },
    tools: {
      refuses: (_input: unknown, { notDone }: { readonly notDone: (words: string) => unknown }) =>
        notDone('no funds'),
    },
    people,
  },
} as const;

/** Writes that a person undoes by hand, between others, of which the last is refused. */
const byHand = {
  charter: {
    taskClasses: [
      defineTaskClass({ id: 'byHand', tools: ['note', 'ship', 'pay', 'refuses'], output: z.object({}) }),
    ],
    tools: [
      writing('note', 'idempotent'),
      { ...writing('ship', 'unsafe'), rollback: rollbackOf('ship', 'person') },
      { ...writing('pay', 'reconcilable'), rollback: rollbackOf('pay', 'person') },
      writing('refuses', 'unsafe'),
    ],
    policy: allow,
  },
  given: {
    request: request('byHand'),
    model: ({ asks }: { readonly asks: string }) =>
      asks === 'plan' ? calls('note', 'ship', 'pay', 'refuses') : { payload: {} },
    tools: undone.given.tools,
    people,
  },
} as const;

/** An agent of a guard, which writes, reads and concludes, and begins anew after a crash. */
const guarded = {
  charter: {
    taskClasses: [
      defineTaskClass({
        id: 'guarded',
        tools: ['find', 'order', 'refund'],
        authorities: ['human'],
        beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'find' }] },
        output: z.object({ refunded: z.number() }),
      }),
    ],
    tools: [
      reading('find'),
      writing('order', 'reconcilable'),
      writing('refund', 'idempotent', 'write_high_risk'),
    ],
    policy: allow,
  },
  given: {
    request: request('guarded'),
    agents: () => ({
      guarded: async (run: Run) => {
        const order = { order: 'o-7' };
        for (const tool of ['order', 'find', 'refund']) {
          const { status } = await run.call(tool, order);
          if (status === 'paused') return;
        }
        await run.conclude({ payload: { refunded: 5 } });
      },
    }),
    people,
  },
} as const;

export const basic = { refund, undone, byHand, guarded } as const;
