import { describe, expect, it } from 'vitest';
import type { FeedbackType } from '../../../../schema/index.ts';
import { unreadFeedback } from '../../../../src/base/feedback/feedback.ts';
import { scene } from './scene.ts';
import { call, draft, plan, writeTool, together } from './scripted.ts';
import { asked, situations, unsure, type Kind } from './situations.ts';

type Cell = { says?: unknown; leads: 'success' | 'failure' | 'uncertain' | 'refused' | 'open' };

/** CHART 5: the result of each type of feedback; `refused` leaves the question open. */
const table: Record<Kind, Record<Exclude<FeedbackType, 'comment'>, Cell>> = {
  information: {
    approve: { leads: 'refused' },
    edit: { says: { value: { location: 'Lisbon' } }, leads: 'success' },
    rank: { says: ['a'], leads: 'refused' },
    instruction: { says: 'anywhere', leads: 'success' },
    reject: { leads: 'failure' },
  },
  help: {
    approve: { leads: 'refused' },
    edit: { says: { value: plan() }, leads: 'success' },
    rank: { says: [plan()], leads: 'refused' },
    instruction: { says: 'a plan, please', leads: 'success' },
    reject: { leads: 'success' },
  },
  plan: {
    approve: { leads: 'success' },
    edit: { says: { value: plan([], unsure) }, leads: 'success' },
    rank: { says: [plan([], unsure), plan()], leads: 'success' },
    instruction: { says: 'do less', leads: 'success' },
    reject: { leads: 'success' },
  },
  draft: {
    approve: { leads: 'success' },
    edit: { says: { value: draft({ n: 3 }, unsure) }, leads: 'success' },
    rank: { says: [draft({ n: 3 }, unsure)], leads: 'success' },
    instruction: { says: 'shorter', leads: 'success' },
    reject: { leads: 'success' },
  },
  approval: {
    approve: { leads: 'success' },
    edit: { says: { value: { amount: 2 } }, leads: 'success' },
    rank: { says: [{ amount: 2 }], leads: 'refused' },
    instruction: { says: 'without writing', leads: 'success' },
    reject: { leads: 'success' },
  },
  doubt: {
    approve: { leads: 'success' },
    edit: { says: { value: 'done' }, leads: 'success' },
    rank: { says: ['done'], leads: 'refused' },
    instruction: { says: 'look again', leads: 'refused' },
    reject: { leads: 'failure' },
  },
  limit: {
    approve: { leads: 'success' },
    edit: { says: { value: 2 }, leads: 'refused' },
    rank: { says: [2], leads: 'refused' },
    instruction: { says: 'hurry', leads: 'refused' },
    reject: { leads: 'uncertain' },
  },
  tool: {
    approve: { leads: 'success' },
    edit: { says: { value: 'b' }, leads: 'success' },
    rank: { says: ['b', 'a'], leads: 'success' },
    instruction: { says: 'the second', leads: 'success' },
    reject: { leads: 'failure' },
  },
  followup: {
    approve: { leads: 'success' },
    edit: { says: { value: { by: 'skill' } }, leads: 'open' },
    rank: { says: ['skill', 'price'], leads: 'success' },
    instruction: { says: 'in Lisbon only', leads: 'open' },
    reject: { leads: 'success' },
  },
};

const comment: Cell = { says: 'hm', leads: 'open' }; // it answers no question
const cells = Object.entries(table).flatMap(([kind, row]) =>
  Object.entries<Cell>({ ...row, comment }).map(
    ([type, cell]) => [kind as Kind, type as FeedbackType, cell] as const,
  ),
);

