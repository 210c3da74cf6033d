import { noAnswer } from 'agentcharter/testing';
import { describe, expect, it } from 'vitest';
import { answersFor, planOf, refunds, request, tools } from './charter.ts';

/** Returns the message of the error of a step. */
const messageOf = async (step: () => unknown): Promise<string> => {
  try {
    await step();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return expect.fail('nothing failed');
};

const firstLine = async (step: () => unknown) => (await messageOf(step)).split('\n')[0];

const lost = (): never => {
  throw new Error('the connection was lost');
};

const asked = async () => refunds.given(answersFor(18_000)).when(request);

describe('a scenario', () => {
  it('asks Dana before a refund, and delivers after she approves', async () => {
    const run = await asked();
    const { question } = run.expectQuestion({ kind: 'approval', tool: 'refund' });
    expect(question.accepts).toContain('approve');
    run.expectNotCalled('refund');
    await run.respond({ type: 'approve' }, { by: 'dana' });
    run.expectCalled('refund', { order: 'o-7', cents: 18_000 });
    expect(run.expectDelivered({ refunded: 18_000 }).refunded).toBe(18_000);
  });

  it('refuses what the policy denies, and what the verifier fails', async () => {
    const denied = await refunds
      .given({ ...answersFor(60_000), tools: { 'order.find': { cents: 90_000 } } })
      .when(request);
    denied.expectRefused('POLICY_BLOCKED', 'refund');
    denied.expectNotCalled('refund');
    const failed = await refunds.given(answersFor(20_000)).when(request);
    failed.expectRefused('VERIFICATION_FAILED', 'amount');
    failed.expectRefused();
  });

  it('refuses the answer of someone else, and keeps the question open', async () => {
    const run = await asked();
    const refusal = await run.expectResponseRefused({ type: 'approve' }, { by: 'eve' }, 'identity_refused');
    expect(refusal.code).toBe('identity_refused');
    run.expectQuestion({ tool: 'refund' });
    expect(run.thread).toContain('eve is refused (approve): this person may not answer');
  });

  it('passes deadlines without waiting for them', async () => {
    const run = await asked();
    await run.passTime('6 days');
    run.expectQuestion();
    await run.passTime('1 day');
    run.expectRefused('QUESTION_EXPIRED');
  });

  it('begins at the time that is given, and waits for an answer that does not come', async () => {
    const run = await refunds.given({ model: [noAnswer], now: '2031-02-03T04:05:06Z' }).when(request);
    await run.passTime(119_999);
    expect(run.thread).not.toContain('did not answer in time');
    await run.passTime(1);
    run.expectRefused('MODEL_UNAVAILABLE');
    const [opened] = await run.orchestrator.ledger(run.taskId);
    expect(opened?.timestamp).toBe('2031-02-03T04:05:06.000Z');
  });

  it('rolls back by its own answers, and looks effects up by them', async () => {
    const run = await refunds
      .given({
        model: [planOf(18_000), { payload: { refunded: 1 }, canProceed: false }],
        tools: { ...tools, refund: lost },
        lookups: { refund: { found: 'done' } },
      })
      .when(request);
    await run.respond({ type: 'approve' }, { by: 'dana' });
    run.expectQuestion({ kind: 'draft' });
    await run.orchestrator.cancel(run.taskId, { by: 'dana' });
    await run.passTime(0);
    run.expectRolledBack('refund');
    run.expectRefused('CANCELLED');
  });

  it('answers the tasks within a task by their class', async () => {
    const run = await refunds
      .given({
        model: {
          complaint: [
            { calls: [{ tool: 'research', arguments: { question: 'why?' } }] },
            { payload: { answer: 'it broke' } },
          ],
          research: [
            { calls: [{ tool: 'order.find', arguments: { order: 'o-7' } }] },
            ({ evidence }) => ({
              canProceed: true,
              confidence: 0.9,
              explanation: '',
              payload: { found: String(evidence.length) },
            }),
          ],
        },
        tools: { 'order.find': ({ order }) => ({ order }) },
      })
      .when({ taskClass: 'complaint', payload: { text: 'It broke.' } });
    run.expectDelivered({ answer: 'it broke' });
    run.expectCalled('order.find', { order: 'o-7' });
    expect(run.thread).toContain("within it, order.find succeeds: { order: 'o-7' }");
    expect(run.thread).toContain('Task … of class research does this.');
  });

  it('is the same each time, in words without identifiers', async () => {
    const threads = await Promise.all(
      [1, 2].map(async () => {
        const run = await asked();
        await run.respond({ type: 'approve' }, { by: 'dana' });
        return run.thread;
      }),
    );
    expect(new Set(threads).size).toBe(1);
    expect(threads[0]).not.toMatch(/sha256|[0-9a-f]{8}-|[0-9a-f]{32}/);
    expect(threads[0]).toMatchInlineSnapshot(`
      "  1. agent asks for refunds: { order: 'o-7' }
        2. the request is accepted
        3. the model plans order.find({ order: 'o-7' }), refund({ order: 'o-7', cents: 18000 })
        4. order.find begins
        5. order.find succeeds: { cents: 18000 }
        6. the verifier amount passes refund
        7. the policy allows refund: at most 500 EUR
        8. a person is asked about refund: Call refund with order "o-7", cents 18000.
        9. dana approves refund
       10. the clearance of refund still holds
       11. refund begins
       12. refund succeeds: { ok: true }
       13. the model drafts the answer: { refunded: 18000 }
       14. the task delivers { refunded: 18000 }"
    `);
  });

  it('refuses a request that the task class does not accept', async () => {
    const run = await refunds.given({ model: [] }).when({ taskClass: 'complaint', payload: {} });
    run.expectRefused('INPUT_REQUIRED');
  });
});

describe('a scenario that fails', () => {
  it('names the reasons of a task that ended for another one', async () => {
    const run = await refunds.given(answersFor(20_000)).when(request);
    expect(await messageOf(() => run.expectRefused('POLICY_BLOCKED'))).toMatch(
      /^Instead, the task ended as failed \(VERIFICATION_FAILED\): .*[^.]\.$/m,
    );
  });

  it('says what was expected, what happened instead, and how it came to that', async () => {
    const run = await asked();
    expect(await messageOf(() => run.expectDelivered())).toMatchInlineSnapshot(`
      "Expected the answer to be delivered.
      Instead, a question (approval) about refund is open.

      What happened:
        1. agent asks for refunds: { order: 'o-7' }
        2. the request is accepted
        3. the model plans order.find({ order: 'o-7' }), refund({ order: 'o-7', cents: 18000 })
        4. order.find begins
        5. order.find succeeds: { cents: 18000 }
        6. the verifier amount passes refund
        7. the policy allows refund: at most 500 EUR
        8. a person is asked about refund: Call refund with order "o-7", cents 18000."
    `);
  });

  it('refuses an expectation about a tool that the charter does not have', async () => {
    const run = await asked();
    const misspelt = 'refnd' as 'refund';
    for (const expectation of [
      () => run.expectCalled(misspelt),
      () => run.expectNotCalled(misspelt),
      () => run.expectRolledBack(misspelt),
    ])
      expect(await firstLine(expectation)).toBe('the tool "refnd" is unknown. Did you mean "refund"?');
  });

  it('names what each expectation expected', async () => {
    const run = await asked();
    expect(await firstLine(() => run.expectQuestion({ kind: 'plan' }))).toBe('Expected a question (plan).');
    expect(await firstLine(() => run.expectQuestion({ tool: 'order.find' }))).toBe(
      'Expected a question about order.find.',
    );
    expect(await firstLine(() => run.expectRefused('POLICY_BLOCKED', 'refund'))).toBe(
      'Expected the task to end without an answer because of POLICY_BLOCKED refund.',
    );
    expect(await firstLine(() => run.expectCalled('refund'))).toBe('Expected refund to be called.');
    expect(await firstLine(() => run.expectCalled('order.find', { order: 'o-8' }))).toBe(
      "Expected order.find({ order: 'o-8' }) to be called.",
    );
    expect(await firstLine(() => run.expectNotCalled('order.find'))).toBe(
      'Expected order.find not to be called.',
    );
    expect(await firstLine(() => run.expectRolledBack('refund'))).toBe('Expected refund to be rolled back.');
    expect(await firstLine(() => run.respond({ type: 'approve' }, { by: 'eve' }))).toBe(
      'Expected the answer of eve to be accepted.',
    );
    expect(
      await firstLine(() =>
        run.expectResponseRefused({ type: 'rank', content: [] }, { by: 'dana' }, 'closed'),
      ),
    ).toBe('Expected the answer of dana to be refused with closed, and the code was feedback_refused.');
    expect(
      await firstLine(() => run.respond({ type: 'approve' }, { by: 'dana', question: { kind: 'tool' } })),
    ).toBe('Expected a question (tool) for dana to answer.');
    expect(await firstLine(() => run.expectResponseRefused({ type: 'reject' }, { by: 'dana' }))).toBe(
      'Expected the answer of dana to be refused.',
    );
    expect(await firstLine(() => run.expectDelivered({ refunded: 1 }))).toBe(
      'Expected { refunded: 1 } to be delivered.',
    );
  });

  it('names the answer that is missing, and what is near to a misspelt one', async () => {
    const { model } = answersFor(18_000);
    const noTool = refunds.given({ model, tools: {} });
    expect(await messageOf(() => noTool.when(request))).toMatch(
      /^The scenario gives no answer for the tool order\.find, called with { order: 'o-7' }\.\n\nWhat happened:\n {2}1\. /,
    );
    const noModel = refunds.given({ model: [planOf(18_000)], tools });
    const run = await noModel.when(request);
    expect(await messageOf(() => run.respond({ type: 'reject' }, { by: 'dana' }))).toMatch(
      /^The scenario gives no more answers of the model: after 1, it is asked for a draft of refunds\./,
    );
    const misspelt: object = { refnd: 1 };
    expect(await messageOf(() => refunds.given({ model, tools: misspelt }))).toBe(
      'given: the tool "refnd" is unknown. Did you mean "refund"?',
    );
    const noClass: object = { refund: [] };
    expect(await messageOf(() => refunds.given({ model: noClass }))).toBe(
      'given: the task class "refund" is unknown. Did you mean "refunds"?',
    );
  });

  it('names an answer of the model that is of another kind, and why the model is asked again', async () => {
    const draft = { payload: { refunded: 1 } };
    expect(await messageOf(() => refunds.given({ model: [draft] }).when(request))).toMatch(
      /^The model is asked for a plan, and its next answer is a draft \(number 1\)\./,
    );
    const repaired = refunds.given({
      model: {
        complaint: [
          { calls: [{ tool: 'research', arguments: { question: '' } }] },
          { payload: { answer: '' } },
        ],
        research: [{ calls: [{ tool: 'order.find', arguments: { order: '' } }] }],
      },
      tools: { 'order.find': lost },
    });
    expect(await messageOf(() => repaired.when({ taskClass: 'complaint', payload: { text: '' } }))).toMatch(
      /after 1, it is asked for a plan of research, in attempt 2 because of TOOL_FAILED\.\n/,
    );
  });

  it('shows the line of the test first in its stack', async () => {
    const run = await asked();
    const error: unknown = await (async () => run.expectDelivered())().catch((thrown: unknown) => thrown);
    expect(error).toHaveProperty('name', 'AssertionError');
    const [frame] = /^ +at .*$/m.exec((error as Error).stack ?? '') ?? []; // it was just thrown
    expect(frame).toContain('scenario.test.ts');
  });

  it('refuses a duration that is none', async () => {
    const run = await asked();
    for (const duration of ['2 moons', '-1 days', 'soon'])
      await expect(run.passTime(duration as '2 days')).rejects.toThrow('expected milliseconds'); // plain JavaScript
  });
});
