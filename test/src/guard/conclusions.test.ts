import { defineTaskClass, defineTaskTool } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { UpFeedback } from '../../../schema/index.ts';
import { answer, identity, isGood, openBank } from './bank.ts';

const evidence = [{ type: 'tool_result', tool: 'read' }] as const;

describe('A conclusion', () => {
  it('is delivered only with its evidence; without it the run repairs and then ends', async () => {
    const bank = openBank({ beforeDeliver: { evidence }, limits: { repairs: 1 } });
    await using _ = bank.guard;
    const run = await bank.begin();
    const unmet = [{ code: 'EVIDENCE_MISSING', about: 'tool_result:read' }];
    expect(await run.conclude({ payload: { a: 1 } })).toMatchObject({
      status: 'repairing',
      attempt: 1,
      unmet,
    });
    expect(await run.conclude({ payload: { a: 1 } })).toMatchObject({
      status: 'ended',
      state: 'failed',
      reasons: unmet,
    });
    expect((await run.progress()).outcome).toBe('uncertain');
  });

  it('that a verifier rejects is repaired: reads are repeated, writes are kept', async () => {
    const bank = openBank({ beforeDeliver: { evidence, verifiers: ['good'] } }, { verifiers: [isGood] });
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.call('read', {});
    await run.call('note', { line: 'a' });
    expect(await run.conclude({ payload: { good: false } })).toMatchObject({ status: 'repairing' });
    expect(await run.conclude({ payload: { good: true } })).toEqual({
      status: 'delivered',
      payload: { good: true },
    });
    expect(bank.done).toEqual(['read all', 'note a', 'read all']);
  });

  it('returns the same result once delivered, and `ended` for another conclusion', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const delivered = await run.conclude({ payload: { a: 1 } });
    expect(delivered).toEqual({ status: 'delivered', payload: { a: 1 } });
    expect(await run.conclude({ payload: { a: 1 } })).toEqual(delivered);
    expect(await run.conclude({ payload: { a: 2 } })).toMatchObject({
      status: 'ended',
      state: 'completed.settled',
    });
  });

  it('is read as JSON reads it: without undefined, with dates and half a surrogate pair as texts', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const payload = { text: 'done \ud83d', note: undefined, at: new Date(0) };
    expect(await run.conclude({ payload })).toEqual({
      status: 'delivered',
      payload: { text: 'done \ufffd', at: '1970-01-01T00:00:00.000Z' },
    });
  });

  it.each([
    ['a Map', () => ({ payload: { all: new Map([[1, 2]]) } })],
    ['too much text', () => ({ payload: { text: 'x'.repeat(1_100_000) } })],
    [
      'a getter that throws',
      () => ({
        payload: {
          get all(): never {
            throw new Error('no');
          },
        },
      }),
    ],
  ])('that JSON cannot hold is corrected as often as one that its schema refuses: %s', async (_, draft) => {
    const bank = openBank({ limits: { corrections: 2 } });
    await using _guard = bank.guard;
    const run = await bank.begin();
    const told: unknown[] = [];
    for (let turn = 0; turn < 3; turn += 1) told.push((await run.conclude(draft())).status);
    expect(told).toEqual(['refused', 'refused', 'paused']);
    expect((await run.questions())[0]?.question.kind).toBe('help');
  });

  it('returns `ended` for another answer of a failed run', async () => {
    const bank = openBank({ beforeDeliver: { evidence }, limits: { repairs: 0 } });
    await using _ = bank.guard;
    const run = await bank.begin();
    const ended = { status: 'ended', state: 'failed', reasons: [{ code: 'EVIDENCE_MISSING' }] };
    expect(await run.conclude({ payload: { a: 1 } })).toMatchObject(ended);
    expect(await run.conclude({ payload: { a: 2 } })).toMatchObject(ended);
    expect(await run.call('read', {})).toMatchObject(ended);
  });

  it('waits for the calls proposed before it', async () => {
    const bank = openBank({ beforeDeliver: { evidence } });
    await using _ = bank.guard;
    const run = await bank.begin();
    const [call, conclusion] = await Promise.all([run.call('read', {}), run.conclude({ payload: {} })]);
    expect([call.status, conclusion.status]).toEqual(['done', 'delivered']);
  });

  it('with low confidence asks a person, and the person’s edit is delivered', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const conclude = () => run.conclude({ payload: { a: 1 }, confidence: 0.3, explanation: 'Perhaps.' });
    expect(await conclude()).toMatchObject({
      status: 'paused',
      questions: [{ question: { kind: 'draft' } }],
    });
    const draft = { canProceed: true, confidence: 1, explanation: 'Sure.', payload: { a: 2 } };
    await answer(bank, run, { type: 'edit', content: { value: draft } });
    expect(await conclude()).toEqual({ status: 'delivered', payload: { a: 2 } });
  });

  it('that does not fit its schema is refused with its issues and may be corrected', async () => {
    const bank = openBank({ output: z.object({ a: z.number() }) });
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(await run.conclude({ payload: { a: 'one' } })).toMatchObject({
      status: 'refused',
      code: 'OUTPUT_INVALID',
      issues: [{ path: '/payload/a' }],
    });
    expect(await run.conclude({ payload: { a: 1 } })).toMatchObject({ status: 'delivered' });
  });

  it('that is unreadable is refused, and nothing is proposed', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(await run.conclude({ payload: { a: 1n } })).toMatchObject({
      status: 'refused',
      code: 'OUTPUT_INVALID',
    });
    expect(await run.conclude('done' as never)).toMatchObject({
      status: 'refused',
      explanation: 'the answer must be an object with `payload`, such as { payload: { text: "done" } }',
    });
    expect(await run.call('pay', 20)).toMatchObject({
      status: 'refused',
      explanation: expect.stringMatching(/^arguments is not valid: it must be an object/),
    });
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'delivered' });
  });

  it.each<[string, UpFeedback['type'], readonly string[]]>([
    ['keeps its writes if a person approves that', 'approve', ['pay alice']],
    ['rolls its writes back if a person rejects them', 'reject', ['pay alice', 'recall alice']],
  ])('is required: a run whose host stays away %s', async (_name, type, done) => {
    const bank = openBank({ deadlines: { model: 1, host: 60 } });
    await using _ = bank.guard;
    const run = await bank.begin();
    void run.call('pay', { to: 'alice' }, { waits: true });
    await expect.poll(() => run.questions()).toHaveLength(1);
    await answer(bank, run, { type: 'approve' });
    await expect
      .poll(async () => (await run.questions()).map(({ question }) => question.kind))
      .toEqual(['host']);
    expect(bank.done).toEqual(['pay alice']);
    await answer(bank, run, { type });
    await bank.guard.orchestrator.settled(run.taskId);
    expect(await run.conclude({ payload: {} })).toMatchObject({
      status: 'ended',
      reasons: [{ code: 'HOST_UNAVAILABLE' }],
    });
    expect(bank.done).toEqual(done);
  });

  it('streams as unverified while it is written, when the run has no write', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const chunks: unknown[] = [];
    bank.guard.orchestrator.on('chunk', ({ envelope }) => chunks.push(envelope.outcome));
    const run = await bank.begin();
    expect(run.show('{"a"')).toBe(false); // a plan is expected
    await run.call('read', {});
    await expect.poll(() => run.show('{"a"')).toBe(true);
    expect(run.show(':1}')).toBe(true);
    expect(await run.conclude({ payload: { a: 1 } })).toMatchObject({ status: 'delivered' });
    expect(chunks.length).toBeGreaterThan(1);
    expect(run.show('more')).toBe(false);
  });
});

