import { describe, expect, it } from 'vitest';
import type { Approvals, TaskClassDefinition } from '../../../../src/index.ts';
import { granted, trusting } from './approvals.ts';
import { scene } from './scene.ts';
import { call, draft, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';
import { asked } from './situations.ts';

const highRisk = (approvals?: Approvals, taskClass: Partial<TaskClassDefinition> = {}) =>
  scene({
    model: [plan([call('write')]), draft()],
    tools: [writeTool('write', { tier: 'write_high_risk' })],
    taskClass,
    ...(approvals && { options: { approvals } }),
  });

const refusing = (verify: Approvals['verify']): Approvals => ({ verify });

it('clears a high-risk write in the approver’s name and adds approval evidence for that write only', async () => {
  const { submit, answer, ended, invocations, orchestrator } = highRisk(trusting);
  const taskId = await submit();
  expect(invocations).toEqual([]);
  await answer('approve', undefined, { approval: 'kim' });
  expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
  const grant = (await orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'approval.granted');
  expect(grant?.actor).toEqual({ kind: 'human', id: 'kim' });
  const documents = await orchestrator.documents(taskId);
  const evidence = documents.flatMap(({ name, document }) => (name === 'EvidenceObject' ? [document] : []));
  expect(evidence.map(({ evidence_type, source }) => [evidence_type, source])).toEqual([
    ['approval_token', 'kim'],
    ['tool_result', 'write'],
  ]);
});

it('carries the claims to sign and the details that the approver sees', async () => {
  const { submit, question } = highRisk(trusting);
  await submit();
  const { question: open, message } = await question();
  const { action, tier, evidence } = message.payload;
  expect(open.approval).toMatchObject({ tool: 'write', tool_version: '1', tier: 'write_high_risk' });
  expect(open.approval?.action_digest).toBe(open.about);
  expect({ action, tier, evidence }).toMatchObject({
    action: { tool: 'write' },
    tier: 'write_high_risk',
    evidence: [],
  });
});

describe('an approval token [UAICP 5.3, CHART 8]', () => {
  it.each([
    [
      'without approvals configured',
      undefined,
      'approve',
      'APPROVAL_KEY_UNKNOWN',
      /no approvals are configured/,
    ],
    [
      'that is refused',
      refusing(async () => ({ refused: 'APPROVAL_EXPIRED', explanation: 'it has expired' })),
      'approve',
      'APPROVAL_EXPIRED',
      /it has expired/,
    ],
    [
      'that cannot be verified',
      refusing(() => Promise.reject(new Error('token xyz'))),
      'approve',
      'GUARD_ERROR',
      /could not be verified/,
    ],
    [
      'with an unreadable verification result',
      refusing(async () => ({ ...granted('kim'), expiresAt: Number.NaN })),
      'approve',
      'GUARD_ERROR',
      /could not be verified/,
    ],
    [
      'of the requesting agent',
      refusing(async () => granted('recommender')),
      'approve',
      'APPROVER_IS_REQUESTER',
      /the requesting agent/,
    ],
    ['beside a rejection', trusting, 'reject', null, /a token goes with approve/],
    ['beside a comment', trusting, 'comment', null, /a token goes with approve/],
  ] as const)('%s is rejected and the question stays open', async (_, approvals, type, code, reason) => {
    const { submit, answer, invocations, orchestrator } = highRisk(approvals);
    const taskId = await submit();
    const error: unknown = await answer(type, undefined, { approval: 'xyz' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'feedback_refused', details: { code } });
    expect(String(error)).toMatch(reason);
    expect(String(error)).not.toContain('xyz');
    expect(invocations).toEqual([]);
    expect(await orchestrator.inbox()).toHaveLength(1);
    const refusals = (await orchestrator.ledger(taskId)).filter(({ kind }) => kind === 'refusal');
    expect(refusals.map((record) => record.code)).toEqual(code === null ? [] : [code]);
  });

  it('is rejected when verification takes too long', async () => {
    const { submit, answer, clock, invocations } = highRisk(refusing(() => new Promise(() => {})));
    await submit();
    const answered = answer('approve', undefined, { approval: 'kim' }).catch((thrown: unknown) => thrown);
    await settle();
    await clock.advance(11_000);
    expect(await answered).toMatchObject({ details: { code: 'GUARD_ERROR' } });
    expect(invocations).toEqual([]);
  });

  it('is accepted only for an approval question', async () => {
    const { orchestrator, open } = await asked('plan');
    await expect(
      orchestrator.respond(
        { type: 'approve', target: open.message.messageId },
        { by: 'dana', approval: 'token' },
      ),
    ).rejects.toThrow(/asks for no approval/);
  });

  it('is required for a high-risk write; a plain approve does not clear it', async () => {
    const { submit, answer, invocations, question, orchestrator } = highRisk(trusting);
    const taskId = await submit();
    expect((await question()).question).toMatchObject({
      needsToken: true,
      accepts: expect.arrayContaining(['approve']),
    });
    await expect(answer('approve')).rejects.toMatchObject({
      code: 'feedback_refused',
      details: { code: 'APPROVAL_REQUIRED' },
      message: expect.stringMatching(
        /takes signed approvals only: send one as `approval`, or list "human" in its `authorities`; it accepts/,
      ),
    });
    await settle();
    expect(invocations).toEqual([]);
    expect((await orchestrator.ledger(taskId)).at(-1)).toMatchObject({
      kind: 'refusal',
      code: 'APPROVAL_REQUIRED',
    });
  });

  it('counts once when it arrives twice at the same time', async () => {
    const { submit, question, orchestrator, facts, invocations } = highRisk(trusting);
    const taskId = await submit();
    const target = (await question()).message.messageId;
    const approve = () =>
      orchestrator.respond({ type: 'approve', target }, { by: 'dana', approval: 'kim approval-0' });
    const results = await Promise.allSettled([approve(), approve()]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'feedback_refused', details: { code: expect.stringMatching(/^APPROV/) } },
    });
    await settle();
    expect((await facts(taskId)).filter((type) => type === 'approval.granted')).toHaveLength(1);
    expect(invocations).toHaveLength(1);
  });
});

