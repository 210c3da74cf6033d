import { defineTaskClass, defineTool, defineVerifier } from 'agentcharter';
import { prove, scenario } from 'agentcharter/testing';
import { z } from 'zod';

const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  input: z.object({ order: z.string(), euros: z.number() }),
  call: async ({ order }) => fetch(`https://shop.example/refunds/${order}`, { method: 'POST' }),
  rollback: {
    describe: ({ order, euros }) => ({ type: 'charge', target: order, payload: { euros } }),
    run: async ({ target }) => fetch(`https://shop.example/refunds/${target}`, { method: 'DELETE' }),
  },
});
const refunds = defineTaskClass({
  id: 'refunds',
  tools: ['refund'],
  authorities: ['human'],
  beforeWrite: { verifiers: ['limit'] },
  output: z.object({ refunded: z.number() }),
});
const Refund = z.object({ arguments: z.object({ euros: z.number().max(200) }) });
const limit = defineVerifier({
  id: 'limit',
  verify: ({ value }) => ({
    checks: [{ check_id: 'at most 200', result: Refund.safeParse(value).success ? 'pass' : 'fail' }],
  }),
});

// Scenarios: the real orchestrator, with scripted answers. Put each into a `test` of vitest or node:test.
const charter = scenario({
  taskClasses: [refunds],
  tools: [refund],
  verifiers: [limit],
  policy: { decide: () => ({ verdict: 'allow', reasons: ['refunds are allowed'] }) },
  mayRespond: (name) => name === 'dana',
});
const refundOf = (euros: number) =>
  charter
    .given({
      model: [
        { calls: [{ tool: 'refund', arguments: { order: 'o-7', euros } }] },
        { payload: { refunded: euros } },
      ],
      tools: { refund: { ok: true } },
    })
    .when({ taskClass: 'refunds', payload: { order: 'o-7' } });

const asked = await refundOf(180);
asked.expectQuestion({ kind: 'approval', tool: 'refund' });
await asked.expectResponseRefused({ type: 'approve' }, { by: 'eve' });
await asked.passTime('2 days');
await asked.respond({ type: 'approve' }, { by: 'dana' });
asked.expectDelivered({ refunded: 180 });

const unanswered = await refundOf(180);
await unanswered.passTime('7 days');
unanswered.expectRefused('QUESTION_EXPIRED');
unanswered.expectNotCalled('refund');

// Behind a guard: `agents` in place of `model`. Each step is calls of tools, or the answer.
const guarded = await charter
  .given({
    agents: {
      refunds: [
        { calls: [{ tool: 'refund', arguments: { order: 'o-7', euros: 90 } }] },
        { payload: { refunded: 90 } },
      ],
    },
    tools: { refund: { ok: true } },
  })
  .when({ taskClass: 'refunds', payload: { order: 'o-7' } });
guarded.expectQuestion({ kind: 'approval', tool: 'refund' });
await guarded.respond({ type: 'approve' }, { by: 'dana' }); // the agent is resumed
guarded.expectDelivered({ refunded: 90 });

// A scenario that fails says what happened.
const wrong = async () => (await refundOf(180)).expectDelivered();
await wrong().catch((error: Error) => console.log(`${error.message}\n`));

// A proof: every state that anyone can bring a task of this class to.
const { report } = prove(refunds, { tools: [refund] });
console.log(report.split('\n\n')[1]); // then: the worlds, and what it does not cover

try {
  prove(refunds, { tools: [refund], promises: { approvers: 2 } });
} catch (error) {
  if (error instanceof Error) console.log(`\n${error.message}`);
}
