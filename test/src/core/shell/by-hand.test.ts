import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  createOrchestrator,
  defineTaskClass,
  defineTool,
  defineVerifier,
  type Tool,
} from '../../../../src/index.ts';
import { rollbackOf } from '../../../../src/base/define/rollback.ts';
import { verifyLedger } from '../../../../src/core/ledger/verify.ts';
import { createGuard } from '../../../../src/guard/index.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { levels, taskTool } from './levels.ts';
import { call, draft, further, plan, writeTool } from './scripted.ts';
import { settle, simulatedClock } from './simulated-clock.ts';

const day = 86_400_000;

const toolsOf = (made: string[]): readonly Tool[] => [
  defineTool({
    name: 'refund',
    description: 'Pays money back.',
    tier: 'write_low_risk',
    input: z.object({ order: z.string() }),
    rollback: 'person',
    call: async ({ order }) => made.push(`refund ${order}`),
  }),
  defineTool({
    name: 'mail',
    description: 'Writes to the customer.',
    tier: 'write_low_risk',
    input: z.object({}),
    rollback: {
      describe: () => ({ type: 'recall', target: 'mail', payload: {} }),
      run: async () => made.push('recalled'),
    },
    call: async () => made.push('mail'),
  }),
];

const charter = (made: string[] = [], tools = toolsOf(made)) => ({
  taskClasses: [
    defineTaskClass({
      id: 'refunds',
      tools: tools.map(({ name }) => name),
      beforeDeliver: { verifiers: ['strict'] },
      limits: { repairs: 0 },
      deadlines: { question: 2 * day },
      output: z.object({}),
    }),
  ],
  tools,
  verifiers: [
    defineVerifier({ id: 'strict', verify: () => ({ checks: [{ check_id: 'never', result: 'fail' }] }) }),
  ],
  policy: { decide: () => ({ verdict: 'allow' as const, reasons: ['ours'] }) },
});

const model = {
  answer: async ({ asks }: { readonly asks: string }) =>
    asks === 'plan'
      ? plan([call('mail', {}), call('refund', { order: 'o-7' }), call('refund', { order: 'o-8' })])
      : draft({}),
};

const request = {
  taskClass: 'refunds',
  payload: {},
  explanation: 'Please pay back.',
  identity: { agent_id: 'ada', owner_id: 'shop', control_class: 'human-supervised' },
} as const;

/** A store that outlives the orchestrators over it. */
const desk = () => {
  const store = memoryStore();
  const made: string[] = [];
  const clock = simulatedClock();
  const open = (tools = toolsOf(made)) => {
    const kept = { ...store, close: () => Promise.resolve() };
    const orchestrator = createOrchestrator({ ...charter(made, tools), model, store: kept, clock });
    onTestFinished(() => orchestrator.close());
    return orchestrator;
  };
  return { store, made, clock, open };
};

const undone = ['started', 'succeeded'];
const factsOf = async ({ ledger }: ReturnType<typeof createOrchestrator>, taskId: string) =>
  (await ledger(taskId)).flatMap(({ fact }) =>
    fact?.type.startsWith('rollback.') === true ? [fact.type.slice('rollback.'.length)] : [],
  );

