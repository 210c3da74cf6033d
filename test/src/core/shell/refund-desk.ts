import * as z from 'zod';
import { createOrchestrator, defineTaskClass, defineTool, type Model, type Store } from 'agentcharter';
import { tablePolicy } from 'agentcharter/policies';

const order = z.object({ order: z.string() });

const read = defineTool({
  name: 'orders.get',
  description: 'Reads an order.',
  tier: 'read_only',
  input: order,
  call: async ({ order: id }) => ({
    order: id,
    customer: 'Ada Lovelace',
    contacts: [
      { id: 'c-07', name: 'Ada Lovelace', email: 'ada.lovelace@analytical.example' },
      { id: 'c-12', name: 'Charles Babbage', email: 'charles.babbage@analytical.example' },
    ],
    lines: [
      {
        article: 'A-100',
        name: 'Espresso machine',
        quantity: 1,
        price: 149,
        currency: 'EUR',
        status: 'delivered',
      },
      {
        article: 'A-207',
        name: 'Descaling tablets, box of 40',
        quantity: 2,
        price: 15.5,
        currency: 'EUR',
        status: 'delivered',
      },
    ],
  }),
});

const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  input: z.object({ order: z.string(), amount: z.number(), currency: z.string() }),
  summary: ({ order: id, amount, currency }) => `Refund ${amount} ${currency} for order ${id}.`,
  call: async ({ amount }) => ({ refunded: amount }),
  rollback: {
    describe: ({ order: id, amount }) => ({ type: 'charge', target: id, payload: { amount } }),
    run: async () => {},
  },
});

const sure = { canProceed: true, confidence: 0.9 };

const model: Model = {
  answer: async ({ asks, request }) => {
    const { order: id, amount } = request;
    if (asks !== 'plan')
      return { ...sure, explanation: 'The refund is made.', payload: { refunded: amount } };
    return {
      ...sure,
      explanation: 'The machine arrived broken, as the customer says.',
      calls: [
        { tool: 'orders.get', arguments: { order: id } },
        { tool: 'refund', arguments: { order: id, amount, currency: 'EUR' } },
      ],
    };
  },
};

const contract = { tools: ['orders.get', 'refund'], selfApproval: true } as const;

/** An orchestrator that refunds orders: up to 500 EUR with a person's word or a token, and never more. */
export const openDesk = (store?: Store) =>
  createOrchestrator({
    ...(store !== undefined && { store }),
    taskClasses: [
      defineTaskClass({ id: 'refunds', ...contract, authorities: ['human'] }),
      defineTaskClass({ id: 'signed-refunds', ...contract, authorities: ['approval'] }),
    ],
    tools: [read, refund],
    model,
    policy: tablePolicy({
      rules: [
        {
          tools: ['refund'],
          when: ({ arguments: given }) => (given as { amount: number }).amount > 500,
          verdict: 'deny',
          reason: 'Refunds above 500 EUR are made by the finance team.',
        },
        { tools: ['refund'], verdict: 'needs_review', reason: 'Refunds above 100 EUR need a person.' },
      ],
    }),
  });

export type Desk = ReturnType<typeof openDesk>;

/** Submits a refund and waits until it needs a person or is settled. Returns the task. */
export const askRefund = async (
  desk: Desk,
  taskClass: 'refunds' | 'signed-refunds',
  payload: { readonly order: string; readonly amount: number },
) => {
  const identity = { agent_id: 'support-agent', owner_id: 'acme', control_class: 'human-supervised' };
  const { taskId } = await desk.submit({ taskClass, payload, identity });
  for (;;) {
    const { isSettled } = await desk.task(taskId);
    const [open] = await desk.inbox(taskId);
    if (isSettled || open !== undefined) return { taskId, open };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
