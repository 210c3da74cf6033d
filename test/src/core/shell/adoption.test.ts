import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { lineageOf } from '../../../../src/optional/lineage/index.ts';
import { digestOfOutput } from '../../../../src/core/kernel/outputs.ts';
import { rehydrate } from '../../../../src/core/shell/rehydrate.ts';
import {
  adopts,
  draftReviewed,
  edit,
  lastProposal,
  paidIn,
  pays,
  planReviewed,
  reviewId,
  reviewing,
  unsure,
  value,
  type Review,
} from './adoptions.ts';
import { fails, type Given } from './scene.ts';
import { call, draft, further, plan, readTool } from './scripted.ts';

const followup = () => ({ explanation: 'More?', payload: {}, byDefault: {} });

/** A delivery that another agent edits, and that a person lets the model refine. */
const delivered = async (taskClass: Given['taskClass'], then: readonly unknown[]) => {
  const made = await reviewing({
    model: [plan(), draft({ total: 5, text: 'old' }), plan(), ...then],
    taskClass: { followup, ...taskClass },
  });
  const message = (await made.thread()).find(({ state }) => state === 'completed');
  const target = { messageId: message?.messageId, part: '/payload/text' };
  await made.review({ type: 'edit', target, content: { value: 'new' } });
  await made.answer('edit', { value: 'Do what the review says.' });
  return made;
};

describe('a review that the model adopts as its plan [UpFormat 2.2]', () => {
  const one = { messageId: reviewId(), by: 'critic' };

  it.each<[string, Review, number]>([
    ['calls', value(pays(1)), 1],
    ['a whole plan', value(pays(1), plan()), 1],
    ['the value of a part', edit({ value: 3 }, '/payload/calls/0/arguments/amount'), 3],
    ['a merge patch', edit({ diff: { payload: { calls: pays(4) } } }), 4],
    [
      'a JSON Patch',
      edit({ diff: [{ op: 'replace', path: '/payload/calls/0/arguments/amount', value: 2 }] }),
      2,
    ],
  ])('brings its calls, by an edit with %s', async (_, review, amount) => {
    const made = await planReviewed(review, [adopts(), draft()]);
    expect(await made.ended(made.taskId)).toMatchObject({ outcome: 'success' });
    expect(paidIn(made)).toEqual([{ amount }]);
    const record = (await made.orchestrator.ledger(made.taskId)).findLast(
      ({ fact }) => fact?.type === 'plan.proposed',
    );
    expect(record).toMatchObject({ actor: { kind: 'agent', id: 'recommender' } });
    expect(record?.brought.output).toMatchObject({
      payload: { calls: pays(amount) },
      explanation: 'The review is right.',
      upThought: { canProceed: true, confidence: 0.9 },
      adopted: { ...one, type: 'edit' },
    });
  });

  it.each<[string, readonly unknown[], number]>([
    ['an id', ['less'], 1],
    ['a whole alternative', [plan(pays(2)), 'less'], 2],
  ])('brings the alternative that a ranking puts first, by %s', async (_, content, amount) => {
    const made = await planReviewed(() => ({ type: 'rank', content }), [adopts(), draft()]);
    expect(await made.ended(made.taskId)).toMatchObject({ outcome: 'success' });
    expect(paidIn(made)).toEqual([{ amount }]);
    expect((await made.thread()).map(({ explanation }) => explanation)).toContain(
      'recommender adopted the ranking of agent critic as its plan.',
    );
  });

  it('brings the calls of further calls, and those are further calls in a draft turn', async () => {
    const second = further(call('look', { at: 2 }));
    const made = await reviewing({
      model: [plan(), { ...second, ...unsure }, adopts(), draft()],
      tools: [readTool('look')],
    });
    await made.review({ type: 'edit', content: { value: { calls: [call('look', { at: 3 })] } } });
    await made.answer('approve');
    expect(await made.ended(made.taskId)).toMatchObject({ outcome: 'success' });
    expect(paidIn(made)).toEqual([{ at: 2 }, { at: 3 }]);
    const proposed = (await made.orchestrator.ledger(made.taskId)).findLast(
      ({ fact }) => fact?.type === 'calls.proposed',
    );
    expect(proposed?.brought.output).toMatchObject({ adopted: one });
  });

  it('may be about an output that nobody could read', async () => {
    const made = await reviewing({
      model: ['prose', adopts(), draft()],
      tools: [readTool('look')],
      taskClass: { limits: { corrections: 0 } },
    });
    expect((await made.question()).question.kind).toBe('help');
    await made.review({ type: 'edit', content: { value: { calls: [call('look')] } } });
    await made.goOn();
    expect(await made.ended(made.taskId)).toMatchObject({ outcome: 'success' });
    expect(made.invocations).toHaveLength(1);
  });
});

