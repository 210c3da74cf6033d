import { expect } from 'vitest';
import * as z from 'zod';
import { jwsApprovals } from '../../src/gates/approvals/index.ts';
import { defineTool, type Approvals, type InboxEntry, type Tool } from '../../src/index.ts';
import { by, claims, compact, edKey, header, options } from '../src/gates/approvals/desk.ts';
import { scene, type Given, type Scene } from '../src/core/shell/scene.ts';
import { draft, plan, together, type call } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';

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
  /** Until no token is being verified, and everything has run that follows from it. */
  readonly quiet: () => Promise<void>;
}

/** Signatures are verified on threads of the platform: a test that asserts that nothing happened waits for them. */
export const watched = ({ verify }: Approvals) => {
  let underWay = 0;
  const approvals: Approvals = {
    verify: async (...asked) => {
      underWay += 1;
      try {
        return await verify(...asked);
      } finally {
        underWay -= 1;
      }
    },
  };
  const quiet = async (): Promise<void> => {
    for (let calm = 0; calm < 3; calm = underWay === 0 ? calm + 1 : 0) await settle();
  };
  return { approvals, quiet };
};

type Order = Parameters<typeof call>;

/** A bank whose agent wants these payments; each waits for a signed approval. */
export const bank = (orders: readonly Order[] = [['transfer', order]], given: Given = {}): Bank => {
  const paid: unknown[] = [];
  const { approvals, quiet } = watched(given.options?.approvals ?? jwsApprovals(options));
  const one = scene({
    model: ({ asks }: { asks: string }) =>
      asks === 'plan' ? plan(orders.map((one) => together(...one))) : draft(),
    tools: ['transfer', 'payout'].map((name) => payment(name, paid)),
    ...given,
    options: { ...given.options, approvals },
  });
  return { ...one, paid, quiet };
};

/** The claims of an honest approval of what a question asks. */
export const claimsFor = ({ clock }: Pick<Scene, 'clock'>, { question }: InboxEntry) => {
  const now = Math.floor(clock.now() / 1_000);
  return { ...claims, iat: now, nbf: now, exp: now + 600, ...question.approval };
};

/** A token for the open question, right but for what is given. */
export const signed = async (
  one: Pick<Scene, 'clock' | 'question'>,
  changed: object = {},
  changedHeader: object = {},
  to?: InboxEntry,
): Promise<string> => {
  const asked = claimsFor(one, to ?? (await one.question()));
  return compact({ ...header, ...changedHeader }, { ...asked, ...changed }, by(edKey));
};

/** Somebody brings a token for the open question. */
export const bring = async (one: Bank, approval: string, to?: InboxEntry): Promise<void> => {
  try {
    await one.answer('approve', undefined, { approval, ...(to && { to }) });
  } finally {
    await one.quiet();
  }
};

/** The last record of a task says who was not let in, and why. */
export const expectRefusal = async ({ orchestrator }: Scene, taskId: string, code: unknown): Promise<void> =>
  expect((await orchestrator.ledger(taskId)).at(-1)).toMatchObject({
    kind: 'refusal',
    code,
    outcome: 'failure',
    actor: { kind: 'human', id: 'dana' },
  });