describe('an approval when the write begins [UAICP 5.3]', () => {
  it('is verified again and asked for again when it is revoked', async () => {
    let isRevoked = false;
    const { submit, answer, invocations, orchestrator } = highRisk({
      verify: async (token, claims, now) => {
        const answer = isRevoked
          ? ({ refused: 'APPROVAL_KEY_UNKNOWN', explanation: 'rotated out' } as const)
          : await trusting.verify(token, claims, now);
        isRevoked = true;
        return answer;
      },
    });
    const taskId = await submit();
    await answer('approve', undefined, { approval: 'kim' });
    expect(invocations).toEqual([]);
    const records = await orchestrator.ledger(taskId);
    expect(records.find(({ fact }) => fact?.type === 'call.refused')).toMatchObject({
      fact: { code: 'APPROVAL_KEY_UNKNOWN' },
      outcome: 'failure',
    });
    expect(await orchestrator.inbox()).toHaveLength(1);
  });

  it('is asked for again when it expired before the write began', async () => {
    const one = scene({
      model: [plan([call('first'), call('second', { amount: 1 })]), draft()],
      tools: [
        writeTool('first', { tier: 'write_high_risk' }),
        writeTool('second', { tier: 'write_high_risk' }),
      ],
      options: {
        approvals: { verify: async (token, _, now) => granted(token, { expiresAt: now + 1_000 }) },
      },
    });
    await one.submit();
    const [first, second] = await one.orchestrator.inbox();
    await one.answer('approve', undefined, { to: first!, approval: 'kim' });
    await one.clock.advance(2_000);
    await one.answer('approve', undefined, { to: second!, approval: 'kim' });
    expect(one.invocations).toEqual([]);
    expect((await one.orchestrator.inbox()).map(({ question }) => question.about)).toEqual([
      first!.question.about,
    ]);
  });

  it('blocks the write when another action already used its id', async () => {
    const { submit, answer, invocations, orchestrator } = scene({
      model: ({ asks }: { asks: string }) => (asks === 'plan' ? plan([call('write')]) : draft()),
      tools: [writeTool('write', { tier: 'write_high_risk' })],
      options: { approvals: trusting },
    });
    await submit();
    await answer('approve', undefined, { approval: 'kim approval-x' });
    expect(invocations).toHaveLength(1);
    const second = await submit();
    await answer('approve', undefined, { approval: 'kim approval-x' });
    expect(invocations).toHaveLength(1);
    const refused = (await orchestrator.ledger(second)).find(({ fact }) => fact?.type === 'call.refused');
    expect(refused?.fact).toMatchObject({ code: 'APPROVAL_SPENT' });
    expect((await orchestrator.inbox()).map(({ taskId }) => taskId)).toEqual([second]);
  });
});

