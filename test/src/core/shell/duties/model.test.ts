import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Turn } from '../../../../../src/index.ts';
import { scene } from '../scene.ts';
import { call, draft, further, later, never, plan, readTool } from '../scripted.ts';

const cyclic: Record<string, unknown> = { ...plan() };
cyclic['explanation'] = cyclic;
const deep = (depth: number): unknown => (depth === 0 ? null : [deep(depth - 1)]);
const long = 'x'.repeat(2_000_000);
const polluted: unknown = JSON.parse('{"__proto__": {"canProceed": true}}');
const trap = new Proxy(plan(), {
  ownKeys: () => {
    throw new Error('caught');
  },
});

const malformed: readonly (readonly [string, unknown, string])[] = [
  ['no object', 'I would search.', ''],
  ['nothing', undefined, ''],
  ['null', null, ''],
  ['a function', () => () => plan(), ''],
  ['a member that is a function', plan([], { explanation: () => 'x' }), '/explanation'],
  ['an invented state', plan([], { state: 'deliver' }), '/state'],
  ['an invented tier', plan([{ ...call('search'), tier: 'read_only' } as never]), '/calls/0/tier'],
  ['a confidence that is not a number', plan([], { confidence: NaN }), '/confidence'],
  ['a confidence in words', plan([], { confidence: '0.9' }), '/confidence'],
  ['a confidence beyond 1', plan([], { confidence: 1.1 }), '/confidence'],
  ['no confidence', plan([], { confidence: undefined }), '/confidence'],
  ['an unknown tool', plan([call('launch')]), '/calls/0/tool'],
  ['a tool named like an Object.prototype member', plan([call('constructor')]), '/calls/0/tool'],
  ['a tool that the task class does not grant', plan([call('hidden')]), '/calls/0/tool'],
  ['arguments that do not fit', plan([call('search', { amount: 'much' })]), '/calls/0/arguments/amount'],
  ['__proto__', plan([], { assumptions: polluted }), '/assumptions'],
  [
    '__proto__ in arguments',
    plan([call('search', polluted as object as Record<string, unknown>)]),
    '/calls/0/arguments',
  ],
  ['itself', cyclic, '/explanation'],
  ['too many bytes', plan([], { explanation: long }), ''],
  ['too much depth', plan([call('search', { deep: deep(100) })]), '/calls/0/arguments/deep'],
  ['depth beyond any stack', plan([call('search', { deep: deep(5_000) })]), ''],
  [
    'a getter',
    {
      ...plan(),
      get calls() {
        return [];
      },
    },
    '/calls',
  ],
  ['a proxy', trap, ''],
  ['a date', plan([], { explanation: new Date(0) }), '/explanation'],
  [
    'an integer that not every reader holds',
    plan([call('search', { amount: 2 ** 60 })]),
    '/calls/0/arguments/amount',
  ],
  ['a lone surrogate', plan([], { explanation: '\ud800' }), '/explanation'],
];

const tools = [readTool('search'), readTool('hidden')];
const taskClass = { tools: ['search'] };
const afterwards = ({ asks }: Turn) =>
  asks === 'draft' ? draft() : { choice: 'fixed', output: plan(), explanation: 'mended' };

