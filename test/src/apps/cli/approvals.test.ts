import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { askRefund, openDesk } from '../../core/shell/refund-desk.ts';
import { call } from './call.ts';

let cwd: string;
let tasks: {
  readonly done: string;
  readonly rejected: string;
  readonly denied: string;
  readonly open: string;
};

/** Refunds that a person approved and rejected, one that the policy denied, and one that waits. */
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'agentcharter-approvals-'));
  await using desk = openDesk(sqliteStore(join(cwd, 'tasks.db')));
  const settle = async (type: 'approve' | 'reject', order: string) => {
    const { taskId, open } = await askRefund(desk, 'refunds', { order, amount: 120 });
    const target = open?.message.messageId ?? '';
    await desk.respond({ type, target, ...(type === 'reject' && { content: 'paid twice' }) }, { by: 'dana' });
    await desk.settled(taskId);
    return taskId;
  };
  tasks = {
    done: await settle('approve', 'o-5'),
    rejected: await settle('reject', 'o-6'),
    denied: (await askRefund(desk, 'refunds', { order: 'o-9', amount: 900 })).taskId,
    open: (await askRefund(desk, 'signed-refunds', { order: 'o-7', amount: 180 })).taskId,
  };
});
afterAll(() => rm(cwd, { recursive: true }));

const on = async (line: string): Promise<string> => {
  const { code, stdout, stderr } = await call(`${line} --store tasks.db`, { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

describe('inbox', () => {
  it('leads with the sentence and why, and leaves codes and digests to --json', async () => {
    const printed = await on('inbox');
    const [first, second, third] = printed.split('\n');
    expect([first, second, third]).toEqual([
      'Refund 180 EUR for order o-7.',
      '  Why you are asked: Refunds above 100 EUR need a person.',
      '  agentcharter asks (approval)',
    ]);
    expect(printed).toContain('"amount": 180');
    expect(printed).toContain('approve     The write is made, as shown. This takes a signed approval.\n');
    expect(printed).not.toMatch(/sha256:|digest|evidence_id/);
    expect(await on('inbox --json')).toContain('sha256:');
  });
});

describe('ledger show', () => {
  it.each([
    ['done', 'approve: Refund 120 EUR for order o-5.', 'o-5'],
    ['rejected', 'reject: Refund 120 EUR for order o-6.', 'o-6'],
  ] as const)(
    'says who decided what, in which words and on which arguments: %s',
    async (task, answer, order) => {
      const printed = await on(`ledger show ${tasks[task]}`);
      const said = task === 'rejected' ? ['said: paid twice'] : [];
      const below = [
        answer,
        ...said,
        `refund: order "${order}", amount 120, currency "EUR"`,
        'asked because: Refunds above 100 EUR need a person.',
      ];
      expect(printed).toContain(below.map((line) => `       ${line}\n`).join(''));
      expect(printed).toMatch(/human dana: human\.responded .*\n {7}(?:approve|reject): /);
      expect(printed).toContain('       needs_review: Refunds above 100 EUR need a person.\n');
      expect(printed).toContain(`       orders.get: order "${order}"\n`);
    },
  );

  it('names the arguments of a call that an earlier page proposed', async () => {
    const records = (await on(`ledger show ${tasks.done}`))
      .split('\n')
      .filter((line) => /^ +\d+ /.test(line));
    const seq = records.findIndex((line) => line.includes('human.responded'));
    const { stdout } = await call(`ledger show ${tasks.done} --from ${seq} --limit 1 --store tasks.db`, {
      cwd,
    });
    expect(stdout).toContain('refund: order "o-5", amount 120, currency "EUR"');
  });
});

describe('thread', () => {
  it('shows the tool calls, and what became of each', async () => {
    expect(await on(`thread ${tasks.done}`)).toMatch(
      /calls refund with order "o-5", amount 120, currency "EUR": done$/m,
    );
    expect(await on(`thread ${tasks.rejected}`)).toMatch(/calls refund with .*: rejected, by dana$/m);
  });
});

describe('tasks', () => {
  it('says that a policy refused', async () => {
    expect(await on('tasks')).toMatch(
      new RegExp(`^${tasks.denied} .* refused by policy POLICY_BLOCKED `, 'm'),
    );
  });
});
