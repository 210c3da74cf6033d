import { describe, expect, it } from 'vitest';
import type { TaskClassDefinition } from '../../../../../src/index.ts';
import { scene } from '../scene.ts';
import { draft, later, plan } from '../scripted.ts';
import { settle } from '../simulated-clock.ts';

type Accept = NonNullable<TaskClassDefinition['accept']>;
const breaks = () => {
  throw new Error('directory is down');
};

describe('intake', () => {
  it('accepts a request', async () => {
    const scenario = scene({ taskClass: { accept: () => ({ accepted: true }) } });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
  });

  it('rejects a request with a reason', async () => {
    const scenario = scene({
      taskClass: { accept: () => ({ refused: 'IDENTITY_INVALID', explanation: 'Who are you?' }) },
    });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({
      state: 'failed',
      outcome: 'uncertain',
      reasons: [{ code: 'IDENTITY_INVALID' }],
    });
    expect(scenario.turns).toEqual([]);
  });

  it('asks for missing information and decides again with the answer', async () => {
    const scenario = scene({
      taskClass: {
        accept: ({ answers }) =>
          answers.length === 0
            ? { missing: { location: 'The city' }, explanation: 'Where?' }
            : { accepted: true },
      },
    });
    const taskId = await scenario.submit();
    expect(await scenario.question()).toMatchObject({
      question: { kind: 'information' },
      message: {
        explanation: 'Where?',
        upContext: { fields: { location: 'The city' }, constraints: { required: ['location'] } },
      },
    });
    await scenario.answer('edit', { value: { location: 'Lisbon' } });
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it.each<[string, unknown]>([
    ['throws', breaks],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['returns nothing', () => undefined],
    ['returns an unknown refusal', () => ({ accepted: false })],
    ['accepts and refuses at once', () => ({ accepted: true, refused: 'IDENTITY_INVALID', explanation: '' })],
    ['gives an unknown reason code', () => ({ refused: 'BECAUSE', explanation: '' })],
  ])('accepts nothing when the task class %s', async (_, accept) => {
    const scenario = scene({ taskClass: { accept: accept as Accept } });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({
      outcome: 'uncertain',
      reasons: [{ code: 'GUARD_ERROR' }],
    });
    expect(scenario.turns).toEqual([]);
  });

  it('times out a task class that hangs and ignores its late answer', async () => {
    const answer = later<{ accepted: true }>();
    const scenario = scene({ taskClass: { accept: () => answer.promise } });
    const taskId = await scenario.submit();
    await scenario.clock.advance(10_000);
    expect(await scenario.ended(taskId)).toMatchObject({ state: 'failed' });
    const records = (await scenario.orchestrator.ledger(taskId)).length;
    answer.resolve({ accepted: true });
    await settle();
    expect(await scenario.orchestrator.ledger(taskId)).toHaveLength(records);
  });
});

describe('a followup [UpFormat 3.1, Table 3]', () => {
  const offer = {
    explanation: 'Shall I rank them?',
    payload: { options: ['price', 'skill'] },
    byDefault: { by: 'price' },
  };
  const day = 86_400_000;
  const offering = () =>
    scene({
      model: ({ asks }) => (asks === 'plan' ? plan() : draft({ list: [1] })),
      taskClass: { followup: () => offer },
    });

  it('offers its options after delivery, each in its message', async () => {
    const scenario = offering();
    const taskId = await scenario.submit();
    expect(scenario.stateOf(taskId)).toBe('followup');
    expect(await scenario.states(taskId)).toEqual(['submitted', 'completed', 'followup']);
    expect((await scenario.question()).message).toMatchObject({
      explanation: 'Shall I rank them?',
      payload: { options: ['price', 'skill'] },
    });
    expect(scenario.settledTasks).toEqual([]);
  });

  it('settles by a choice', async () => {
    const scenario = offering();
    const taskId = await scenario.submit();
    await scenario.answer('rank', ['skill', 'price']);
    const settled = await scenario.ended(taskId);
    expect(settled).toMatchObject({
      outcome: 'success',
      followup: { how: 'chosen', value: ['skill', 'price'] },
    });
    expect(settled.message.payload).toEqual({ list: [1] });
  });

  it('settles by its default at the deadline, recorded as a default of the system', async () => {
    const scenario = offering();
    const taskId = await scenario.submit();
    await scenario.clock.advance(3 * day);
    expect(await scenario.ended(taskId)).toMatchObject({
      followup: { how: 'defaulted', value: { by: 'price' } },
    });
    expect((await scenario.orchestrator.ledger(taskId)).at(-1)).toMatchObject({
      actor: { kind: 'system' },
      fact: { type: 'deadline.passed', of: 'followup' },
    });
  });

  it('is withdrawn by a cancel, which keeps the delivery', async () => {
    const scenario = offering();
    const taskId = await scenario.submit();
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    expect(await scenario.ended(taskId)).toMatchObject({
      state: 'completed.settled',
      outcome: 'success',
      followup: { how: 'withdrawn', value: null },
    });
  });

  it('accepts changes as a new request in the same task and thread', async () => {
    const scenario = offering();
    const taskId = await scenario.submit();
    const before = await scenario.orchestrator.ledger(taskId);
    await scenario.answer('instruction', 'in Lisbon only');
    expect(scenario.stateOf(taskId)).toBe('followup');
    const after = await scenario.orchestrator.ledger(taskId);
    expect(after.at(-1)?.request_id).not.toBe(before[0]?.request_id);
    expect(after.at(-1)?.trace_id).toBe(before[0]?.trace_id);
    expect(scenario.turns.at(2)?.answers).toMatchObject([
      { question: 'changes', feedback: { content: 'in Lisbon only' } },
    ]);
    await scenario.answer('approve');
    expect(await scenario.ended(taskId)).toMatchObject({
      followup: { how: 'chosen', value: { by: 'price' } },
    });
    const threads = new Set((await scenario.orchestrator.list()).map(({ threadId }) => threadId));
    expect(threads.size).toBe(1);
  });

  it.each<[string, unknown]>([
    ['throws', breaks],
    ['offers nothing', () => undefined],
    ['offers a value that is not JSON', () => ({ ...offer, payload: { at: new Date(0) } })],
    ['offers no default', () => ({ ...offer, byDefault: undefined })],
    ['describes it badly', () => ({ ...offer, upContext: { concepts: 'none' } })],
  ])('is not offered when the task class %s, and the delivery stays', async (_, followup) => {
    const scenario = scene({ taskClass: { followup: followup as TaskClassDefinition['followup'] & {} } });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({
      state: 'completed.settled',
      outcome: 'success',
      followup: null,
    });
  });
});