it('A write that only a person can undo is a question to them, the newest first', async () => {
  const { made, open } = desk();
  const orchestrator = open();
  const { taskId } = await orchestrator.submit(request);
  await settle();
  const [first, ...others] = await orchestrator.inbox(taskId);
  expect(others).toEqual([]);
  expect(first?.path[0]).toBe(taskId);
  expect(first?.message).toMatchObject({
    state: 'needsHumanDecision',
    explanation: expect.stringMatching(/undo this by hand: .*refund.*"o-8".* Approve once it is undone/s),
    payload: { rollback: { type: 'manual', target: 'refund', payload: { order: 'o-8' } } },
  });
  expect(await orchestrator.task(taskId)).toMatchObject({ isSettled: false });
  await orchestrator.respond({ type: 'approve', target: first!.message.messageId }, { by: 'dana' });
  await settle();
  const [second] = await orchestrator.inbox(taskId);
  expect(second?.message.payload).toMatchObject({ rollback: { payload: { order: 'o-7' } } });
  expect(made).not.toContain('recalled');
  await orchestrator.respond({ type: 'approve', target: second!.message.messageId }, { by: 'dana' });
  const settled = await orchestrator.settled(taskId);
  expect(settled.reasons.map(({ code }) => code)).toEqual(['VERIFICATION_FAILED']);
  expect(made).toEqual(['mail', 'refund o-7', 'refund o-8', 'recalled']);
  expect(await factsOf(orchestrator, taskId)).toEqual([...undone, ...undone, ...undone]);
  const records = await orchestrator.ledger(taskId);
  expect(records.filter(({ kind }) => kind !== 'fact')).toEqual([]);
  expect(await verifyLedger(records)).toMatchObject({ intact: true });
});

it('A person who cannot undo it says so, and the end names the write and what they said', async () => {
  const { made, open } = desk();
  const orchestrator = open();
  const { taskId } = await orchestrator.submit(request);
  for (const content of ['shipped already', 'gone']) {
    await settle();
    const [asked] = await orchestrator.inbox(taskId);
    await orchestrator.respond({ type: 'reject', content, target: asked!.message.messageId }, { by: 'dana' });
  }
  const { outcome, reasons, message } = await orchestrator.settled(taskId);
  expect(outcome).toBe('uncertain');
  expect(reasons.map(({ code }) => code)).toEqual([
    'VERIFICATION_FAILED',
    'ROLLBACK_REQUIRED',
    'ROLLBACK_REQUIRED',
  ]);
  expect(message.explanation).toContain('shipped already');
  expect(made.at(-1)).toBe('recalled');
});

it('It is answered by approve or reject, and says what each does', async () => {
  const { open } = desk();
  const orchestrator = open();
  const { taskId } = await orchestrator.submit(request);
  await settle();
  const [asked] = await orchestrator.inbox(taskId);
  expect(asked?.question).toMatchObject({
    accepts: ['approve', 'reject', 'comment'],
    consequences: {
      approve: 'The write counts as undone.',
      reject: expect.stringContaining('counts as not undone'),
    },
  });
  const done = { type: 'instruction', content: 'done', target: asked!.message.messageId } as const;
  await expect(orchestrator.respond(done, { by: 'dana' })).rejects.toMatchObject({
    code: 'feedback_refused',
  });
  expect(await orchestrator.inbox(taskId)).toHaveLength(1);
});

it.each([
  ['is gone', (made: string[]) => toolsOf(made).slice(1)],
  [
    'has a rollback in code',
    (made: string[]) => toolsOf(made).map((tool, _, all) => ({ ...tool, rollback: all[1]!.rollback })),
  ],
])(
  'What was described as by hand is undone by hand, also if its tool %s after a restart',
  async (_, next) => {
    const { open, made } = desk();
    const before = open();
    const { taskId } = await before.submit(request);
    await settle();
    await before.close();
    const orchestrator = open(next(made));
    await orchestrator.recover();
    for (let times = 0; times < 2; times += 1) {
      await settle();
      const [asked] = await orchestrator.inbox();
      await orchestrator.respond({ type: 'approve', target: asked!.message.messageId }, { by: 'dana' });
    }
    await orchestrator.settled(taskId);
    expect(await factsOf(orchestrator, taskId)).toEqual([...undone, ...undone, ...undone]);
    expect(made.filter((one) => one === 'recalled')).toHaveLength(1); // the mail
  },
);

it('Nobody else begins such a task, and it waits as long as its task class says', async () => {
  const { open, clock } = desk();
  const orchestrator = open();
  const forged = { ...request, taskClass: 'agentcharter:rollback', payload: { asks: 'Pay.', rollback: {} } };
  await expect(orchestrator.submit(forged as never)).rejects.toMatchObject({ code: 'not_found' });
  await orchestrator.submit(request);
  await settle();
  const [asked] = await orchestrator.inbox();
  expect(Date.parse(asked?.question.deadline ?? '')).toBe(clock.now() + 2 * day);
});

