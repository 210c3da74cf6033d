import { expect, it } from 'vitest';
import { isCharterError } from '../../../../src/index.ts';
import type { Quota } from '../../../../src/types.ts';
import { scene } from './scene.ts';
import { call, draft, identity, later, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const refused = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return isCharterError(error) ? error.message : error;
  }
};

/** A tool that pays what it is asked to, unless it throws `notDone`. */
const paying = (paid: number[]) =>
  writeTool('pay', {
    amounts: { cents: ({ amount }) => Number(amount) },
    call: ({ amount }, { notDone }) => {
      if (amount === 13) return notDone('the bank is closed');
      paid.push(Number(amount));
      return {};
    },
  });

/** Tasks that pay, in turn. */
const payments = (amounts: readonly number[], quota: Partial<Extract<Quota, { amount: string }>> = {}) => {
  const paid: number[] = [];
  const scenario = scene({
    model: amounts.flatMap((amount) => [plan([call('pay', { amount })]), draft()]),
    tools: [paying(paid)],
    policy: 'allow',
    options: { quotas: [{ amount: 'cents', most: 100, per: 'day', ...quota }] },
  });
  return { ...scenario, paid };
};

it('lets so many calls of a tool be in flight, and begins the next when one has ended', async () => {
  const reads = [later(), later(), later()];
  let begun = 0;
  const scenario = scene({
    model: ({ asks }) => (asks === 'plan' ? plan([call('look')]) : draft()),
    tools: [readTool('look', { call: () => reads[begun++]?.promise })],
    options: { quotas: [{ calls: 2, tool: 'look' }] },
  });
  const tasks = [await scenario.submit(), await scenario.submit(), await scenario.submit()];
  await settle();
  expect(begun).toBe(2);
  await scenario.clock.advance(30_000);
  expect(begun).toBe(2);
  reads[0]?.resolve({});
  await settle();
  expect(begun).toBe(3);
  for (const read of reads) read.resolve({});
  for (const task of tasks) expect((await scenario.ended(task)).outcome).toBe('success');
});

it('refuses a task beyond the open ones of its owner, and takes it when one has ended', async () => {
  const scenario = scene({
    model: ({ asks }) => (asks === 'plan' ? plan([call('send')]) : draft()),
    tools: [writeTool('send')],
    policy: 'needs_review',
    options: { quotas: [{ tasks: 1, owner: '*' }] },
  });
  const { orchestrator, submit } = scenario;
  const first = await submit();
  const other = { taskClass: 'work', payload: {}, identity: { ...identity, owner_id: 'globex' } };
  await orchestrator.submit(other);
  const request = { ...other, identity };
  const error: unknown = await orchestrator.submit(request, { key: 'k' }).catch((thrown: unknown) => thrown);
  expect(isCharterError(error, 'quota_exceeded') && error.message).toBe(
    'the task did not begin: there are 1 open tasks of owner acme, and 1 may be; submit it again, with its key, when others have ended',
  );
  expect(await orchestrator.list()).toHaveLength(2);
  await orchestrator.cancel(first, { by: 'dana' });
  await settle();
  const { taskId } = await orchestrator.submit(request, { key: 'k' });
  expect(await orchestrator.submit(request, { key: 'k' })).toMatchObject({ taskId });
});

it('denies the write that would exceed the sum of a day, says so, and allows it the day after', async () => {
  const { submit, ended, orchestrator, paid, clock } = payments([60, 50, 40, 50]);
  expect((await ended(await submit())).outcome).toBe('success');
  const second = await submit();
  await settle();
  expect(paid).toEqual([60]);
  const reasons = (await orchestrator.ledger(second)).flatMap(({ brought }) => brought.reasons ?? []);
  expect(reasons).toContainEqual(
    expect.stringMatching(/^60 of 100 cents are used in \d{4}-\d{2}-\d{2} \(UTC\), and this needs 50$/),
  );
  expect((await ended(await submit())).outcome).toBe('success');
  expect(paid).toEqual([60, 40]);
  await clock.advance(24 * 3_600_000);
  expect((await ended(await submit())).outcome).toBe('success');
  expect(paid).toEqual([60, 40, 50]);
});

