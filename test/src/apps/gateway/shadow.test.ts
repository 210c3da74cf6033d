import { describe, expect, it } from 'vitest';
import { call as command } from '../cli/call.ts';
import { charter, desk, did, person, stand } from './stand.ts';

const file = `
servers:
  shop: { command: node, args: [shop.mjs] }
tools:
  shop.find_order: { tier: read_only }
  shop.refund: { tier: write_high_risk, rollback: person }
  shop.remind: { tier: write_low_risk, repeats: true }
  shop.cancel_refund: { tier: write_low_risk }
policy:
  - { tools: [shop.refund, shop.remind], verdict: allow, reason: the desk may }
  - { tools: [shop.cancel_refund], verdict: deny, reason: the till is sealed }
`;

const flags = ['--shadow'];
const report = async (folder: string) => command('gateway charter.yaml --report', { cwd: folder });

describe('In the shadow', () => {
  it('a call that would be asked about or refused is made, and the report says under which rule', async () => {
    const folder = await stand(file);
    const { call, said, leave } = await desk(folder, { flags });
    const [order, cents] = ['o-7', 500];
    for (const [tool, given, text] of [
      ['shop_find_order', { order }, 'o-7 was 12 EUR.'],
      ['shop_refund', { order, cents }, 'refunded 500'],
      ['shop_refund', { order: 'o-8', cents }, 'refunded 500'],
      ['shop_remind', { order }, 'reminded o-7'],
      ['shop_cancel_refund', { order }, 'cancelled'],
    ] as const)
      expect([tool, await call(tool, given)]).toMatchObject([tool, { text, isError: false }]);
    await leave();
    expect(await did(folder)).toHaveLength(5);
    expect(said()).toMatch(/^SHADOW: the policy stops nothing, and writes are made without a person, also/);
    expect((await report(folder)).stdout).toBe(`TOOL                CALLS  WOULD BE  UNDER THE RULE
shop_cancel_refund  1      refused   the till is sealed
shop_find_order     1      allowed   read_only: no one is asked about reads
shop_refund         2      asked     write_high_risk, also if allowed: the desk may
shop_remind         1      allowed   the desk may
`);
  });

  it('what a schema refuses stays refused, and so does a tool that the file does not name', async () => {
    const folder = await stand(
      file
        .replace('  shop.remind: { tier: write_low_risk, repeats: true }\n', '')
        .replace(', shop.remind', ''),
    );
    const { call } = await desk(folder, { flags });
    expect(await call('shop_refund', { order: 'o-7', cents: 'many' })).toMatchObject({ isError: true });
    expect((await call('shop_remind', { order: 'o-7' })).text).toContain('There is no tool "shop_remind"');
    expect(await did(folder)).toEqual([]);
  });

  it('the ledger has the verdict, and that no person approved', async () => {
    const folder = await stand();
    const { call, leave } = await desk(folder, { flags });
    await call('shop_refund', { order: 'o-7', cents: 500 });
    await leave();
    const { stdout } = await command('tasks --store .agentcharter/tasks.db --json', { cwd: folder });
    const [task] = (JSON.parse(stdout) as { tasks: { taskId: string }[] }).tasks;
    const exported = `ledger export ${task?.taskId} --store .agentcharter/tasks.db`;
    const records = (await command(exported, { cwd: folder })).stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const brought = { reasons: ['shadow needs_review: no rule of the charter allows it without a person'] };
    expect(records).toContainEqual(
      expect.objectContaining({
        fact: expect.objectContaining({ type: 'policy.decided', verdict: 'allow' }),
        brought,
      }),
    );
    expect(records).toContainEqual(
      expect.objectContaining({
        fact: expect.objectContaining({ authority: 'system', approver: 'agentcharter:shadow' }),
        brought,
      }),
    );
  });
});

describe('A gateway that is started again in the other mode', () => {
  const refund = { order: 'o-7', cents: 500 };

  it('asks about a write from then on, also if the one in the shadow was killed', async () => {
    const folder = await stand();
    const before = await desk(folder, { flags });
    await before.call('shop_refund', { ...refund, cents: 1 });
    before.kill();
    await before.leave();
    const { call, said } = await desk(folder);
    expect(said()).not.toContain('SHADOW');
    await call('shop_find_order', { order: 'o-7' });
    expect((await call('shop_refund', refund)).text).toContain('It waits for operator');
    expect(await did(folder)).toEqual(['refunded o-7 1', 'found o-7']);
    expect((await report(folder)).stdout.split('\n')).toEqual([
      'TOOL         CALLS  WOULD BE  UNDER THE RULE',
      'shop_refund  1      asked     no rule of the charter allows it without a person',
      '',
    ]);
  });

  it('leaves what waits for a person to that person, and asks about nothing else', async () => {
    const folder = await stand(charter);
    const before = await desk(folder);
    await before.call('shop_refund', refund);
    before.kill();
    await before.leave();
    const { call, said } = await desk(folder, { flags });
    expect((await call('shop_refund', { ...refund, cents: 1 })).text).toBe('refunded 1');
    expect((await call('shop_refund', refund)).text).toContain('It waits for operator');
    const { answer } = await person(said);
    expect(await answer({ type: 'approve' })).toBe(200);
    expect((await call('shop_refund', refund)).text).toBe('refunded 500');
    expect(await did(folder)).toEqual(['refunded o-7 1', 'refunded o-7 500']);
  });
});

it('The file cannot begin the shadow', async () => {
  const { code, stderr } = await command('gateway charter.yaml --check', {
    cwd: await stand(`${charter}shadow: true\n`),
  });
  expect({ code: code > 0, stderr }).toEqual({
    code: true,
    stderr: expect.stringContaining('unknown key "shadow"'),
  });
});
