import { byPriority } from 'agentcharter/feedback';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedbackType } from '../../../../schema/index.ts';
import { unreadFeedback } from '../../../../src/base/feedback/feedback.ts';
import { runs } from '../../../machines/generated.ts';
import { scene, type Scene } from './scene.ts';
import { call, draft, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';
import { asked, situations, unsure } from './situations.ts';

/** Answers a part of the asking message. */
const sendFeedback = async (
  { orchestrator, question }: Scene,
  type: FeedbackType,
  more: { readonly part?: string; readonly content?: unknown; readonly metadata?: object },
): Promise<void> => {
  const { message } = await question();
  const { part, ...said } = more;
  const target = part === undefined ? message.messageId : { messageId: message.messageId, part };
  await orchestrator.respond(unreadFeedback({ type, target, ...said }), { by: 'dana' });
  await settle();
};

const planning = () =>
  scene({
    model: [plan([call('read', { amount: 1, of: 'Paris' })], unsure), draft()],
    tools: [readTool('read')],
  });

describe('An edit of a proposal', () => {
  it.each([
    ['a JSON Patch', undefined, { diff: [{ op: 'replace', path: '/payload/n', value: 3 }] }],
    ['a merge patch', undefined, { diff: { payload: { n: 3 } } }],
    ['a diff of a part', '/payload', { diff: { n: 3 } }],
    ['the value of a part', '/payload/n', { value: 3 }],
  ])('changes a draft by %s before delivery', async (_, part, content) => {
    const scenario = await asked('draft');
    await sendFeedback(scenario, 'edit', { content, ...(part !== undefined && { part }) });
    expect((await scenario.ended(scenario.taskId)).message.payload).toEqual({ n: 3 });
  });

  it('changes the text of a draft', async () => {
    const scenario = scene({ model: [plan(), draft({ text: 'Dear Ana,\nyours' }, unsure)] });
    const taskId = await scenario.submit();
    const edits = [
      { part: '/payload/text', offset: 5, length: 3, text: 'Bo' },
      { part: '/explanation', offset: 0, length: 4, text: 'That' },
    ];
    await sendFeedback(scenario, 'edit', { content: { edits } });
    expect((await scenario.ended(taskId)).message).toMatchObject({
      payload: { text: 'Dear Bo,\nyours' },
      explanation: 'That is what came of it.',
    });
  });

  it('changes a plan, and the edited call is made', async () => {
    const scenario = planning();
    const taskId = await scenario.submit();
    await sendFeedback(scenario, 'edit', {
      part: '/payload/calls/0/arguments',
      content: { diff: { amount: null, of: 'Porto' } },
    });
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(scenario.invocations.map(({ arguments: input }) => input)).toEqual([{ of: 'Porto' }]);
  });

  it('keeps the digest when it changes nothing', async () => {
    for (const kind of ['plan', 'draft'] as const) {
      const scenario = await asked(kind);
      await sendFeedback(scenario, 'edit', { content: { diff: [] } });
      const [fact] = (await scenario.orchestrator.ledger(scenario.taskId)).flatMap(({ fact }) =>
        fact?.type === 'human.responded' ? [fact] : [],
      );
      expect((fact?.plan ?? fact?.draft)?.digest).toBe(scenario.open.question.about);
    }
  });

  it('changes the arguments of a write, and the policy decides again on the new digest', async () => {
    const scenario = await asked('approval');
    await sendFeedback(scenario, 'edit', {
      content: { diff: { payload: { action: { arguments: { amount: 2 } } } } },
    });
    await scenario.ended(scenario.taskId);
    expect(scenario.asked.map(({ arguments: input }) => input)).toEqual([
      { amount: 1 },
      { amount: 2 },
      { amount: 2 },
    ]);
    expect(scenario.invocations.map(({ arguments: input }) => input)).toEqual([{ amount: 2 }]);
  });

  it('keeps the original in the thread, marked as superseded by the answer', async () => {
    const scenario = await asked('draft');
    const content = { diff: { payload: { n: 3 } } };
    await sendFeedback(scenario, 'edit', { content });
    const { messageId, threadId } = scenario.open.message;
    const thread = await scenario.orchestrator.thread(threadId);
    expect(thread).toContainEqual(scenario.open.message);
    expect(thread.filter((message) => message['agentcharter:supersedes'] === messageId)).toMatchObject([
      { parentMessageId: messageId, upFeedback: { type: 'edit', target: messageId, content } },
    ]);
  });
});

describe('An invalid edit', () => {
  const amount = '/payload/action/arguments/amount';
  it.each([
    [
      'plan',
      undefined,
      { diff: [{ op: 'test', path: '/explanation', value: '' }] },
      /"\/content\/diff\/0": the test fails/,
    ],
    [
      'plan',
      undefined,
      { diff: [{ op: 'remove', path: '/calls' }] },
      /at "\/calls"; the root is an object with "payload"/,
    ],
    [
      'plan',
      undefined,
      { diff: [{ op: 'replace', path: '/payload/calls/0/tool', value: 'launch' }] },
      /unknown tool "launch"/,
    ],
    ['plan', undefined, { diff: { payload: { outcome: 'success' } } }, /"\/payload": unknown key "outcome"/],
    ['plan', undefined, { diff: { state: 'completed' } }, /^unknown key "state"/],
    ['plan', undefined, { diff: { upThought: { tier: 'read_only' } } }, /^unknown key "tier"/],
    ['plan', '/payload/calls/1', { value: {} }, /"\/target\/part": there is nothing at/],
    ['plan', undefined, { value: plan(), diff: [] }, /it has value and diff/],
    ['draft', undefined, { diff: { upThought: { confidence: 2 } } }, /\/confidence/],
    ['draft', undefined, { diff: { upThought: { calls: [call('read')] } } }, /unknown key/],
    ['draft', undefined, { diff: { payload: null } }, /\/payload/],
    [
      'draft',
      undefined,
      { edits: [{ part: '/payload/n', offset: 0, length: 1, text: '' }] },
      /this is a number/,
    ],
    ['draft', '/timestamp', { value: 'now' }, /the root is an object with "payload"/],
    [
      'draft',
      undefined,
      { diff: Array.from({ length: 40 }, (_, at) => ({ op: 'copy', from: '', path: `/${at}` })) },
      /too m/,
    ],
    ['approval', undefined, { diff: [{ op: 'replace', path: amount, value: 'much' }] }, /amount/],
    ['approval', '/payload/tier', { value: 'read_only' }, /there is nothing at "\/payload\/tier"/],
    ['approval', '/payload/action', { diff: { tool: 'other' } }, /"\/payload\/action": unknown key "tool"/],
    ['help', undefined, { diff: {} }, /nothing was proposed that could be changed/],
    ['doubt', undefined, { edits: [] }, /nothing was proposed that could be changed/],
    ['information', '/payload/nowhere', { value: 1 }, /"\/target\/part": there is nothing at/],
    [
      'plan',
      undefined,
      { value: plan(), annotations: [{ part: '/payload/9', text: '?' }] },
      /\/content\/annotations\/0\/part/,
    ],
  ] as const)(
    'leaves its question open and explains why: %s, %j by %j',
    async (kind, part, content, reason) => {
      const scenario = await asked(kind);
      const records = (await scenario.orchestrator.ledger(scenario.taskId)).length;
      const edit = sendFeedback(scenario, 'edit', { content, ...(part !== undefined && { part }) });
      await expect(edit).rejects.toMatchObject({
        code: 'feedback_refused',
        details: {
          taskId: scenario.taskId,
          question: scenario.open.question.id,
          reason: expect.stringMatching(reason),
        },
      });
      expect(await scenario.orchestrator.inbox()).toEqual([scenario.open]);
      expect(await scenario.orchestrator.ledger(scenario.taskId)).toHaveLength(records);
    },
  );
});

const pointers = fc
  .array(
    fc.constantFrom('payload', 'n', 'upThought', 'confidence', 'calls', '0', '-', '__proto__', 'constructor'),
    {
      maxLength: 3,
    },
  )
  .map((tokens) => tokens.map((token) => `/${token}`).join(''));
const values = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant({ n: 2 }));
const changes = fc.oneof(
  fc.record({ value: values }),
  fc.record({ diff: fc.dictionary(fc.constantFrom('payload', 'n', 'x'), values, { noNullPrototype: true }) }),
  fc.record({
    diff: fc.array(
      fc.oneof(
        fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointers, value: values }),
        fc.record({ op: fc.constantFrom('move', 'copy'), path: pointers, from: pointers }),
      ),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    edits: fc.array(fc.record({ part: pointers, offset: fc.nat(5), length: fc.nat(5), text: fc.string() }), {
      maxLength: 2,
    }),
  }),
);