it('gives back what certainly was not done', async () => {
  const paid: number[] = [];
  const pay = writeTool('pay', {
    amounts: { cents: ({ amount }) => Number(amount) },
    call: ({ amount }, { notDone }) => (paid.push(Number(amount)) === 1 ? notDone('the bank is closed') : {}),
  });
  const scenario = scene({
    model: ({ asks }) => (asks === 'plan' ? plan([call('pay', { amount: 95 })]) : draft()),
    tools: [pay],
    policy: 'allow',
    options: { quotas: [{ amount: 'cents', most: 100, per: 'hour', owner: '*' }] },
  });
  await scenario.submit();
  await settle();
  expect((await scenario.ended(await scenario.submit())).outcome).toBe('success');
  expect(paid.slice(0, 2)).toEqual([95, 95]);
});

it('gives back what was undone', async () => {
  const paid: number[] = [];
  const concluding = later();
  const scenario = scene({
    model: [
      plan([call('pay', { amount: 60 })]),
      () => concluding.promise,
      plan([call('pay', { amount: 70 })]),
      draft(),
    ],
    tools: [paying(paid)],
    policy: 'allow',
    options: { quotas: [{ amount: 'cents', most: 100, per: 'month', tool: 'pay' }] },
  });
  const first = await scenario.submit();
  await settle();
  await scenario.orchestrator.cancel(first, { by: 'dana' });
  await settle();
  expect(scenario.stateOf(first)).toBe('cancelled');
  expect((await scenario.ended(await scenario.submit())).outcome).toBe('success');
  expect(paid).toEqual([60, 70]);
});

it.each([
  ['a negative amount', -1, 'returned -1: expected a whole number from 0 to 9,007,199,254,740,991'],
  ['a fraction', 0.5, 'returned 0.5'],
])('denies a write whose tool says %s, and reports it', async (_, amount, words) => {
  const { submit, orchestrator, paid } = payments([amount]);
  const errors: string[] = [];
  orchestrator.on('error', ({ error }) => errors.push(String(error)));
  const taskId = await submit();
  await settle();
  expect(paid).toEqual([]);
  const reasons = (await orchestrator.ledger(taskId)).flatMap(({ brought }) => brought.reasons ?? []);
  expect(reasons).toEqual(['amounts.cents of tool pay does not say how much it is']);
  expect(errors).toEqual([expect.stringContaining(`amounts.cents of tool pay failed: TypeError: ${words}`)]);
});

it.each<readonly [string, unknown, string]>([
  ['an unknown tool', { calls: 1, tool: 'paay' }, 'quotas[0].tool: unknown tool "paay": expected one of pay'],
  ['an unknown task class', { tasks: 1, taskClass: 'no' }, 'quotas[0].taskClass: unknown task class "no"'],
  [
    'an unknown amount',
    { amount: 'eur', most: 1, per: 'day' },
    'quotas[0].amount: unknown amount "eur": expected one of cents',
  ],
  ['a fraction', { calls: 0.5 }, 'quotas[0].calls must be a whole number'],
  ['tasks of a tool', { tasks: 1, tool: 'pay' }, 'quotas[0].tool must be left out: it counts tasks'],
])('refuses %s', (_, quota, message) => {
  const work = () => scene({ model: [], tools: [paying([])], options: { quotas: [quota] as never } });
  expect(refused(work)).toContain(message);
});

it('refuses two quotas that are about the same', () => {
  const quotas = [
    { calls: 1, tool: 'pay' },
    { calls: 2, tool: 'pay' },
  ];
  const work = () => scene({ model: [], tools: [paying([])], options: { quotas } });
  expect(refused(work)).toContain('quotas[1] is about the same as /quotas/0');
});

it('refuses the amounts of a tool that reads', () => {
  expect(refused(() => readTool('look', { amounts: { cents: () => 1 } }))).toContain(
    'amounts: expected none',
  );
});
