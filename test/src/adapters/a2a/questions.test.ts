import { randomUUID } from 'node:crypto';
import type { Task } from '@a2a-js/sdk';
import { InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dataPart, textPart } from '../../../../src/adapters/a2a/index.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { trusting } from '../../core/shell/approvals.ts';
import { call, draft, plan, writeTool, together } from '../../core/shell/scripted.ts';
import { askedBy, feedback, ours, stage, stateOf, type Staged } from './stage.ts';

const unsure = { model: [plan([], { confidence: 0.1 }), draft({ done: true })] };
const input = 'TASK_STATE_INPUT_REQUIRED';
const auth = 'TASK_STATE_AUTH_REQUIRED';
const completed = 'TASK_STATE_COMPLETED';

/** A write that wants an approval, and what it did. */
const risky = (taskClass: Staged['taskClass'] = {}) => {
  const effects: unknown[] = [];
  const tool = writeTool('wire', { tier: 'write_high_risk', call: (given) => effects.push(given) });
  const staged: Staged = {
    options: { tools: [tool], approvals: trusting },
    model: [plan([call('wire', { amount: 9 })]), draft()],
    taskClass,
  };
  return { effects, staged };
};

const approve = (task: Task) => feedback({ type: 'approve', target: askedBy(task).messageId });

afterEach(() => vi.restoreAllMocks());

const accept = ({ answers }: { answers: readonly unknown[] }) =>
  answers.length > 0
    ? ({ accepted: true } as const)
    : { missing: { room: 'Which room?' }, explanation: 'A room is missing.' };

describe('A question to an A2A client [UpFormat Table 2, A2A 4.1.3]', () => {
  it('asks for input, and accepts feedback on its message as the answer', async () => {
    const { send, orchestrator } = await stage(unsure);
    const task = await send();
    expect(stateOf(task)).toBe(input);
    const { messageId: target, payload } = askedBy(task);
    expect(payload['question']).toMatchObject({ kind: 'plan', accepts: expect.arrayContaining(['approve']) });
    const answered = await send({ task, parts: feedback({ type: 'approve', target }) });
    expect([stateOf(answered), answered.id]).toEqual([completed, task.id]);
    const [summary] = await orchestrator.list();
    const records = await orchestrator.ledger(summary?.taskId ?? '');
    expect(records.find(({ fact }) => fact?.type === 'human.responded')?.actor.id).toBe('ada');
  });

  it('accepts plain text as the answer to a request for information', async () => {
    const { send, turns } = await stage({ taskClass: { accept }, model: [plan(), draft()] });
    const task = await send();
    expect([stateOf(task), askedBy(task).payload['question']]).toMatchObject([
      input,
      { kind: 'information' },
    ]);
    expect(stateOf(await send({ task, parts: [textPart('Room 7.')] }))).toBe(completed);
    expect(JSON.stringify(turns[0]?.answers)).toContain('Room 7.');
  });

  it('accepts no plain text as an approval', async () => {
    const { send } = await stage(unsure);
    const task = await send();
    const refused = await send({ task, parts: [textPart('approve')] });
    expect(stateOf(refused)).toBe(input);
    expect(ours(refused)).toMatchObject({ refused: { code: 'document_invalid' } });
    expect(askedBy(refused).messageId).toBe(askedBy(task).messageId);
  });

  it('prevents the write when a person rejects it', async () => {
    const { effects, staged } = risky({ authorities: ['human'] });
    const { send } = await stage(staged);
    const task = await send();
    expect(stateOf(task)).toBe(input); // a person's word counts here
    const target = askedBy(task).messageId;
    await send({ task, parts: feedback({ type: 'reject', target }) });
    expect(effects).toEqual([]);
  });

  it('makes the write when an authorized person approves it', async () => {
    const { effects, staged } = risky({ authorities: ['human'] });
    const { send } = await stage(staged);
    const task = await send();
    const parts = feedback({ type: 'approve', target: askedBy(task).messageId });
    expect(stateOf(await send({ task, parts }))).toBe(completed);
    expect(effects).toEqual([{ amount: 9 }]);
  });

  it.each([
    ['invalid feedback', () => [dataPart({ type: 'approve' }, 'UpFeedback')], 'document_invalid'],
    [
      'two feedback parts',
      (target: string) => [...feedback({ type: 'approve', target }), ...feedback({ type: 'reject', target })],
      'document_invalid',
    ],
    [
      'feedback on an unknown question',
      () => feedback({ type: 'approve', target: randomUUID() }),
      'not_found',
    ],
    [
      'a feedback type that the question excludes',
      (target: string) => feedback({ type: 'edit', target }),
      'feedback_refused',
    ],
    [
      'an unmarked data part',
      (target: string) => [dataPart({ type: 'approve', target })],
      'document_invalid',
    ],
    [
      'a part with a __proto__ key',
      (target: string) => [
        dataPart(JSON.parse(`{"type":"approve","target":"${target}","__proto__":{"a":1}}`), 'UpFeedback'),
      ],
      'input_unreadable',
    ],
    [
      'a part that is too deep',
      (target: string) => [
        dataPart(
          {
            type: 'instruction',
            target,
            content: { value: JSON.parse(`${'['.repeat(90)}1${']'.repeat(90)}`) },
          },
          'UpFeedback',
        ),
      ],
      'input_unreadable',
    ],
  ])('refuses %s as an answer and stays open unchanged', async (_, parts, code) => {
    const { send, get, orchestrator } = await stage(unsure);
    const task = await send();
    const { taskId } = (await orchestrator.list())[0] ?? { taskId: '' };
    const before = (await orchestrator.ledger(taskId)).filter(({ kind }) => kind === 'fact');
    const refused = await send({ task, parts: parts(askedBy(task).messageId) });
    expect([stateOf(refused), ours(refused)]).toMatchObject([input, { refused: { code } }]);
    const after = (await orchestrator.ledger(taskId)).filter(({ kind }) => kind === 'fact');
    expect(after).toEqual(before);
    expect(stateOf(await get(task.id))).toBe(input);
  });
});