describe('an answer [CHART 5, UpFormat Table 2]', () => {
  it.each(cells)('resolves a question of kind %s, of type %s', async (kind, type, { says, leads }) => {
    const { answer, open, orchestrator, stateOf, taskId, ended } = await asked(kind);
    const before = stateOf(taskId);
    if (leads === 'refused') {
      const records = (await orchestrator.ledger(taskId)).length;
      await expect(answer(type, says)).rejects.toMatchObject({
        code: 'feedback_refused',
        details: { taskId, question: open.question.id, accepts: open.question.accepts },
      });
      expect(await orchestrator.ledger(taskId)).toHaveLength(records);
      expect(await orchestrator.inbox()).toEqual([open]);
      return;
    }
    expect(open.question.accepts).toContain(type);
    await answer(type, says);
    if (leads === 'open') {
      expect(stateOf(taskId)).toBe(before);
      expect(await orchestrator.inbox()).toHaveLength(1);
    } else expect(await ended(taskId)).toMatchObject({ outcome: leads });
  });

  it.each(Object.keys(situations) as Kind[])('to a question of kind %s counts once', async (kind) => {
    const { answer, open } = await asked(kind);
    await answer('reject', undefined, { to: open });
    await expect(answer('reject', undefined, { to: open })).rejects.toMatchObject({
      code: 'feedback_refused',
    });
  });

  it.each(Object.keys(situations) as Kind[])(
    'given twice at the same time to a question of kind %s wins once',
    async (kind) => {
      const { open, orchestrator, facts, taskId } = await asked(kind);
      const rejectAs = (by: string) =>
        orchestrator.respond({ type: 'reject', target: open.message.messageId }, { by });
      const results = await Promise.allSettled([rejectAs('dana'), rejectAs('kim')]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'feedback_refused' },
      });
      expect((await facts(taskId)).filter((type) => type === 'human.responded')).toHaveLength(1);
    },
  );
});

describe('the content of an answer', () => {
  it('reaches the model: the missing information, and who gave it', async () => {
    const { answer, turns } = await asked('information');
    await answer('edit', { value: { location: 'Lisbon' } });
    expect(turns.at(1)?.answers).toMatchObject([
      {
        question: 'information',
        by: 'dana',
        feedback: { type: 'edit', content: { value: { location: 'Lisbon' } } },
      },
    ]);
  });

  it('reaches the tool that asked', async () => {
    const { answer, invocations } = await asked('tool');
    await answer('edit', { value: 'b' });
    expect(invocations.map(({ answer: given }) => given)).toMatchObject([null, { content: { value: 'b' } }]);
  });

  it('replaces a draft, and the person’s text is delivered', async () => {
    const { answer, ended, taskId } = await asked('draft');
    await answer('edit', { value: draft({ n: 3 }, unsure) });
    expect((await ended(taskId)).message.payload).toEqual({ n: 3 });
  });

  it('replaces arguments: the policy decides on the new action, and the old one is never made', async () => {
    const { answer, ended, taskId, invocations, asked: decided } = await asked('approval');
    await answer('edit', { value: { amount: 2 } });
    await ended(taskId);
    expect(decided.map(({ arguments: input }) => input)).toEqual([
      { amount: 1 },
      { amount: 2 },
      { amount: 2 },
    ]);
    expect(invocations.map(({ arguments: input }) => input)).toEqual([{ amount: 2 }]);
  });

  it('resolves an effect in doubt as not done, and the write is made again under the same key', async () => {
    const { answer, invocations } = await asked('doubt');
    await answer('edit', { value: { effect: 'absent' } });
    expect(invocations).toHaveLength(2);
    expect(invocations[0]!.key).toBe(invocations[1]!.key);
  });

  it('is in the thread, from the person, below the question', async () => {
    const { answer, open, orchestrator } = await asked('plan');
    await answer('approve');
    expect(await orchestrator.thread(open.message.threadId)).toContainEqual(
      expect.objectContaining({
        agentId: 'dana',
        parentMessageId: open.message.messageId,
        upFeedback: { type: 'approve', target: open.message.messageId },
      }),
    );
  });
});

