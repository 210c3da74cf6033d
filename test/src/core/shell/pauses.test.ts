import { expect, it } from 'vitest';
import type { LogEntry } from '../../../../src/core/shell/events.ts';
import { isCharterError } from '../../../../src/index.ts';
import { scene } from './scene.ts';
import { call, draft, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const dana = { by: 'dana', reason: 'refunds go to the wrong account' } as const;
const hour = 3_600_000;

/** A task that looks, then sends. */
const sending = () => {
  const made: string[] = [];
  const noting = (name: string) => () => {
    made.push(name);
    return {};
  };
  const scenario = scene({
    model: [plan([call('look'), call('send')]), draft()],
    tools: [readTool('look', { call: noting('look') }), writeTool('send', { call: noting('send') })],
    policy: 'allow',
  });
  const lines: LogEntry[] = [];
  scenario.orchestrator.on('log', (line) => lines.push(line));
  return { ...scenario, made, lines };
};

it('holds the calls of a paused tool, and of it alone, for longer than their deadlines, until it is resumed', async () => {
  const { orchestrator, clock, submit, ended, made, lines } = sending();
  expect(await orchestrator.pause({ tool: 'send' }, dana)).toBe(true);
  const taskId = await submit();
  await clock.advance(30 * hour);
  expect(made).toEqual(['look']);
  expect((await orchestrator.task(taskId)).isSettled).toBe(false);
  expect(lines.filter(({ code }) => code === 'held_back')).toEqual([
    {
      level: 'info',
      code: 'held_back',
      taskId,
      message: expect.stringMatching(
        /^tool send is paused by dana since .*Z: refunds go to the wrong account$/,
      ),
    },
  ]);
  expect(await orchestrator.resume({ tool: 'send' }, { by: 'erin' })).toBe(true);
  await clock.advance(1_000);
  expect(made).toEqual(['look', 'send']);
  expect((await ended(taskId)).outcome).toBe('success');
});

it('gives held work its full time afterwards, and no more', async () => {
  const scenario = scene({
    model: [plan([call('send')]), draft()],
    tools: [writeTool('send', { call: () => new Promise(() => {}) })],
    policy: 'allow',
    options: { concurrency: 1 },
  });
  const { orchestrator, clock, submit } = scenario;
  await orchestrator.pause({ tool: 'send' }, dana);
  const taskId = await submit();
  await clock.advance(5 * hour);
  const [line] = (await orchestrator.ledger(taskId)).filter(({ fact }) => fact?.type === 'deadline.passed');
  expect(line).toBeUndefined();
  await orchestrator.resume({ tool: 'send' }, dana);
  await clock.advance(1_000); // it begins, and does not end
  await clock.advance(60_000);
  const passed = (await orchestrator.ledger(taskId)).flatMap(({ fact }) =>
    fact?.type === 'deadline.passed' ? [fact.of] : [],
  );
  expect(passed).toEqual(['call']);
});

it('holds the turns of a model of a paused task class or agent', async () => {
  for (const of of [{ taskClass: 'work' }, { agent: 'recommender' }] as const) {
    const { orchestrator, clock, submit, ended, turns } = scene({ model: [plan(), draft()] });
    await orchestrator.pause(of, dana);
    const taskId = await submit();
    await clock.advance(hour);
    expect(turns).toHaveLength(0);
    await orchestrator.resume(of, dana);
    await clock.advance(1_000);
    expect((await ended(taskId)).outcome).toBe('success');
  }
});

it('lets others go on', async () => {
  const { orchestrator, submit, ended, made } = sending();
  await orchestrator.pause({ agent: 'somebody else' }, dana);
  await ended(await submit());
  expect(made).toEqual(['look', 'send']);
});

it('begins no call once `pause` has resolved, though the call was cleared before', async () => {
  const scenario = sending();
  const { orchestrator, clock, submit, made } = scenario;
  orchestrator.on('record', ({ fact }) => {
    // it is paused behind the back of what this process knows
    if (fact?.type === 'call.succeeded') void scenario.store.pause('tool send', 'dana', 'a bug', 1);
  });
  await submit();
  await settle();
  await clock.advance(10_000);
  expect(made).toEqual(['look']);
});

it('lets a task with held work be cancelled', async () => {
  const { orchestrator, clock, submit, made } = sending();
  await orchestrator.pause({ tool: 'send' }, dana);
  const taskId = await submit();
  await clock.advance(1_000);
  await orchestrator.cancel(taskId, { by: 'dana' });
  await settle();
  expect((await orchestrator.task(taskId)).state).toMatch(/^cancelled/);
  expect(made).toEqual(['look']);
});

it('records who paused and resumed, and why', async () => {
  const { orchestrator } = sending();
  await orchestrator.pause({ tool: 'send' }, dana);
  expect(await orchestrator.pause({ tool: 'send' }, { by: 'erin', reason: 'another' })).toBe(false);
  await orchestrator.resume({ tool: 'send' }, { by: 'erin' });
  expect(await orchestrator.resume({ tool: 'send' }, { by: 'erin' })).toBe(false);
  await orchestrator.pause({ agent: 'recommender' }, dana);
  const at = expect.any(Number);
  const { by, reason } = dana;
  const lasting = { of: { agent: 'recommender' }, by, reason, at, ended: null };
  expect(await orchestrator.pauses()).toEqual([lasting]);
  const ended = { of: { tool: 'send' }, by, reason, at, ended: { by: 'erin', at } };
  expect(await orchestrator.pauses({ ended: true })).toEqual([ended, lasting]);
});

it.each([
  [
    'an unknown tool',
    { tool: 'sendd' },
    dana,
    'unknown tool "sendd": expected one of look, send. Did you mean "send"?',
  ],
  ['an unknown task class', { taskClass: 'worc' }, dana, 'unknown task class "worc"'],
  ['nothing that can be paused', { owner: 'acme' }, dana, 'unknown key "owner"'],
  ['two at once', { tool: 'send', agent: 'a' }, dana, 'unknown key'],
  ['no reason', { tool: 'send' }, { by: 'dana' }, '/reason'],
  ['a reason of two lines', { tool: 'send' }, { by: 'dana', reason: 'a\nb' }, 'must be one line'],
])('refuses to pause %s, and pauses nothing', async (_, of, who, message) => {
  const { orchestrator } = sending();
  const error: unknown = await orchestrator
    .pause(of as never, who as never)
    .catch((thrown: unknown) => thrown);
  expect(isCharterError(error) && error.message).toContain(message);
  expect(await orchestrator.pauses()).toEqual([]);
});