describe('A signed approval [UAICP 5.3]', () => {
  it('is requested as a credential, and travels outside the feedback', async () => {
    const { effects, staged } = risky();
    const inner = new InMemoryTaskStore(() => 'everybody');
    const { send } = await stage({ ...staged, inner });
    const task = await send();
    expect(stateOf(task)).toBe(auth);
    const parts = feedback({ type: 'approve', target: askedBy(task).messageId });
    const done = await send({ task, parts, approval: 'ada token-7' });
    expect(stateOf(done)).toBe(completed);
    expect(effects).toEqual([{ amount: 9 }]);
    const query = { tenant: '', contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined };
    const { tasks } = await inner.list(query, new ServerCallContext());
    expect(tasks[0]?.history.length).toBeGreaterThan(3);
    expect(JSON.stringify([tasks, done])).not.toContain('token-7');
  });

  it.each([
    ['without a token', undefined, 'APPROVAL_REQUIRED'],
    ['with a forged token', 'forged', 'APPROVAL_SIGNATURE_WRONG'],
  ])('%s approves nothing', async (_, approval, code) => {
    const { effects, staged } = risky();
    const approvals = {
      verify: async () => ({ refused: 'APPROVAL_SIGNATURE_WRONG' as const, explanation: 'no' }),
    };
    const { send } = await stage({ ...staged, options: { ...staged.options, approvals } });
    const task = await send();
    const parts = feedback({ type: 'approve', target: askedBy(task).messageId });
    const refused = await send({ task, parts, ...(approval !== undefined && { approval }) });
    expect([stateOf(refused), ours(refused)]).toMatchObject([auth, { refused: { code } }]);
    expect(effects).toEqual([]);
  });
});

