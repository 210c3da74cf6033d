import { describe, expect, it } from 'vitest';
import {
  adopts,
  draftReviewed,
  edit,
  paidIn,
  pays,
  planReviewed,
  reviewId,
  reviewing,
  unsure,
  value,
  type Review,
} from './adoptions.ts';
import { call, draft, plan, writeTool } from './scripted.ts';

describe('a reference that the model cannot adopt', () => {
  const accepted = `expected the messageId of an edit or a ranking of a plan in turn.reviews: `;
  const offered = `there is ${reviewId()} (the edit of agent critic)`;

  it.each<[string, Review, object, string]>([
    ['an unknown message', value(pays(1)), { adopts: 'x' }, `there is no review "x"; ${accepted}${offered}`],
    [
      'one letter that is wrong',
      value(pays(1)),
      { adopts: reviewId(2) },
      `there is no review "${reviewId(2)}". Did you mean "${reviewId()}"?`,
    ],
    [
      'a comment',
      () => ({ type: 'comment', content: 'Hm.' }),
      {},
      'what agent critic sent is of type comment',
    ],
    ['an approval', () => ({ type: 'approve' }), {}, 'what agent critic sent is of type approve'],
    ['an edit without a value', edit({ text: 'Pay less.' }), {}, 'the edit of agent critic does not fit: '],
    ['an edit in words', () => ({ type: 'edit', content: 'Pay 1.' }), {}, 'does not fit'],
    ['an edit of a draft', edit({ value: { payload: {} } }), {}, '"/calls" must be an array, but is missing'],
    ['an edit with an approval', value(pays(1), { approval: 'ok' }), {}, 'approval'],
    [
      'an edit of a part that is not there',
      edit({ value: 1 }, '/payload/x'),
      {},
      'there is nothing at "/payload/x"',
    ],
    ['an unknown tool', value([call('steal')]), {}, 'unknown tool "steal": expected one of pay, look'],
    [
      'an unknown alternative',
      () => ({ type: 'rank', content: ['most'] }),
      {},
      'it names none of the 2 alternatives',
    ],
    ['an empty ranking', () => ({ type: 'rank', content: [] }), {}, 'the ranking is empty'],
  ])('is sent back, as %s', async (_, review, more, expected) => {
    const made = await planReviewed(review, [adopts(more), '?', draft()]);
    const [issue, ...others] = made.turns[2]?.rejected?.issues ?? [];
    expect(issue).toMatchObject({ path: '/adopts' });
    expect(issue?.message).toContain(expected);
    expect(issue?.message).toContain(accepted);
    expect(others).toEqual([]);
    expect(made.invocations).toEqual([]);
  });

  it('is sent back as feedback on another message: on the request, a write, or a draft while a plan is wanted', async () => {
    const edits = edit({ value: { calls: pays(1), payload: {} } });
    const write = await reviewing({
      model: [plan(pays(5)), adopts(), draft()],
      tools: [writeTool('pay')],
      policy: 'needs_review',
    });
    const [request] = await write.thread();
    await write.review({ ...edits(''), target: request?.messageId });
    await write.review(edits(''));
    await write.goOn();
    const [issue] = write.turns[2]?.rejected?.issues ?? [];
    expect(issue?.message).toContain('the edit of agent critic is about another message');
    expect(issue?.message).toContain('turn.reviews has none: answer with an output of your own');
    const other = await draftReviewed(edits, [], { model: [plan(), draft({}, unsure), adopts(), plan()] });
    expect(other.turns[3]?.rejected?.issues).toMatchObject([
      { path: '/adopts', message: expect.stringContaining('is about another message') },
    ]);
  });

  it('is sent back if two agents sent a review under one id', async () => {
    const made = await reviewing({
      model: [plan(pays(5), unsure), adopts(), draft()],
      tools: [writeTool('pay')],
    });
    const same = { messageId: reviewId() };
    await made.review({ type: 'edit', content: { value: { calls: pays(1) } } }, same);
    const mallory = { agent_id: 'mallory', owner_id: 'acme' };
    await made.review({ type: 'edit', content: { value: { calls: pays(9) } } }, same, mallory);
    await made.goOn();
    expect(made.turns[2]?.rejected?.issues).toMatchObject([
      { message: expect.stringContaining(`2 agents sent a review "${reviewId()}"`) },
    ]);
  });

  it('is corrected within the model’s budget, and then a person is asked in a sentence', async () => {
    const right = await planReviewed(value(pays(1)), [adopts({ adopts: 'x' }), adopts(), draft()]);
    expect(await right.ended(right.taskId)).toMatchObject({ outcome: 'success' });
    expect(paidIn(right)).toEqual([{ amount: 1 }]);
    const wrong = await planReviewed(value(pays(1)), [adopts({ adopts: 'x' })], {
      taskClass: { limits: { corrections: 1 } },
    });
    const { question, message } = await wrong.question();
    expect(question.kind).toBe('help');
    expect(message.explanation).toBe(
      'The model’s plan could not be read after 2 attempts: what it adopts is no edit or ranking that can take its place.',
    );
    expect(wrong.rejectedOutputs).toHaveLength(1);
  });

  it.each([
    ['calls beside it', { calls: [] }],
    ['an approval', { approval: 'granted' }],
    ['a state', { state: 'completed' }],
  ])('is sent back with %s', async (_, more) => {
    const made = await planReviewed(value(pays(1)), [adopts(more), plan(), draft()]);
    expect(made.turns[2]?.asks).toBe('correction');
    expect(made.invocations).toEqual([]);
  });

  it('is no answer of a person', async () => {
    const made = await planReviewed(value(pays(1)), [plan(pays(2), unsure)]);
    const given = adopts()(made.turns[1]!);
    await expect(made.answer('edit', { value: given })).rejects.toMatchObject({ code: 'feedback_refused' });
  });
});
