import { expect, it } from 'vitest';
import { call as command } from '../cli/call.ts';
import { charter, desk, did, person, stand } from './stand.ts';

const gated = `${charter}beforeDeliver: { evidence: [{ type: tool_result, tool: shop.find_order }] }\n`;

interface Listed {
  readonly taskId: string;
  readonly taskClass: string;
  readonly state: string;
  readonly threadId: string;
}

const tasksIn = async (folder: string): Promise<readonly Listed[]> => {
  const { stdout } = await command('tasks --store .agentcharter/tasks.db --json', { cwd: folder });
  return (JSON.parse(stdout) as { readonly tasks: readonly Listed[] }).tasks;
};

it('A task that a client began is delivered with its evidence, and otherwise says what is missing', async () => {
  const folder = await stand(gated);
  const { call, leave } = await desk(folder);
  expect((await call('charter_conclude', { answer: 'done' })).text).toContain('No task is open');
  expect((await call('charter_begin', { request: 'Find o-7.' })).isError).toBe(false);
  expect((await call('charter_begin', { request: 'Find o-8.' })).text).toContain('A task is open');
  const early = await call('charter_conclude', { answer: 'It was 12 EUR.' });
  expect(early.isError).toBe(true);
  expect(early.text).toContain('requires a result of tool shop.find_order');
  expect((await call('charter_progress')).structured).toMatchObject({ task: 'yours', calls: [] });
  await call('shop_find_order', { order: 'o-7' });
  expect(await call('charter_conclude', { answer: 'It was 12 EUR.' })).toMatchObject({
    text: 'Delivered.',
    isError: false,
  });
  await call('shop_find_order', { order: 'o-8' });
  await leave();
  const tasks = await tasksIn(folder);
  expect(tasks.map(({ taskClass, state }) => [taskClass, state])).toEqual([
    ['task', 'completed.settled'],
    ['session', 'completed.settled'],
  ]);
  expect(new Set(tasks.map(({ threadId }) => threadId)).size).toBe(1);
  expect(await did(folder)).toEqual(['found o-7', 'found o-8']);
});

it('A task that a person cancelled is said to be over, once, and what was not undone is told to people', async () => {
  const written = charter.replace('{ tier: read_only }', '{ tier: write_low_risk, rollback: person }');
  const allowed = 'policy: [{ tools: [shop.find_order], verdict: allow, reason: ours }]';
  const folder = await stand(`${written}${allowed}\n`);
  const { call, said, leave } = await desk(folder);
  await call('charter_begin', { request: 'Find o-7.' });
  await call('shop_find_order', { order: 'o-7' });
  const [task] = await tasksIn(folder);
  await command(`cancel ${task?.taskId} --as operator --config charter.yaml`, { cwd: folder });
  await expect.poll(() => said()).toContain('undo this by hand: Call shop.find_order with order "o-7"');
  const next = await call('shop_find_order', { order: 'o-8' });
  expect(next).toMatchObject({ isError: true });
  expect(next.text).toContain('Your task is over: ');
  expect(next.text).toContain('This call was not made.');
  expect((await call('shop_find_order', { order: 'o-8' })).isError).toBe(false);
  await leave();
});

it('At the limit of calls the next task begins, and a call that waits is answered in its own', async () => {
  const folder = await stand(`${charter}limits: { calls: 2 }\nprefix: gate\n`);
  const { call, tools, said, leave } = await desk(folder);
  expect((await tools()).map(({ name }) => name)).toContain('gate_begin');
  const refund = { order: 'o-7', cents: 500 };
  await call('shop_refund', refund);
  for (const order of ['o-1', 'o-2', 'o-3', 'o-4']) await call('shop_find_order', { order });
  await call('gate_begin', { request: 'Look around.' });
  const { answer } = await person(said);
  expect(await answer({ type: 'approve' })).toBe(200);
  expect((await call('shop_refund', refund)).text).toBe('refunded 500');
  await leave();
  expect((await tasksIn(folder)).map(({ taskClass, state }) => [taskClass, state])).toEqual([
    ['session', 'completed.settled'],
    ['session', 'completed.settled'],
    ['session', 'completed.settled'],
    ['task', 'submitted.plan.proposing'],
  ]);
});

it('An idle task is concluded', async () => {
  const folder = await stand(`${charter}limits: { idle: 0.001 }\n`);
  const { call, leave } = await desk(folder);
  await call('shop_find_order', { order: 'o-1' });
  await expect
    .poll(async () => (await tasksIn(folder)).map(({ state }) => state))
    .toEqual(['completed.settled']);
  await call('shop_find_order', { order: 'o-2' });
  await leave();
  expect((await tasksIn(folder)).map(({ state }) => state)).toEqual([
    'completed.settled',
    'completed.settled',
  ]);
});

it('A task that a client began makes ten times as many calls, and then a person is asked', async () => {
  const folder = await stand(`${charter}limits: { calls: 1 }\n`);
  const { call } = await desk(folder);
  await call('charter_begin', { request: 'Find all.' });
  for (let at = 1; at <= 10; at += 1)
    expect((await call('shop_find_order', { order: `o-${at}` })).text).toBe(`o-${at} was 12 EUR.`);
  expect((await call('shop_find_order', { order: 'o-11' })).text).toContain('It waits for operator');
  expect(await did(folder)).toHaveLength(10);
});