describe('A random edit', () => {
  it('either answers its question or leaves it unchanged', async () => {
    const seen = { answered: 0, refused: 0 };
    let scenario = await asked('draft');
    await fc.assert(
      fc.asyncProperty(fc.option(pointers, { nil: '' }), changes, async (part, content) => {
        try {
          await sendFeedback(scenario, 'edit', { part, content });
        } catch (error) {
          expect(error).toMatchObject({
            code: expect.stringMatching(/^(?:feedback_refused|input_unreadable)$/),
          });
          seen.refused += 1;
          expect(await scenario.orchestrator.inbox()).toEqual([scenario.open]);
          return;
        }
        seen.answered += 1;
        expect(await scenario.ended(scenario.taskId)).toMatchObject({ outcome: 'success' });
        scenario = await asked('draft');
      }),
      runs(300),
    );
    expect(seen.answered).toBeGreaterThan(5);
    expect(seen.refused).toBeGreaterThan(50);
  });
});

describe('A ranking of alternatives', () => {
  const alternatives = [
    { id: 'a', ...plan([call('read', { of: 'a' })]) },
    { id: 'b', ...plan([call('read', { of: 'b' })]) },
  ];
  const choosing = () =>
    scene({ model: [plan([], { ...unsure, alternatives }), draft()], tools: [readTool('read')] });

  it('replaces the plan with the alternative that it names first', async () => {
    const scenario = choosing();
    const taskId = await scenario.submit();
    await scenario.answer('rank', ['b', 'a']);
    await scenario.ended(taskId);
    expect(scenario.invocations.map(({ arguments: input }) => input)).toEqual([{ of: 'b' }]);
  });

  it.each([[['c']], [['a', 'a']], [['a', 'c']], [[plan([call('read', { of: 'z' })])]]])(
    'is rejected when it names an unknown alternative, or one twice: %j',
    async (ranking) => {
      const scenario = choosing();
      await scenario.submit();
      await expect(scenario.answer('rank', ranking)).rejects.toMatchObject({ code: 'feedback_refused' });
      expect(await scenario.orchestrator.inbox()).toHaveLength(1);
    },
  );
});