it('says who closed the question, when a second token comes after the write', async () => {
  const one = highRisk(trusting);
  const taskId = await one.submit();
  const [open] = await one.orchestrator.inbox();
  const approve = (token: string) =>
    one.orchestrator.respond(
      { type: 'approve', target: open?.message.messageId ?? '' },
      { by: 'kim', approval: token },
    );
  await approve('kim');
  await one.ended(taskId);
  expect(one.invocations).toHaveLength(1);
  await expect(approve('kim second-token')).rejects.toMatchObject({
    code: 'feedback_refused',
    message: expect.stringMatching(
      /^the approval question about tool "write" is closed: kim answered it at [^ ]+: approve; `inbox` lists/,
    ),
    details: { code: 'APPROVER_REPEATED', accepts: [] },
  });
});

describe('two required approvers [UAICP 5.3]', () => {
  it('clear a high-risk write only when they are different people', async () => {
    const one = highRisk(trusting, { approvers: 2 });
    const taskId = await one.submit();
    await one.answer('approve', undefined, { approval: 'kim' });
    expect(one.invocations).toEqual([]);
    await expect(one.answer('approve', undefined, { approval: 'kim second-token' })).rejects.toMatchObject({
      details: { code: 'APPROVER_REPEATED' },
    });
    expect(one.invocations).toEqual([]);
    await one.answer('approve', undefined, { approval: 'lee' });
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(one.invocations).toHaveLength(1);
  });

  it('count one token once, whoever presents it', async () => {
    const one = highRisk(trusting, { approvers: 2 });
    await one.submit();
    await one.answer('approve', undefined, { approval: 'kim approval-y' });
    await expect(one.answer('approve', undefined, { approval: 'lee approval-y' })).rejects.toMatchObject({
      details: { code: 'APPROVAL_SPENT' },
    });
    expect(one.invocations).toEqual([]);
  });

  it('may approve without a token if the task class allows it, but never the requesting agent', async () => {
    const one = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { tier: 'write_high_risk' })],
      taskClass: { approvers: 2, authorities: ['human'] },
      options: { mayRespond: () => true },
    });
    const taskId = await one.submit();
    await expect(one.answer('approve', undefined, { by: 'recommender' })).rejects.toMatchObject({
      details: { code: 'APPROVER_IS_REQUESTER' },
    });
    await one.answer('approve', undefined, { by: 'dana' });
    await expect(one.answer('approve', undefined, { by: 'dana' })).rejects.toMatchObject({
      details: { code: 'APPROVER_REPEATED' },
    });
    await one.answer('approve', undefined, { by: 'kim' });
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
  });
});

const allowed = (taskClass: Partial<TaskClassDefinition>) =>
  scene({
    model: [plan([call('write')]), draft()],
    tools: [writeTool('write', { tier: 'write_high_risk' })],
    policy: () => ({ verdict: 'allow', reasons: ['below the limit'], authority: 'treasury' }),
    taskClass,
  });