describe('An answer over A2A', () => {
  it('counts once when it is sent again', async () => {
    const { effects, staged } = risky();
    const { send } = await stage({
      ...staged,
      model: [plan([together('wire', { amount: 9 }), together('wire', { amount: 8 })]), draft()],
    });
    const task = await send();
    const target = askedBy(task).messageId;
    const answer = {
      task,
      parts: feedback({ type: 'approve', target }),
      messageId: randomUUID(),
      approval: 'ada',
    };
    const [first, again] = [await send(answer), await send(answer)];
    const other = await send({ ...answer, messageId: randomUUID() });
    expect([first, again, other].map(stateOf)).toEqual([auth, auth, auth]);
    expect(ours(again)).not.toHaveProperty('refused');
    expect(ours(other)).toMatchObject({ refused: { code: 'APPROVAL_SPENT' } });
    expect(effects).toEqual([]);
    const last = await send({
      task,
      parts: feedback({ type: 'approve', target: askedBy(first).messageId }),
      approval: 'ada',
    });
    expect(stateOf(last)).toBe(completed);
    expect(effects).toHaveLength(2);
  });

  it('from another user finds no such task', async () => {
    const { send } = await stage(unsure);
    const task = await send();
    const parts = feedback({ type: 'approve', target: askedBy(task).messageId });
    await expect(send({ task, parts, user: 'eve' })).rejects.toThrow(/not found/i);
  });

  it('from an unauthorized or anonymous user is refused', async () => {
    const inner = new InMemoryTaskStore(() => 'everybody');
    const { send } = await stage({
      ...unsure,
      inner,
      options: { mayRespond: (identity) => identity === 'ada' },
    });
    const task = await send();
    const parts = feedback({ type: 'approve', target: askedBy(task).messageId });
    for (const user of ['eve', null]) {
      const refused = await send({ task, parts, user });
      expect([stateOf(refused), ours(refused)]).toMatchObject([
        input,
        { refused: { code: 'identity_refused' } },
      ]);
    }
    expect(stateOf(await send({ task, parts }))).toBe(completed);
  });

  it('to a question of another task is refused', async () => {
    const { send } = await stage({ model: () => plan([], { confidence: 0.1 }) });
    const [task, other] = [await send(), await send({ user: 'eve' })];
    const refused = await send({
      task,
      parts: feedback({ type: 'approve', target: askedBy(other).messageId }),
    });
    expect(ours(refused)).toMatchObject({ refused: { code: 'not_found' } });
  });

  it('given outside A2A updates the stored A2A task', async () => {
    const { send, get, orchestrator } = await stage(unsure);
    const task = await send();
    const { taskId } = (await orchestrator.list())[0] ?? { taskId: '' };
    await orchestrator.respond({ type: 'approve', target: askedBy(task).messageId }, { by: 'dana' });
    await orchestrator.settled(taskId);
    const now = await get(task.id);
    expect(stateOf(now)).toBe(completed);
    expect(now.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'data', value: { done: true } });
  });
});

it('keeps the question open when the host breaks during an answer [CHART 8]', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  let isBroken = true;
  const { send, get } = await stage({
    ...unsure,
    around: (orchestrator) => ({
      ...orchestrator,
      respond: async (...given) => {
        if (isBroken) throw new TypeError('a fault of ours');
        await orchestrator.respond(...given);
      },
    }),
  });
  const task = await send();
  await send({ task, parts: approve(task) });
  expect(stateOf(await get(task.id))).toBe(input);
  isBroken = false;
  expect(stateOf(await send({ task, parts: approve(task) }))).toBe(completed);
});

const restarted = async (late?: (closed: Awaited<ReturnType<typeof stage>>, task: Task) => Promise<void>) => {
  const database = memoryDatabase();
  const inner = new InMemoryTaskStore();
  const { effects, staged } = risky();
  const options = () => ({ ...staged.options, store: database.connect() });
  const first = await stage({ ...staged, inner, options: options() });
  const task = await first.send();
  await first.orchestrator.close();
  await late?.(first, task);
  await first.close();
  const after = await stage({ ...staged, model: [draft()], inner, options: options() });
  await after.orchestrator.recover();
  return { ...after, task, effects };
};

describe('A restart while an A2A task is paused', () => {
  it('lets the next process take the answer', async () => {
    const { send, get, task, effects } = await restarted();
    expect(stateOf(await get(task.id))).toBe(auth);
    expect(stateOf(await send({ task, parts: approve(task), approval: 'ada' }))).toBe(completed);
    expect(effects).toHaveLength(1);
  });

  it('lets the next process cancel the task in both stores', async () => {
    const { cancel, task, orchestrator } = await restarted();
    expect(stateOf(await cancel(task.id))).toBe('TASK_STATE_CANCELED');
    expect((await orchestrator.list())[0]?.state).toMatch(/^cancelled/);
  });

  it('refuses an answer in the closing process without failing the task', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const { send, get, task, effects } = await restarted(async (closed, asking) => {
      const late = closed.send({ task: asking, parts: approve(asking), approval: 'ada' });
      await expect(late).rejects.toThrow();
    });
    expect(stateOf(await get(task.id))).toBe(auth);
    expect(stateOf(await send({ task, parts: approve(task), approval: 'ada' }))).toBe(completed);
    expect(effects).toHaveLength(1);
  });
});