describe('feedback that is rejected', () => {
  it.each([
    ['plan', 'edit', { value: { calls: 'none' } }, /\/calls/],
    ['plan', 'edit', { value: plan([call('launch')]) }, /unknown tool "launch": expected one of read/],
    ['plan', 'edit', { text: 'better' }, /expected an object with one of value, edits, diff/],
    ['plan', 'edit', 'better', /expected an object with one of value, edits, diff/],
    ['plan', 'edit', undefined, /an edit needs `content`: an object with one of value, edits, diff/],
    ['plan', 'instruction', undefined, /an instruction needs `content`/],
    ['plan', 'rank', [], /ranking is empty/],
    ['plan', 'approve', { x: 1, text: 'fine' }, /content "x" has no effect: leave it out, or send an/],
    ['draft', 'approve', ['b', 'a'], /its content "a ranking" has no effect/],
    ['draft', 'edit', { value: draft({}, { confidence: 2 }) }, /\/confidence/],
    ['approval', 'edit', { value: { amount: 'much' } }, /\/content\/value\/amount/],
    ['approval', 'edit', { values: { amount: 5 } }, /Did you mean "value"\?/],
    ['doubt', 'edit', { value: 'perhaps' }, /"done" or "absent"/],
  ] as const)('%s by %s: %j', async (kind, type, content, reason) => {
    const { answer, open, orchestrator } = await asked(kind);
    await expect(answer(type, content)).rejects.toThrow(reason);
    expect(await orchestrator.inbox()).toEqual([open]);
  });

  it('is malformed: the error names the path', async () => {
    const { orchestrator, open } = await asked('plan');
    const target = open.message.messageId;
    await expect(
      orchestrator.respond(unreadFeedback({ type: 'aprove', target }), { by: 'dana' }),
    ).rejects.toMatchObject({
      code: 'document_invalid',
      details: { document: 'UpFeedback', issues: [{ path: '/type' }] },
    });
    await expect(orchestrator.respond({ type: 'rank', target }, { by: 'dana' })).rejects.toMatchObject({
      code: 'document_invalid',
    });
    await expect(
      orchestrator.respond(
        {
          type: 'approve',
          target,
          get content() {
            return 'now';
          },
        },
        { by: 'dana' },
      ),
    ).rejects.toMatchObject({ code: 'input_unreadable', details: { path: '/content' } });
    expect(await orchestrator.inbox()).toEqual([open]);
  });

  it('targets a message that asked nothing', async () => {
    const { orchestrator } = await asked('plan');
    await expect(
      orchestrator.respond(
        { type: 'approve', target: '00000000-0000-4000-8000-ffffffffffff' },
        { by: 'dana' },
      ),
    ).rejects.toMatchObject({ code: 'not_found', details: { kind: 'question' } });
  });

  it('approves only a part', async () => {
    const { orchestrator, open } = await asked('plan');
    const target = { messageId: open.message.messageId, part: '/payload/calls/0' };
    await expect(orchestrator.respond({ type: 'approve', target }, { by: 'dana' })).rejects.toThrow(
      /a part of it/,
    );
    expect(await orchestrator.inbox()).toEqual([open]);
  });

  it.each([
    ['/target', (id: string) => id],
    ['/target/messageId', (messageId: string) => ({ messageId })],
  ] as const)(
    'names the id of the question in place of that of its message in %s',
    async (path, targetOf) => {
      const { orchestrator, open } = await asked('plan');
      const target = targetOf(open.question.id);
      await expect(orchestrator.respond({ type: 'approve', target }, { by: 'dana' })).rejects.toMatchObject({
        code: 'document_invalid',
        message: `UpFeedback is not valid: "${path}" must be the \`messageId\` of the message that asks: \`inbox\` lists the open ones`,
      });
      expect(await orchestrator.inbox()).toEqual([open]);
    },
  );

  it('comes from a person who may not answer', async () => {
    const scenario = scene({
      ...situations.plan,
      options: { mayRespond: (identity) => identity === 'kim' },
    });
    await scenario.submit();
    await expect(scenario.answer('approve')).rejects.toMatchObject({
      code: 'identity_refused',
      details: { identity: 'dana' },
    });
    await scenario.answer('approve', undefined, { by: 'kim' });
    expect(await scenario.orchestrator.inbox()).toEqual([]);
  });

  it('comes from the requesting agent', async () => {
    const { answer } = await asked('plan');
    await expect(answer('approve', undefined, { by: 'recommender' })).rejects.toMatchObject({
      code: 'identity_refused',
    });
  });

  it('meets a mayRespond that throws', async () => {
    const scenario = scene({
      ...situations.plan,
      options: {
        mayRespond: () => {
          throw new Error('directory is down');
        },
      },
    });
    await scenario.submit();
    await expect(scenario.answer('approve')).rejects.toMatchObject({ code: 'identity_refused' });
  });

  it.each(['', ' ', 'dana\nadmin', 'é', 'x'.repeat(129)])('has an invalid identity: %j', async (by) => {
    const { answer, open, orchestrator } = await asked('plan');
    await expect(answer('approve', undefined, { by })).rejects.toMatchObject({
      code: 'document_invalid',
      details: { document: 'By', issues: [{ path: '/by' }] },
    });
    expect(await orchestrator.inbox()).toEqual([open]);
  });
});

