import { describe, expect, it } from 'vitest';
import type { Approvals, InboxEntry, TaskClassDefinition } from '../../../../src/index.ts';
import type { ApprovalClaims } from '../../../../src/base/ports/approvals.ts';
import type { PolicyDecision } from '../../../../src/base/ports/policy.ts';
import { granted, trusting } from './approvals.ts';
import { scene, type Given, type Scene } from './scene.ts';
import { call, draft, plan, writeTool, together } from './scripted.ts';

const second = 1_000;
const high = (name: string) => writeTool(name, { tier: 'write_high_risk' });

const begin = (verify: Approvals['verify'], options: Given['options'] = {}) =>
  scene({
    model: [plan([call('write')]), draft()],
    tools: [high('write')],
    options: { approvals: { verify }, ...options },
  });

const approve = ({ answer }: Scene, approval: string, to?: InboxEntry) =>
  answer('approve', undefined, { approval, ...(to && { to }) });

/** Returns the code of each refused call, in order. */
const refusals = async ({ orchestrator }: Scene, taskId: string) =>
  (await orchestrator.ledger(taskId)).flatMap(({ kind, fact }) =>
    kind === 'fact' && fact?.type === 'call.refused' ? [fact.code] : [],
  );

describe('an approval is checked again when the write begins [UAICP 5.3]', () => {
  it('and does not count under a changed policy; a new one is requested', async () => {
    const policy = { version: 'v1', decide: () => ({ verdict: 'allow', reasons: [] }) as const };
    const one = begin(
      async (token, { policy_version }) => {
        if (token !== policy_version) return { refused: 'APPROVAL_POLICY_MISMATCH', explanation: token };
        policy.version = 'v2';
        return granted('kim');
      },
      { policy },
    );
    const taskId = await one.submit();
    expect((await one.question()).question.approval?.policy_version).toBe('v1');
    await approve(one, 'v1');
    expect(await refusals(one, taskId)).toEqual(['APPROVAL_POLICY_MISMATCH']);
    expect(one.invocations).toEqual([]);
    expect((await one.question()).question.approval?.policy_version).toBe('v2');
  });

  it('against the same claims that it was accepted for', async () => {
    const claimed: ApprovalClaims[] = [];
    const one = begin(async (token, claims, now) => {
      claimed.push({ ...claims });
      return trusting.verify(token, claims, now);
    });
    await one.submit();
    const { approval } = (await one.question()).question;
    await approve(one, 'kim');
    expect(claimed).toEqual([approval, approval]);
    expect(one.invocations).toHaveLength(1);
  });

  it('and the record keeps the requested claims, even when the verifier mutates them', async () => {
    const one = begin(async (token, claims, now) => {
      const grant = await trusting.verify(token, claims, now);
      Reflect.set(claims, 'tool', 'another');
      return grant;
    });
    const taskId = await one.submit();
    await approve(one, 'kim');
    const granted = (await one.orchestrator.ledger(taskId)).find(({ brought }) => brought.approval);
    expect(granted?.brought.approval?.claims.tool).toBe('write');
  });

  it.each([
    ['another approver', granted('lee', { jti: 'one' })],
    ['another name', granted('kim', { jti: 'two' })],
  ])('and does not count when it is now of %s', async (_, other) => {
    const grants = [granted('kim', { jti: 'one' }), other];
    const one = begin(async () => grants.shift() ?? other);
    const taskId = await one.submit();
    await approve(one, 'token');
    expect(await refusals(one, taskId)).toEqual(['APPROVAL_SIGNATURE_WRONG']);
    expect(one.invocations).toEqual([]);
    expect((await one.question()).question.kind).toBe('approval');
  });
});

describe('an approval without a token, given before the policy changed', () => {
  it.each([
    ['counts if the policy still asks for review', 'needs_review', ['write'], []],
    ['counts if the policy allows the write', 'allow', ['write'], []],
    ['does not count if the policy denies the write', 'deny', [], ['POLICY_CHANGED']],
  ] as const)('%s', async (_, verdict, written, refused) => {
    const policy = {
      version: 'v1',
      decide: (): PolicyDecision =>
        policy.version === 'v1' ? { verdict: 'needs_review', reasons: [] } : { verdict, reasons: [] },
    };
    const one = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write')],
      options: { policy },
    });
    const taskId = await one.submit();
    policy.version = 'v2';
    await one.answer('approve');
    expect(one.invocations.map(({ tool }) => tool)).toEqual(written);
    expect(await refusals(one, taskId)).toEqual(refused);
  });
});

