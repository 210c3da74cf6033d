import { describe, expect, it } from 'vitest';
import type { FeedbackType } from '../../../../schema/index.ts';
import { isCharterError } from '../../../../src/index.ts';
import { scene } from './scene.ts';
import { call, draft, identity, later, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const second = 1_000;
const broken = new Error('disk full');
const request = { taskClass: 'work', payload: {}, identity };

describe('a step that the store rejects [DESIGN 1, rule 7]', () => {
  it('begins no task', async () => {
    const { orchestrator, ended, store } = scene();
    store.refuse(() => broken);
    await expect(orchestrator.submit(request)).rejects.toThrow('disk full');
    expect(await orchestrator.list()).toEqual([]);
    store.refuse(undefined);
    const { taskId } = await orchestrator.submit(request);
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('leaves a question open, and the same answer counts once the store is back', async () => {
    const { submit, store, answer, ended, stateOf } = scene({
      model: [plan([], { confidence: 0.1 }), draft()],
    });
    const taskId = await submit();
    expect(stateOf(taskId)).toBe('needsHumanDecision');
    store.refuse(() => broken);
    await expect(answer('approve')).rejects.toThrow('disk full');
    expect(stateOf(taskId)).toBe('needsHumanDecision');
    store.refuse(undefined);
    await answer('approve');
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('throws store_conflict when another process took its place in the ledger', async () => {
    const { submit, store, answer, stateOf } = scene({ model: [plan([], { confidence: 0.1 }), draft()] });
    const taskId = await submit();
    store.refuse(() => 'conflict');
    const error: unknown = await answer('approve').catch((thrown: unknown) => thrown);
    expect(isCharterError(error, 'store_conflict')).toBe(true);
    expect(error).toMatchObject({ details: { taskId, expected: 3, actual: 3 } });
    expect(stateOf(taskId)).toBe('needsHumanDecision');
  });
});

describe('a task without its store', () => {
  it.each([
    'request.accepted',
    'plan.proposed',
    'policy.decided',
    'call.started',
    'call.succeeded',
    'draft.proposed',
    'verifier.reported',
  ] as const)('resumes when the store is back: %s is recorded once, with its outcome', async (type) => {
    const { submit, store, clock, ended, invocations, takeErrors, facts, turns } = scene({
      model: [plan([call('read'), call('write')]), draft()],
      tools: [readTool('read'), writeTool('write')],
      verifiers: { mails: () => ({ checks: [{ check_id: 'a', result: 'pass' }] }) },
      taskClass: { beforeDeliver: { verifiers: ['mails'] } },
    });
    store.refuse(({ record }) => (record.fact?.type === type ? broken : undefined));
    const taskId = await submit();
    expect(takeErrors().length).toBeGreaterThan(0);
    await clock.advance(2 * second);
    takeErrors();
    store.refuse(undefined);
    await clock.advance(30 * second);
    takeErrors();
    expect(await ended(taskId)).toMatchObject({ outcome: 'success', reasons: [] });
    expect(invocations.map(({ tool }) => tool)).toEqual(['read', 'write']);
    expect(turns).toHaveLength(2);
    expect((await facts(taskId)).filter((fact) => fact === type)).toHaveLength(
      type.startsWith('call.') ? 2 : 1,
    );
  });

  it('keeps a deadline', async () => {
    const { submit, store, clock, stateOf, takeErrors } = scene({
      model: [plan([], { confidence: 0.1 })],
      taskClass: { deadlines: { question: 60 * second } },
    });
    const taskId = await submit();
    store.refuse(() => broken);
    await clock.advance(90 * second);
    expect(takeErrors().length).toBeGreaterThan(0);
    expect(stateOf(taskId)).toBe('needsHumanDecision');
    store.refuse(undefined);
    await clock.advance(30 * second);
    expect(stateOf(taskId)).toBe('failed');
  });

  it('rolls back once although recording it fails at first', async () => {
    const { submit, store, clock, ended, undone, takeErrors, facts } = scene({
      model: [plan([call('write'), call('breaks')])],
      tools: [
        writeTool('write'),
        writeTool('breaks', { call: (_, { notDone }) => notDone('no such account') }),
      ],
      taskClass: { limits: { repairs: 0 } },
    });
    store.refuse(({ record }) => (record.fact?.type === 'rollback.succeeded' ? broken : undefined));
    const taskId = await submit();
    store.refuse(undefined);
    await clock.advance(30 * second);
    takeErrors();
    expect(await ended(taskId)).toMatchObject({ state: 'failed' });
    expect(undone).toEqual(['write']);
    expect((await facts(taskId)).filter((type) => type.startsWith('rollback'))).toEqual([
      'rollback.started',
      'rollback.succeeded',
    ]);
  });
});

describe('a document that does not fit its schema', () => {
  it('leaves the task unchanged', async () => {
    const { submit, ended, takeErrors } = scene({
      taskClass: {
        followup: () => ({
          explanation: 'One more thing.',
          payload: { options: [1, 2] },
          byDefault: {},
          upContext: { concepts: 'not a list' } as never,
        }),
      },
    });
    const taskId = await submit();
    await settle();
    expect(await ended(taskId)).toMatchObject({ outcome: 'success', followup: null });
    takeErrors();
  });
});

describe('facts during a store write', () => {
  it('wait their turn, and each sees the result of the previous one', async () => {
    const gate = later();
    const { submit, orchestrator, store, question, ended, facts } = scene({
      model: [plan([], { confidence: 0.1 }), draft()],
    });
    const taskId = await submit();
    const { messageId: target } = (await question()).message;
    const hurry = store.delay(() => gate.promise);
    const respond = (type: FeedbackType) => orchestrator.respond({ type, target }, { by: 'dana' });
    const [comment, approval, rejection] = [respond('comment'), respond('approve'), respond('reject')];
    const results = Promise.allSettled([comment, approval, rejection]);
    await settle();
    hurry();
    gate.resolve(null);
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect((await facts(taskId)).filter((type) => type === 'human.responded')).toHaveLength(2);
  });

  it('are rejected at once when the store fails for an earlier one', async () => {
    const { submit, orchestrator, store, clock, takeErrors, stateOf } = scene({
      model: [plan([call('read')]), draft()],
      tools: [readTool('read')],
    });
    store.refuse(({ record }) => (record.fact?.type === 'call.succeeded' ? broken : undefined));
    const taskId = await submit();
    await expect(orchestrator.cancel(taskId, { by: 'dana' })).rejects.toThrow('disk full');
    store.refuse(undefined);
    await clock.advance(second);
    expect(stateOf(taskId)).toBe('completed.settled');
    takeErrors();
  });
});