describe('a review that the model adopts as its draft [UpFormat 2.2]', () => {
  it.each<[string, Review, object]>([
    ['a payload', edit({ value: { payload: { text: 'new' } } }), { text: 'new' }],
    ['a whole draft', edit({ value: draft({ text: 'new' }) }), { text: 'new' }],
    ['a part', edit({ value: 'new' }, '/payload/text'), { text: 'new', note: 'kept' }],
    [
      'text edits',
      edit({ edits: [{ part: '/payload/text', offset: 0, length: 3, text: 'new' }] }),
      { text: 'new', note: 'kept' },
    ],
    ['a ranking', () => ({ type: 'rank', content: ['short'] }), { text: 'short' }],
  ])('brings its payload, by %s', async (_, review, payload) => {
    const made = await draftReviewed(review, [adopts()]);
    const { outcome, message } = await made.ended(made.taskId);
    expect({ outcome, payload: message.payload }).toEqual({ outcome: 'success', payload });
    expect(message).toMatchObject({
      agentId: 'recommender',
      explanation: 'The review is right.',
      'agentcharter:adopts': reviewId(),
    });
  });

  it('keeps a member of the payload that is named as the question of its message', async () => {
    const first = draft({ question: 'Which?', text: 'old' }, unsure);
    const made = await draftReviewed(edit({ value: 'new' }, '/payload/text'), [adopts()], {
      model: [plan(), first, plan(), adopts()],
    });
    expect((await made.ended(made.taskId)).message.payload).toEqual({ question: 'Which?', text: 'new' });
  });

  const output = z.object({ total: z.number().transform((total) => total * 2), text: z.string() });

  it('is read once by the output schema: unedited parts stay as they were proposed', async () => {
    const made = await draftReviewed(edit({ value: 'new' }, '/payload/text'), [adopts()], {
      model: [plan(), draft({ total: 5, text: 'old' }, unsure), plan(), adopts()],
      taskClass: { output },
    });
    expect((await made.ended(made.taskId)).message.payload).toEqual({ total: 10, text: 'new' });
  });

  it('may be about a delivery; what its schema would read differently is sent back', async () => {
    const plain = await delivered({}, [adopts()]);
    expect((await lastProposal(plain, plain.taskId))?.brought.output?.payload).toEqual({
      total: 5,
      text: 'new',
    });
    const own = { choice: 'fixed', output: draft({ total: 5, text: 'new' }), explanation: 'By hand.' };
    const doubled = await delivered({ output }, [adopts(), own]);
    expect(doubled.turns.find(({ asks }) => asks === 'correction')?.rejected?.issues).toMatchObject([
      { path: '/adopts', message: expect.stringContaining('its schema reads "/total" differently') },
    ]);
  });
});