describe('a policy as an approving authority [UAICP 5.3]', () => {
  it('approves when the task class allows it, and the ledger records it', async () => {
    const one = allowed({ authorities: ['system'] });
    const taskId = await one.submit();
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
    const grant = (await one.orchestrator.ledger(taskId)).find(
      ({ fact }) => fact?.type === 'approval.granted',
    );
    expect(grant).toMatchObject({
      actor: { kind: 'system', id: 'treasury' },
      brought: { reasons: ['below the limit'] },
    });
  });

  it('does not approve when the task class does not allow it', async () => {
    const one = allowed({});
    await one.submit();
    expect(one.invocations).toEqual([]);
    expect((await one.question()).question.kind).toBe('approval');
  });
});

describe('mayRespond', () => {
  it('receives the approver as well as the person who presents the token', async () => {
    const one = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { tier: 'write_high_risk' })],
      options: { approvals: trusting, mayRespond: (identity) => identity === 'cfo' },
    });
    const taskId = await one.submit();
    await expect(one.answer('approve', undefined, { by: 'cfo', approval: 'mallory' })).rejects.toMatchObject({
      code: 'identity_refused',
      details: { identity: 'mallory' },
    });
    await expect(one.answer('approve', undefined, { by: 'mallory', approval: 'cfo' })).rejects.toMatchObject({
      code: 'identity_refused',
    });
    expect(one.invocations).toEqual([]);
    const refusals = (await one.orchestrator.ledger(taskId)).filter(({ kind }) => kind === 'refusal');
    expect(refusals.map(({ code, actor }) => [code, actor.id])).toEqual([
      ['IDENTITY_INVALID', 'mallory'],
      ['IDENTITY_INVALID', 'mallory'],
    ]);
    await one.answer('approve', undefined, { by: 'cfo', approval: 'cfo' });
    expect(one.invocations).toHaveLength(1);
  });

  it('rejects the requesting agent even when a policy names it as an authority', async () => {
    const one = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { tier: 'write_high_risk' })],
      policy: () => ({ verdict: 'allow', reasons: [], authority: 'recommender' }),
      taskClass: { authorities: ['system'] },
    });
    const taskId = await one.submit();
    expect(one.invocations).toEqual([]);
    const codes = (await one.orchestrator.ledger(taskId)).map(({ code }) => code);
    expect(codes).toContain('APPROVER_IS_REQUESTER');
  });
});

it('records the losing approval of a race with its code and without its token', async () => {
  const one = highRisk(trusting);
  const taskId = await one.submit();
  const target = (await one.question()).message.messageId;
  const approve = () =>
    one.orchestrator.respond({ type: 'approve', target }, { by: 'dana', approval: 'kim same' });
  await Promise.allSettled([approve(), approve()]);
  await settle();
  const refusal = (await one.orchestrator.ledger(taskId)).find(({ kind }) => kind === 'refusal');
  expect(refusal?.code).toBe('APPROVAL_SPENT');
  expect(JSON.stringify(refusal)).not.toContain('kim same');
});

it('keeps an approval for the same action in another plan, so a retry needs no new token', async () => {
  let times = 0;
  const one = scene({
    model: ({ asks }: { asks: string }) => (asks === 'plan' ? plan([call('write')]) : draft()),
    tools: [
      writeTool('write', {
        tier: 'write_high_risk',
        call: (_, { notDone }) => ((times += 1) === 1 ? notDone('busy') : { written: true }),
      }),
    ],
    options: { approvals: trusting },
  });
  const taskId = await one.submit();
  await one.answer('approve', undefined, { approval: 'kim same' });
  expect((await one.question()).question.kind).toBe('approval');
  await one.answer('approve', undefined, { approval: 'kim same' });
  expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
  expect(times).toBe(2);
});
