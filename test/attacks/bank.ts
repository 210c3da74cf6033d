import { expect } from 'vitest';
import * as z from 'zod';
import { jwsApprovals } from '../../src/approvals/index.ts';
import { defineTool, type InboxEntry, type Tool } from '../../src/index.ts';
import { by, claims, compact, edKey, header, options } from '../src/approvals/desk.ts';
import { scene, type Given, type Scene } from '../src/orchestrator/scene.ts';
import { call, draft, plan } from '../src/orchestrator/scripted.ts';

export const order = { to: 'NL91', amount: 100 };

/** A write of high risk of which every execution is written down. */
export const payment = (name: string, paid: unknown[]): Tool =>
  defineTool({
    name,
    description: 'moves money',
    tier: 'write_high_risk',
    input: z.strictObject({ to: z.string(), amount: z.number() }),
    call: async (input) => {
      paid.push(input);
      return { moved: input.amount };
    },
    rollback: {
      describe: ({ to, amount }) => ({ type: 'refund', target: to, payload: { amount } }),
      run: async () => null,
    },
  });

export interface Bank extends Scene {
  /** Every payment that was made. */
  readonly paid: readonly unknown[];
}

type Order = Parameters<typeof call>;

/** A bank whose agent wants these payments; each waits for a signed approval. */
export const bank = (orders: readonly Order[] = [['transfer', order]], given: Given = {}): Bank => {
  const paid: unknown[] = [];
  const one = scene({
    model: ({ asks }: { asks: string }) =>
      asks === 'plan' ? plan(orders.map((one) => call(...one))) : draft(),
    tools: ['transfer', 'payout'].map((name) => payment(name, paid)),
    ...given,
    options: { approvals: jwsApprovals(options), ...given.options },
  });
  return { ...one, paid };
};

/** The claims of an honest approval of what a question asks. */
export const claimsFor = ({ clock }: Scene, { question }: InboxEntry) => {
  const now = Math.floor(clock.now() / 1_000);
  return { ...claims, iat: now, nbf: now, exp: now + 600, ...question.approval };
};

/** A token for the open question, right but for what is given. */
export const signed = (
  one: Scene,
  changed: object = {},
  changedHeader: object = {},
  to: InboxEntry = one.question(),
): string =>
  compact({ ...header, ...changedHeader }, { ...claimsFor(one, to), ...changed }, by(edKey));

/** Somebody brings a token for the open question. */
export const bring = (one: Scene, approval: string, to?: InboxEntry): Promise<void> =>
  one.answer('approve', undefined, { approval, ...(to && { to }) });

/** The last record of a task says who was not let in, and why. */
export const expectRefusal = async ({ orchestrator }: Scene, taskId: string, code: unknown): Promise<void> =>
  expect((await orchestrator.ledger(taskId)).at(-1)).toMatchObject({
    kind: 'refusal',
    code,
    outcome: 'failure',
    actor: { kind: 'human', id: 'dana' },
  });