describe('an adopted review passes every gate [UpFormat 2.2]', () => {
  it('asks a person if the model is not sure, and says whose edit it is', async () => {
    const whole = value(pays(1), plan([], { confidence: 1, explanation: 'Certainly.' }));
    const made = await planReviewed(whole, [adopts(unsure), draft()]);
    const { message, question } = await made.question();
    expect(question).toMatchObject({ kind: 'plan' });
    expect(message).toMatchObject({
      agentId: 'recommender',
      payload: { calls: pays(1) },
      explanation: 'The model adopted the edit of agent critic. The review is right.',
      upThought: { confidence: 0.1 },
      'agentcharter:adopts': reviewId(),
    });
    expect(made.invocations).toEqual([]);
  });

  it('asks a person about a draft that cannot proceed, whatever the review claims', async () => {
    const claims = edit({ value: draft({ text: 'new' }, { canProceed: true, confidence: 1 }) });
    const made = await draftReviewed(claims, [adopts({ canProceed: false })]);
    const { message, question } = await made.question();
    expect(question.kind).toBe('draft');
    expect(message).toMatchObject({
      payload: { text: 'new' },
      explanation: 'The model adopted the edit of agent critic. The review is right.',
      upThought: { canProceed: false, confidence: 0.9 },
    });
  });

  it('needs the approval of a write, which the reviewing agent cannot give', async () => {
    const made = await planReviewed(value(pays(1)), [adopts(), draft()], { policy: 'needs_review' });
    const { question, message } = await made.question();
    expect(question.kind).toBe('approval');
    expect(message.payload['action']).toMatchObject({ arguments: { amount: 1 } });
    await made.review({ type: 'approve' });
    expect((await made.question()).question).toEqual(question);
    expect(made.invocations).toEqual([]);
    await made.answer('approve');
    expect(paidIn(made)).toEqual([{ amount: 1 }]);
  });

  it('is refused by the policy, and failed by a verifier', async () => {
    const denied = await planReviewed(value(pays(1)), [adopts(), draft()], { policy: 'deny' });
    expect(await denied.ended(denied.taskId)).toMatchObject({ reasons: [{ code: 'POLICY_BLOCKED' }] });
    expect(denied.invocations).toEqual([]);
    const judged = await draftReviewed(edit({ value: { payload: { text: 'new' } } }), [adopts()], {
      verifiers: { judge: fails },
      taskClass: { beforeDeliver: { verifiers: ['judge'] }, limits: { repairs: 0 } },
    });
    expect(await judged.ended(judged.taskId)).toMatchObject({ reasons: [{ code: 'VERIFICATION_FAILED' }] });
  });

  it('is replaced by a person’s edit, and is then no one else’s', async () => {
    const made = await planReviewed(value(pays(1)), [adopts(unsure), draft()]);
    await made.answer('edit', { diff: { payload: { calls: pays(3) } } });
    expect(paidIn(made)).toEqual([{ amount: 3 }]);
    const other = await draftReviewed(edit({ value: 'new' }, '/payload/text'), [adopts(unsure)]);
    await other.answer('edit', { diff: { payload: { text: 'newer' } } });
    const { message } = await other.ended(other.taskId);
    expect(message).toMatchObject({ payload: { text: 'newer', note: 'kept' } });
    expect(message).not.toHaveProperty('agentcharter:adopts');
  });
});

describe('the record of an adopted review', () => {
  it('says whose words they are, under the digest that people approve', async () => {
    const made = await planReviewed(value(pays(1)), [adopts(unsure), draft()]);
    const record = await lastProposal(made, made.taskId);
    const { output } = record!.brought;
    const { question } = await made.question();
    expect(output?.adopted).toEqual({ messageId: reviewId(), by: 'critic', type: 'edit' });
    expect(digestOfOutput(output!)).toBe(question.about);
    const { adopted: _adopted, ...unadopted } = output!;
    expect(digestOfOutput(unadopted)).not.toBe(question.about);
    expect(output).not.toHaveProperty('raw');
  });

  it('is absent of any other output', async () => {
    const made = await planReviewed(value(pays(1)), [plan(pays(1)), draft()]);
    const outputs = (await made.orchestrator.ledger(made.taskId)).flatMap(
      ({ brought }) => brought.output ?? [],
    );
    expect(outputs).toHaveLength(3);
    for (const output of outputs) expect(output).not.toHaveProperty('adopted');
    expect((await made.thread()).some((message) => 'agentcharter:adopts' in message)).toBe(false);
  });

  it('links the thread: what follows answers the adoption, which answers the review', async () => {
    const made = await planReviewed(value(pays(1)), [adopts(unsure), draft()]);
    const thread = await made.thread();
    const adoption = thread.find(
      (message) => message.agentId === 'agentcharter' && 'agentcharter:adopts' in message,
    );
    expect(adoption).toMatchObject({
      parentMessageId: reviewId(),
      explanation: 'recommender adopted the edit of agent critic as its plan.',
      'agentcharter:adopts': reviewId(),
    });
    expect((await made.question()).message.parentMessageId).toBe(adoption?.messageId);
    expect(lineageOf(thread).findings).toEqual([]);
  });

  it('is the same after a restart', async () => {
    const made = await planReviewed(value(pays(1)), [adopts(unsure), draft()]);
    const [stored] = await made.store.all();
    const { projection } = await rehydrate(stored!);
    expect(projection.plan).toEqual((await lastProposal(made, made.taskId))?.brought.output);
    expect(projection.plan?.adopted).toEqual({ messageId: reviewId(), by: 'critic', type: 'edit' });
  });
});