describe('A paused run', () => {
  const later = guardTool(
    {
      name: 'later',
      input: z.object({}),
      execute: (_, { met, notYet }) => met ?? notYet({ dependency: 'post', explanation: 'By post.' }),
    },
    { tier: 'read_only' },
  );
  const delegate = defineTaskTool({
    name: 'delegate',
    description: 'Has another agent wait.',
    tier: 'read_only',
    input: z.object({}),
    taskClass: 'inner',
    request: () => ({ payload: {} }),
  });
  const open = () =>
    createGuard({
      tools: [later, delegate],
      taskClasses: [
        defineTaskClass({ id: 'outer', tools: ['later', 'delegate'] }),
        defineTaskClass({ id: 'inner', tools: ['later'] }),
      ],
      agents: {
        inner: async (run) => {
          await run.call('later', {}, { waits: true });
          await run.conclude({ payload: {} });
        },
      },
    });

  it.each(['later', 'delegate'] as const)(
    'names the external dependency that it awaits: %s',
    async (tool) => {
      await using guard = open();
      const run = await guard.begin({ taskClass: 'outer', payload: {}, identity });
      const call = () => run.call(tool, {}, { ref: 'c1' });
      expect(await call()).toEqual({ status: 'paused', questions: [], awaits: ['post'] });
      const waiting = (await guard.orchestrator.list()).find(
        ({ taskClass }) => taskClass === (tool === 'later' ? 'outer' : 'inner'),
      );
      await guard.orchestrator.resolve(waiting?.taskId ?? '', 'post', { letter: 1 }, { by: 'mailroom' });
      expect(await run.call(tool, {}, { ref: 'c1', waits: true })).toMatchObject({ status: 'done' });
    },
  );

  it('returns no erased document', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const call = () => run.call('read', {}, { ref: 'c1' });
    const done = await call();
    await run.conclude({ payload: {} });
    const records = await bank.guard.orchestrator.ledger(run.taskId);
    const digest = records.flatMap(({ documents }) => documents.evidence ?? [])[0] ?? '';
    await bank.guard.orchestrator.erase(run.taskId, digest, { by: 'kim' });
    expect(done).toMatchObject({ result: { of: 'all' } });
    expect((await run.progress()).evidence).toEqual([]);
    expect(await call()).toEqual({ status: 'done', result: null, evidence: null });
  });
});
