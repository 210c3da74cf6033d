import { defineTaskClass, defineTaskTool, defineTool, defineVerifier } from 'agentcharter';
import { scenario } from 'agentcharter/testing';
import * as z from 'zod';

const fails = async (): Promise<never> => {
  throw new Error('the code of a tool runs');
};

const find = defineTool({
  name: 'order.find',
  description: 'Finds an order.',
  tier: 'read_only',
  input: z.object({ order: z.string() }),
  call: fails,
});
const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  input: z.object({ order: z.string(), cents: z.int() }),
  call: fails,
  rollback: {
    describe: ({ order, cents }) => ({ type: 'charge', target: order, payload: { cents } }),
    run: fails,
  },
  doubt: 'reconcilable',
  lookup: fails,
});
const research = defineTaskTool({
  name: 'research',
  description: 'Finds out why.',
  taskClass: 'research',
  tier: 'read_only',
  input: z.object({ question: z.string() }),
  request: ({ question }) => ({ payload: { question } }),
});

const Refund = z.object({ arguments: z.object({ cents: z.int() }) });
const Order = z.object({ payload: z.object({ cents: z.int() }) });

/** Takes a moment of real time, as one that asks a service does. */
const amount = defineVerifier({
  id: 'amount',
  verify: async ({ value, evidence }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { cents } = Refund.parse(value).arguments;
    const cost = Math.max(0, ...evidence.flatMap((one) => Order.safeParse(one).data?.payload.cents ?? []));
    return { checks: [{ check_id: 'at most what it cost', result: cents <= cost ? 'pass' : 'fail' }] };
  },
});

/** Refunds that Dana approves: at most what the order cost, and at most 500 EUR. */
export const charter = {
  taskClasses: [
    defineTaskClass({
      id: 'refunds',
      tools: ['order.find', 'refund'],
      authorities: ['human'],
      beforeWrite: { evidence: [{ type: 'tool_result', tool: 'order.find' }], verifiers: ['amount'] },
      output: z.object({ refunded: z.int() }),
      limits: { repairs: 0 },
    }),
    defineTaskClass({
      id: 'complaint',
      tools: ['research'],
      output: z.object({ answer: z.string() }),
      accept: async ({ payload }) =>
        'text' in payload
          ? { accepted: true }
          : { refused: 'INPUT_REQUIRED' as const, explanation: 'It has no text.' },
    }),
    defineTaskClass({ id: 'research', tools: ['order.find'], output: z.object({ found: z.string() }) }),
  ],
  tools: [find, refund, research],
  verifiers: [amount],
  policy: {
    decide: ({ arguments: given }: { readonly arguments: unknown }) =>
      Refund.shape.arguments.parse(given).cents <= 50_000
        ? { verdict: 'allow' as const, reasons: ['at most 500 EUR'] }
        : { verdict: 'deny' as const, reasons: ['more than 500 EUR'] },
  },
  mayRespond: (name: string) => name === 'dana',
};

export const refunds = scenario(charter);

/** The plan of a refund. */
export const planOf = (cents: number) => ({
  calls: [
    { tool: 'order.find', arguments: { order: 'o-7' } } as const,
    { tool: 'refund', arguments: { order: 'o-7', cents } } as const,
  ],
});

/** An order that cost 180 EUR, and a refund that succeeds. */
export const tools = { 'order.find': { cents: 18_000 }, refund: { ok: true } };

/** A model that plans a refund, and says that it was made. */
export const answersFor = (cents: number) => ({
  model: [planOf(cents), { payload: { refunded: cents } }],
  tools,
});

export const request = { taskClass: 'refunds', payload: { order: 'o-7' } } as const;