describe('an answer of no one', () => {
  it('is refused for callers without types, and the question stays open', async () => {
    const { orchestrator, open } = await asked('plan');
    const feedback = { type: 'approve', target: open.message.messageId } as const;
    await expect(orchestrator.respond(feedback, undefined as never)).rejects.toMatchObject({
      code: 'document_invalid',
      details: { document: 'By' },
    });
    expect(await orchestrator.inbox()).toEqual([open]);
  });
});

describe('several open questions', () => {
  it('are answered one by one: a refusal keeps the approved siblings', async () => {
    const { submit, orchestrator, answer, invocations, ended } = scene({
      model: [plan([together('a'), together('b'), together('c')]), draft()],
      tools: ['a', 'b', 'c'].map((name) => writeTool(name)),
      policy: 'needs_review',
    });
    const taskId = await submit();
    const inbox = await orchestrator.inbox();
    expect(inbox).toHaveLength(3);
    await answer('approve', undefined, { to: inbox[0]! });
    await answer('reject', undefined, { to: inbox[1]! });
    expect(invocations).toEqual([]);
    await answer('approve', undefined, { to: inbox[2]! });
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(invocations.map(({ tool }) => tool)).toEqual(['a', 'c']);
  });
});

describe('a repeated question', () => {
  it('is answered through its latest message only', async () => {
    const { answer, open, orchestrator, stateOf, taskId } = await asked('followup');
    await answer('instruction', 'in Lisbon only');
    expect(stateOf(taskId)).toBe('followup');
    expect(await orchestrator.inbox()).toHaveLength(1);
    await expect(answer('approve', undefined, { to: open })).rejects.toMatchObject({
      code: 'feedback_refused',
    });
    await answer('approve');
    expect(stateOf(taskId)).toBe('completed.settled');
  });
});

describe('an answer to a closed question', () => {
  const second = { type: 'reject' } as const;

  it('is told who answered, when and how', async () => {
    const { answer, open, clock, taskId, orchestrator } = await asked('plan');
    await answer('approve', undefined, { by: 'dana' });
    const at = new Date(clock.now()).toISOString();
    const records = (await orchestrator.ledger(taskId)).length;
    const target = open.message.messageId;
    await expect(orchestrator.respond({ ...second, target }, { by: 'kim' })).rejects.toMatchObject({
      code: 'feedback_refused',
      message: `the ${open.question.kind} question is closed: dana answered it at ${at}: approve; \`inbox\` lists the open ones`,
      details: { reason: `dana answered it at ${at}: approve`, accepts: [] },
    });
    expect(await orchestrator.ledger(taskId)).toHaveLength(records);
  });

  it('is told that the deadline passed and the default was taken', async () => {
    const { orchestrator, question, submit, clock } = scene({
      ...situations.information,
      taskClass: { deadlines: { question: 60_000 }, defaults: { information: { location: 'Lisbon' } } },
    });
    await submit();
    const open = await question();
    await clock.advance(60_000);
    const at = new Date(clock.now()).toISOString();
    const target = open.message.messageId;
    await expect(orchestrator.respond({ ...second, target }, { by: 'kim' })).rejects.toMatchObject({
      details: { reason: `its deadline passed at ${at}, and the default was taken` },
    });
  });

  it('is told that the run went on without an answer, although someone commented', async () => {
    const { answer, orchestrator, open, taskId } = await asked('plan');
    await answer('comment', 'hm', { by: 'kim' });
    await orchestrator.cancel(taskId, { by: 'dana' });
    const target = open.message.messageId;
    await expect(orchestrator.respond({ ...second, target }, { by: 'kim' })).rejects.toMatchObject({
      details: { reason: 'its deadline has passed, or the run went on without an answer' },
    });
  });
});