describe('Feedback that does not answer a question', () => {
  it.each(['comment', 'instruction'] as const)(
    '%s: reaches the model whole, with its subject',
    async (type) => {
      const scenario = await asked('plan');
      const said = {
        part: '/payload/calls/0',
        content: { text: 'why?', annotations: [{ part: '/tool', offset: 0, length: 4, text: 'this one' }] },
        metadata: { severity: 'high', priority: 2 },
      };
      await sendFeedback(scenario, type, said);
      if (type === 'comment') await scenario.answer('approve');
      const { part, ...rest } = said;
      const target = { messageId: scenario.open.message.messageId, part };
      expect(scenario.turns.at(-1)?.answers[0]).toEqual({
        question: 'plan',
        by: 'dana',
        feedback: { type, target, ...rest },
        message: scenario.open.message,
      });
    },
  );

  it.each([
    { part: '/payload/calls/7' },
    { content: { annotations: [{ part: '/payload/calls/0/tool', offset: 3, length: 9, text: '?' }] } },
  ])('is rejected when its target does not exist: %j', async (said) => {
    const scenario = await asked('plan');
    await expect(sendFeedback(scenario, 'comment', said)).rejects.toMatchObject({ code: 'feedback_refused' });
    await expect(sendFeedback(scenario, 'instruction', { content: 'no', ...said })).rejects.toMatchObject({
      code: 'feedback_refused',
    });
    expect(await scenario.orchestrator.inbox()).toEqual([scenario.open]);
  });
});

