import { appendFile, readFile } from 'node:fs/promises';
import { defineTaskClass, defineTool, type Model } from 'agentcharter';
import { tablePolicy } from 'agentcharter/policies';
import { postgresStore } from 'agentcharter/stores/postgres';
import { z } from 'zod';

/** What a node tells the process that started it. */
export type Told = 'planned' | 'refunded';

/** The bank: a file with a line for each payment. */
export const paymentsIn = async (bank: string): Promise<readonly string[]> =>
  (await readFile(bank, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

const refundAt = (bank: string, tell: (what: Told) => void) =>
  defineTool({
    name: 'refund',
    description: 'Refunds an order.',
    tier: 'write_low_risk',
    input: z.object({ order: z.string(), eur: z.number() }),
    summary: ({ order, eur }) => `Refund ${eur} EUR for order ${order}`,
    doubt: 'reconcilable',
    lookup: async (key) => {
      const payment = (await paymentsIn(bank)).find((line) => line.startsWith(key));
      return payment === undefined ? { found: 'absent' } : { found: 'done', result: { payment } };
    },
    call: async ({ order, eur }, { key, fence, mayAct, notDone }) => {
      if (!mayAct()) return notDone('another node has the task now');
      await appendFile(bank, `${key} order ${order}, ${eur} EUR, fence ${String(fence)}\n`);
      tell('refunded');
      return { refunded: eur };
    },
  });

const sure = { canProceed: true, confidence: 0.9, explanation: 'As asked.' };
const modelOf = (tell: (what: Told) => void): Model => ({
  answer: async ({ asks, request }) => {
    if (asks !== 'plan') return { ...sure, payload: { text: 'Your refund is on its way.' } };
    tell('planned');
    return { ...sure, calls: [{ tool: 'refund', arguments: request }] };
  },
});

/** The lease of a task in milliseconds: after it, another node takes over from one that is gone. */
const lease = 1_000;

/** Returns the options of every process: the nodes perform tasks, a guest submits and answers. */
export const optionsOf = (url: string, bank: string, tell: (what: Told) => void = () => {}) => ({
  store: postgresStore({ connectionString: url, lease }),
  taskClasses: [defineTaskClass({ id: 'support', tools: ['refund'] })],
  tools: [refundAt(bank, tell)],
  model: modelOf(tell),
  policy: tablePolicy({
    rules: [{ tools: ['refund'], verdict: 'needs_review', reason: 'a person checks refunds' }],
  }),
});