it('The question outlives the process, and is asked once', async () => {
  const { open, made } = desk();
  const before = open();
  const { taskId } = await before.submit(request);
  await settle();
  const [asked] = await before.inbox(taskId);
  await before.close();
  const orchestrator = open();
  await orchestrator.recover();
  await settle();
  expect(await orchestrator.inbox(taskId)).toMatchObject([
    { message: { messageId: asked?.message.messageId } },
  ]);
  await orchestrator.respond({ type: 'approve', target: asked!.message.messageId }, { by: 'dana' });
  await settle();
  expect(await factsOf(orchestrator, taskId)).toEqual(['started', 'succeeded', 'started']);
  expect(made.filter((one) => one === 'recalled')).toEqual([]);
});

it('An answer that came while no process performed the task counts', async () => {
  const { open, store, clock } = desk();
  const before = open();
  const { taskId } = await before.submit(request);
  await settle();
  const [asked] = await before.inbox(taskId);
  await before.close();
  const guest = createOrchestrator({
    ...charter(),
    role: 'guest',
    clock,
    store: { ...store, close: async () => {} },
  });
  await guest.respond({ type: 'approve', target: asked!.message.messageId }, { by: 'dana' });
  await guest.close();
  const orchestrator = open();
  await orchestrator.recover();
  await settle();
  expect(await factsOf(orchestrator, taskId)).toEqual(['started', 'succeeded', 'started']);
});

it('Nobody who answers in time leaves the write, and the end says so', async () => {
  const { open, clock } = desk();
  const orchestrator = open();
  const { taskId } = await orchestrator.submit(request);
  for (let times = 0; times < 2; times += 1) {
    await settle();
    await clock.advance(2 * day);
  }
  await settle();
  const { outcome, message } = await orchestrator.settled(taskId);
  expect(outcome).toBe('uncertain');
  expect(message.explanation).toContain('nobody undid it by hand');
});

it('An agent whose run waits for it is told that it pauses, and for which question', async () => {
  const guard = createGuard({ ...charter(), store: memoryStore() });
  onTestFinished(() => guard.close());
  const run = await guard.begin(request);
  await run.call('refund', { order: 'o-7' });
  const paused = await run.conclude({ payload: {} });
  const [asked] = await run.questions();
  expect(paused).toMatchObject({ status: 'paused', questions: [{ taskId: asked?.taskId }] });
  expect(asked?.message.payload).toMatchObject({ rollback: { target: 'refund' } });
  await guard.orchestrator.respond({ type: 'approve', target: asked!.message.messageId }, { by: 'dana' });
  const { reasons } = await guard.orchestrator.settled(run.taskId);
  expect(reasons.map(({ code }) => code)).toEqual(['VERIFICATION_FAILED']);
});

it('A question by hand stays while a child that nobody needs any more is still being cancelled', async () => {
  const pay = { ...writeTool('pay'), rollback: rollbackOf('pay', 'person') };
  const scenario = levels({ work: { tools: ['pay', 'leaf'] }, leaf: {} }, [pay, taskTool('leaf')], {
    work: ({ asks }) => (asks === 'plan' ? plan([call('pay')]) : further(call('leaf'))),
    leaf: () => plan([], { confidence: 0.1 }),
  });
  const taskId = await scenario.submit();
  const { taskId: leaf } = await scenario.question();
  scenario.store.refuse((step) => (step.taskId === leaf ? new Error('disk full') : undefined));
  await scenario.orchestrator.cancel(taskId, { by: 'dana' });
  await settle();
  await scenario.orchestrator.cancel(taskId, { by: 'dana', urgent: true });
  await settle();
  scenario.store.refuse(undefined);
  await scenario.clock.advance(60_000);
  scenario.takeErrors();
  await scenario.answer('approve');
  const { reasons } = await scenario.ended(taskId);
  expect(reasons.map(({ code }) => code)).toEqual(['CANCELLED']);
});