describe('The priority and severity of a question', () => {
  it('are the last values given, and the inbox is sorted by them', async () => {
    const scenario = scene({
      ...situations.draft,
      model: ({ asks }) => (asks === 'plan' ? plan() : draft({ n: 1 }, unsure)),
    });
    for (let tasks = 0; tasks < 3; tasks += 1) await scenario.submit();
    const [first, second, third] = await scenario.orchestrator.inbox();
    const comment = (to: typeof first, metadata: Readonly<Record<string, unknown>>) =>
      scenario.orchestrator.respond(
        { type: 'comment', target: to!.message.messageId, metadata },
        { by: 'dana' },
      );
    await comment(second, { priority: 'low', severity: 3 });
    await comment(third, { priority: 'low' });
    await comment(third, { severity: 'minor' });
    await comment(third, { priority: 'high' });
    const inbox = await scenario.orchestrator.inbox();
    expect(inbox).toEqual([
      first,
      { ...second, priority: 'low', severity: 3 },
      { ...third, priority: 'high', severity: 'minor' },
    ]);
    expect(inbox.toSorted(byPriority).map(({ taskId }) => taskId)).toEqual(
      [third, second, first].map((entry) => entry!.taskId),
    );
  });

  it('are dropped when the question is answered', async () => {
    const scenario = await asked('plan');
    await sendFeedback(scenario, 'comment', { metadata: { priority: 9 } });
    await sendFeedback(scenario, 'instruction', { content: 'again', metadata: { priority: 8 } });
    expect(await scenario.orchestrator.inbox()).toEqual([]);
  });
});

describe('An edit of a write that needs a token', () => {
  it('asks for a new approval of the edited write', async () => {
    const scenario = scene({
      model: [plan([call('pay', { amount: 1 })]), draft()],
      tools: [writeTool('pay', { tier: 'write_high_risk' })],
      taskClass: { authorities: ['approval'] },
    });
    await scenario.submit();
    const before = await scenario.question();
    await sendFeedback(scenario, 'edit', {
      part: '/payload/action/arguments',
      content: { diff: { amount: 2 } },
    });
    const after = await scenario.question();
    expect(after.question.about).not.toBe(before.question.about);
    expect(after.message.payload).toMatchObject({ action: { arguments: { amount: 2 } } });
    expect(scenario.invocations).toEqual([]);
  });
});

describe('Feedback', () => {
  it('may have members that a form left undefined, and none that could read otherwise each time', async () => {
    const { orchestrator, open } = await asked('plan');
    const target = open.message.messageId;
    const left = { type: 'approve', target, content: undefined, metadata: undefined } as const;
    const read = Object.defineProperty({ target }, 'type', { enumerable: true, get: () => 'approve' });
    await expect(orchestrator.respond(unreadFeedback(read), { by: 'dana' })).rejects.toMatchObject({
      code: 'input_unreadable',
    });
    await orchestrator.respond(left, { by: 'dana' });
    expect(await orchestrator.inbox()).toEqual([]);
  });
});