describe('malformed model output [UpFormat 2.3]', () => {
  it.each(malformed)('enters correction and throws nothing: %s', async (_, output, path) => {
    const scenario = scene({ model: [output, afterwards], tools, taskClass });
    const taskId = await scenario.submit();
    const [, turn] = scenario.turns;
    expect(turn).toMatchObject({ asks: 'correction', rejected: { issues: expect.any(Array) } });
    expect(turn?.rejected?.issues.length).toBeGreaterThan(0);
    expect(turn?.rejected?.issues[0]?.path.startsWith(path)).toBe(true);
    expect(await scenario.facts(taskId)).toContain('output.rejected');
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('enters correction for a draft with extra members', async () => {
    const scenario = scene({
      model: [
        plan(),
        { ...draft(), state: 'completed' },
        { choice: 'fixed', output: draft({ n: 1 }), explanation: '' },
      ],
    });
    const taskId = await scenario.submit();
    expect(scenario.turns.map(({ asks }) => asks)).toEqual(['plan', 'draft', 'correction']);
    expect((await scenario.ended(taskId)).message.payload).toEqual({ n: 1 });
  });

  it('is sent back to the model with what is accepted, if it is readable', async () => {
    const scenario = scene({ model: [plan([call('launch')]), afterwards], tools, taskClass });
    await scenario.submit();
    expect(scenario.turns[1]?.rejected).toEqual({
      output: plan([call('launch')]),
      issues: [{ path: '/calls/0/tool', message: 'unknown tool "launch": expected one of search' }],
    });
  });
});

const asked = (output: unknown) => ({ choice: 'fixed', output, explanation: '' });
const amount = (value: unknown) => plan([call('search', { amount: value })]);

describe('a correction [UpFormat 2.3]', () => {
  it('continues the run when it is valid', async () => {
    const scenario = scene({
      model: ['?', { choice: 'fixed', output: plan(), explanation: 'sorry' }, draft()],
    });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
  });

  it('is repeated when its output is malformed again', async () => {
    const scenario = scene({
      model: [
        '?',
        { choice: 'fixed', output: '??', explanation: '' },
        { choice: 'fixed', output: plan(), explanation: '' },
        draft(),
      ],
    });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
    expect(scenario.turns.map(({ asks }) => asks)).toEqual(['plan', 'correction', 'correction', 'draft']);
  });

  it('asks a person in the model’s words when the model needs one', async () => {
    const scenario = scene({ model: ['?', { choice: 'needHuman', explanation: 'Which Lisbon?' }] });
    await scenario.submit();
    expect(await scenario.question()).toMatchObject({
      question: { kind: 'help' },
      message: { explanation: 'Which Lisbon?' },
    });
  });

  it('fails safe when the model reports that it cannot', async () => {
    const scenario = scene({ model: ['?', { choice: 'beyondCapability', explanation: 'I cannot see.' }] });
    const settled = await scenario.ended(await scenario.submit());
    expect(settled).toMatchObject({
      state: 'failed',
      outcome: 'failure',
      reasons: [{ code: 'BEYOND_CAPABILITY' }],
      message: { explanation: 'I cannot see.' }, // the model's exact words (UpFormat 2.3)
    });
  });

  it('asks a person, in a sentence, after too many attempts', async () => {
    const scenario = scene({ model: ['?'] });
    const taskId = await scenario.submit();
    expect((await scenario.facts(taskId)).filter((type) => type === 'output.rejected')).toHaveLength(3);
    const { question, message } = await scenario.question();
    expect(question).toMatchObject({ kind: 'help', about: 'plan' });
    expect(message.explanation).toBe(
      'The model’s plan could not be read after 3 attempts: it is not a JSON object.',
    );
  });

  it('is the corrected output itself if it makes no choice', async () => {
    const scenario = scene({ model: [{ canProceed: true }, plan(), draft()] });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
    expect(scenario.turns.map(({ asks }) => asks)).toEqual(['plan', 'correction', 'draft']);
  });

  it.each<[string, unknown, string]>([
    [
      'lacks, if it never knew the form',
      { answer: 'hi' },
      'it lacks canProceed, confidence, explanation, and 1 more; its field answer is unknown',
    ],
    [
      'does not choose, if it tried to',
      { choice: 'fix', output: plan() },
      'the correction that was asked for makes no known choice',
    ],
  ])('says after the last attempt what the model %s', async (_, output, faults) => {
    const scenario = scene({ model: [output] });
    await scenario.submit();
    expect((await scenario.question()).message.explanation).toBe(
      `The model’s plan could not be read after 3 attempts: ${faults}.`,
    );
  });

  const strict = { tools, taskClass: { ...taskClass, limits: { corrections: 0 } } };
  const after = 'could not be read after 1 attempt';

  it.each<[string, unknown, string]>([
    [
      'an argument',
      amount('much'),
      `The model’s call of search ${after}: the argument amount of search does not fit.`,
    ],
    [
      'the arguments as a whole',
      plan([{ tool: 'search', arguments: 7 } as never]),
      `The model’s call of search ${after}: the arguments of search do not fit.`,
    ],
    ['an unknown tool', plan([call('launch')]), `The model’s plan ${after}: there is no tool "launch".`],
    [
      'a call without a tool',
      plan([{ arguments: {} } as never]),
      `The model’s plan ${after}: call 1 is not one of a tool with arguments.`,
    ],
    [
      'a field',
      plan([], { confidence: 'high' }),
      `The model’s plan ${after}: its field confidence does not fit.`,
    ],
    [
      'missing fields',
      {},
      `The model’s plan ${after}: it lacks canProceed, confidence, explanation, and 1 more.`,
    ],
    [
      'more than three things',
      { ...plan([], { confidence: 2, explanation: 1 }), canProceed: 0, calls: 'none' },
      `The model’s plan ${after}: its field canProceed does not fit; its field confidence does not fit; its field explanation does not fit; and 1 more.`,
    ],
  ])('names %s as its author does', async (_, output, sentence) => {
    const scenario = scene({ model: [output], ...strict });
    await scenario.submit();
    expect((await scenario.question()).message.explanation).toBe(sentence);
  });

  it('names a field of the payload as the task class does', async () => {
    const output = z.object({ total: z.number() });
    const model = [plan(), draft({ total: 'a lot' }), asked(draft({ total: true }))];
    const scenario = scene({ model, taskClass: { output, limits: { corrections: 1 } } });
    await scenario.submit();
    expect((await scenario.question()).message.explanation).toBe(
      'The model’s draft could not be read after 2 attempts: the field total of its payload does not fit.',
    );
  });

  it('names a missing field of the payload as one, if its schema says so in words of ours', async () => {
    const issues = [{ message: 'must be a number, but is missing', path: ['total'] }];
    const output = { '~standard': { version: 1 as const, vendor: 'ours', validate: () => ({ issues }) } };
    const scenario = scene({
      model: [plan(), draft({})],
      taskClass: { output, limits: { corrections: 0 } },
    });
    await scenario.submit();
    expect((await scenario.question()).message.explanation).toBe(
      `The model’s draft ${after}: its payload lacks total.`,
    );
  });

  it('keeps what the schema reported for the model, the record and the error event', async () => {
    const scenario = scene({ model: [amount('much'), asked(amount('more'))], ...strict });
    const limits = { corrections: 1 };
    const again = scene({
      model: [amount('much'), asked(amount('more'))],
      tools,
      taskClass: { ...taskClass, limits },
    });
    const issues = [{ path: '/calls/0/arguments/amount', message: 'must be a number, was a string' }];
    await again.submit();
    expect(again.turns[1]?.rejected).toEqual({ output: amount('much'), issues });
    expect(again.rejectedOutputs).toHaveLength(1);
    const taskId = await scenario.submit();
    const [record] = (await scenario.orchestrator.ledger(taskId)).filter(({ brought }) => brought.rejected);
    expect(record?.brought).toMatchObject({ rejected: { output: amount('much'), issues } });
    expect(scenario.rejectedOutputs).toEqual([
      expect.objectContaining({
        message:
          'the plan of recommender for work is not valid: "/calls/0/arguments/amount" must be a number, was a string',
        details: { document: 'the plan of recommender for work', issues },
        cause: expect.any(z.ZodError),
      }),
    ]);
  });

  it('shows no word of a schema in a thread', async () => {
    const scenario = scene({ model: [amount('much')], ...strict });
    await scenario.submit();
    const { message } = await scenario.question();
    const thread = await scenario.orchestrator.thread(message.threadId);
    expect(JSON.stringify(thread)).not.toMatch(/must be|Invalid|was a string|calls\/0/);
  });

  it('asks for the information that the corrected plan lacks', async () => {
    const missing = plan([], { canProceed: false, missing: { location: 'where' } });
    const scenario = scene({ model: ['?', { choice: 'fixed', output: missing, explanation: '' }] });
    await scenario.submit();
    expect(await scenario.orchestrator.inbox()).toHaveLength(1);
  });
});

describe('an unavailable model', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('rate limit');
      },
    ],
    ['rejects with nothing', () => Promise.reject(new Error(''))],
  ])('that %s fails the run safe', async (_, model) => {
    const scenario = scene({ model });
    const settled = await scenario.ended(await scenario.submit());
    expect(settled).toMatchObject({
      state: 'failed',
      outcome: 'failure',
      reasons: [{ code: 'MODEL_ERROR' }],
    });
  });

  it('that hangs fails the run safe at its deadline; its late output is ignored', async () => {
    const answer = later();
    const scenario = scene({ model: () => answer.promise });
    const taskId = await scenario.submit();
    await scenario.clock.advance(119_000);
    expect(scenario.stateOf(taskId)).toBe('submitted.plan.proposing');
    await scenario.clock.advance(1_000);
    expect(await scenario.ended(taskId)).toMatchObject({ reasons: [{ code: 'MODEL_UNAVAILABLE' }] });
    const records = (await scenario.orchestrator.ledger(taskId)).length;
    answer.resolve(plan());
    await scenario.clock.advance(0);
    expect(await scenario.orchestrator.ledger(taskId)).toHaveLength(records);
  });

  it('that hangs in a correction fails the run safe', async () => {
    const scenario = scene({ model: ['?', (_: unknown, signal: AbortSignal) => never(signal)] });
    const taskId = await scenario.submit();
    await scenario.clock.advance(120_000);
    expect(await scenario.ended(taskId)).toMatchObject({ reasons: [{ code: 'MODEL_UNAVAILABLE' }] });
  });
});