/** Accepts tokens that name their approver and their lifetime in seconds. */
const expiring = (): Approvals['verify'] => {
  const ends = new Map<string, number>();
  return async (token, _, now) => {
    const [approver = '', seconds] = token.split(' ');
    const expiresAt = ends.get(token) ?? now + Number(seconds) * second;
    ends.set(token, expiresAt);
    if (expiresAt <= now) return { refused: 'APPROVAL_EXPIRED', explanation: 'it has ended' };
    return granted(approver, { jti: token, expiresAt });
  };
};

/** Two writes: the approval of the first waits for that of the second. */
const waiting = (taskClass: Partial<TaskClassDefinition> = {}) =>
  scene({
    model: [plan([together('first'), together('second')]), draft()],
    tools: [high('first'), high('second')],
    taskClass,
    options: { approvals: { verify: expiring() } },
  });

const openAbout = async ({ orchestrator }: Scene) =>
  (await orchestrator.inbox()).map(({ question }) => question.about);

/** Returns the open question that concerns the same action as an earlier one. */
const openOf = async ({ orchestrator }: Scene, asked: InboxEntry | undefined) => {
  const open = (await orchestrator.inbox()).find(({ question }) => question.about === asked?.question.about);
  expect(open).toBeDefined();
  return open;
};

/** Checks that both approvals of the first write are requested again when one expires. */
const endsWithTheFirst = async (tokens: readonly string[]) => {
  const one = waiting({ approvers: 2 });
  const taskId = await one.submit();
  const [first, other] = await one.orchestrator.inbox();
  for (const token of tokens) await approve(one, token, await openOf(one, first));
  expect(await openAbout(one)).toEqual([other?.question.about]);
  await one.clock.advance(2 * second);
  await approve(one, 'kim 62', await openOf(one, other));
  await approve(one, 'lee 63', await openOf(one, other));
  expect(await openAbout(one)).toEqual([first?.question.about]);
  await approve(one, 'kim 64');
  expect(await openAbout(one)).toEqual([first?.question.about]);
  expect(one.invocations).toEqual([]);
  await approve(one, 'lee 65');
  expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
  expect(one.invocations.map(({ tool }) => tool)).toEqual(['first', 'second']);
  expect(await refusals(one, taskId)).toEqual([]);
};

describe('an approval that is no longer valid is dropped', () => {
  it('after a revocation: another one clears the write once', async () => {
    const seen = new Set<string>();
    const one = begin(async (token, claims, now) => {
      const isRevoked = token === 'kim old' && seen.has(token);
      seen.add(token);
      return isRevoked
        ? { refused: 'APPROVAL_KEY_UNKNOWN', explanation: 'rotated out' }
        : trusting.verify(token, claims, now);
    });
    const taskId = await one.submit();
    await approve(one, 'kim old');
    expect(await refusals(one, taskId)).toEqual(['APPROVAL_KEY_UNKNOWN']);
    await approve(one, 'kim new');
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(one.invocations).toHaveLength(1);
    expect(await refusals(one, taskId)).toHaveLength(1);
  });

  it('after it expired: another one clears the write once', async () => {
    const one = waiting();
    const taskId = await one.submit();
    const [first, other] = await one.orchestrator.inbox();
    await approve(one, 'kim 1', first);
    await one.clock.advance(2 * second);
    await approve(one, 'kim 60', other);
    expect(one.invocations).toEqual([]);
    await approve(one, 'kim 61');
    expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(one.invocations.map(({ tool }) => tool)).toEqual(['first', 'second']);
    expect(await refusals(one, taskId)).toEqual([]);
  });

  it('with the approvals of the others: all are requested again when the first expires', async () => {
    await endsWithTheFirst(['kim 1', 'lee 60']);
  });

  it('in any order of arrival', async () => {
    await endsWithTheFirst(['lee 60', 'kim 1']);
  });
});
