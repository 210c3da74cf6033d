import { defineTaskClass, defineTool } from 'agentcharter';
import { simulate, type Law } from 'agentcharter/testing';
import { z } from 'zod';

const input = z.object({ order: z.string(), euros: z.number() });
const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  input,
  call: async ({ order }) => fetch(`https://shop.example/refunds/${order}`, { method: 'POST' }),
  doubt: 'idempotent', // the shop knows the key of a refund that it made before
  rollback: {
    describe: ({ order, euros }) => ({ type: 'charge', target: order, payload: { euros } }),
    run: async ({ target }) => fetch(`https://shop.example/refunds/${target}`, { method: 'DELETE' }),
  },
});
const refunds = defineTaskClass({
  id: 'refunds',
  tools: ['refund'],
  authorities: ['human'],
  output: z.object({ refunded: z.number() }),
});

/** A sentence of your own that must be true of every order. */
const smallRefunds: Law = {
  name: 'no refund is over 200 euros',
  holds: ({ effects }) =>
    effects.every(({ kind, arguments: given }) => kind === 'rollback' || input.parse(given).euros <= 200),
};

const simulation = await simulate(
  {
    taskClasses: [refunds],
    tools: [refund],
    policy: { decide: () => ({ verdict: 'allow', reasons: ['refunds are allowed'] }) },
  },
  {
    request: { taskClass: 'refunds', payload: { order: 'o-7' } },
    model: ({ asks }, choose) =>
      asks === 'plan'
        ? { calls: [{ tool: 'refund', arguments: { order: 'o-7', euros: choose([20, 200]) } }] }
        : { payload: { refunded: 20 } },
    tools: { refund: { ok: true } },
    people: [{ by: 'dana' }, { by: 'erin' }],
    laws: [smallRefunds],
  },
  { orders: 50 },
);
console.log(`${simulation.orders} orders of seed ${simulation.seed}`);