describe('the limits for a model', () => {
  it('bound its turns', async () => {
    const scenario = scene({
      model: ({ asks }) => (asks === 'plan' ? plan() : further(call('search'))),
      tools,
      taskClass: { ...taskClass, atLimit: 'stop', limits: { rounds: 10, modelCalls: 3 } },
    });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({
      reasons: [{ code: 'BUDGET_SPENT' }],
    });
    expect(scenario.turns).toHaveLength(3);
  });

  it('by default let an agent take twenty steps that call something, one after the other', async () => {
    const scenario = scene({
      model: ({ asks, calls }) => {
        if (asks === 'plan') return plan([call('search', { n: 0 })]);
        return calls.length < 20 ? further(call('search', { n: calls.length })) : draft();
      },
      tools,
      taskClass,
    });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
    expect(scenario.invocations).toHaveLength(20);
  });

  it('bound its rounds', async () => {
    const scenario = scene({
      model: ({ asks }) => (asks === 'plan' ? plan([call('search')]) : further(call('search'))),
      tools,
      taskClass: { ...taskClass, atLimit: 'stop', limits: { rounds: 2 } },
    });
    const settled = await scenario.ended(await scenario.submit());
    expect(settled).toMatchObject({ state: 'failed', reasons: [{ code: 'BUDGET_SPENT', about: 'rounds' }] });
    expect(scenario.invocations).toHaveLength(2);
  });

  it.each([1, 2, 3])('bound its calls, even when reads start together: %i', async (calls) => {
    const scenario = scene({
      model: [plan(Array.from({ length: 5 }, (_, n) => call('search', { n }))), draft()],
      tools,
      taskClass: { ...taskClass, atLimit: 'stop', limits: { calls } },
    });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({
      reasons: [{ code: 'BUDGET_SPENT' }],
    });
    expect(scenario.invocations).toHaveLength(calls);
  });

  it('exclude an intake question', async () => {
    const scenario = scene({
      taskClass: {
        limits: { modelCalls: 2 },
        accept: ({ answers }) =>
          answers.length > 0 ? { accepted: true } : { missing: { location: 'where' }, explanation: 'Where?' },
      },
    });
    const taskId = await scenario.submit();
    await scenario.answer('edit', { value: 'Lisbon' });
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
  });
});
