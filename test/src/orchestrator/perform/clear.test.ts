import { describe, expect, it } from 'vitest';
import type { ReasonCode } from '../../../../schema/index.ts';
import { defineVerifier, type VerificationSubject } from '../../../../src/index.ts';
import { fails, passes, scene, type Given } from '../scene.ts';
import { call, draft, later, never, plan, readTool, writeTool } from '../scripted.ts';
import { settle } from '../simulated-clock.ts';

const minute = 60_000;
const passed = { check_id: 'a', result: 'pass' } as const;
const breaks = () => {
  throw new Error('connection reset');
};

describe('before a write [CHART 4, UAICP 5.3, 7]', () => {
  it('come the reads, then the verifiers, then the policy, then a person, and then the write', async () => {
    const order: string[] = [];
    const told = scene({
      model: [plan([call('write'), call('read')]), draft()],
      tools: [
        readTool('read', { call: () => order.push('read') }),
        writeTool('write', { call: () => order.push('write') }),
      ],
      verifiers: {
        mails: (subject) => {
          order.push(`verifier: ${subject.kind}, ${subject.evidence.length} evidence`);
          return passes(subject, new AbortController().signal);
        },
      },
      policy: ({ evidence }) => {
        order.push(`policy: ${evidence.length} evidence`);
        return { verdict: 'needs_review', reasons: ['large'] };
      },
      taskClass: { beforeWrite: { evidence: [{ type: 'tool_result' }], verifiers: ['mails'] } },
    });
    const taskId = await told.submit();
    order.push('a person');
    await told.answer('approve');
    await told.ended(taskId);
    expect(order).toEqual([
      'read',
      'verifier: action, 1 evidence',
      'policy: 1 evidence',
      'a person',
      'policy: 1 evidence', // once more, where the write begins
      'write',
    ]);
  });

  it('a verifier that does not pass keeps it from happening', async () => {
    const told = scene({
      model: [plan([call('write')])],
      tools: [writeTool('write')],
      verifiers: { mails: fails },
      taskClass: { beforeWrite: { verifiers: ['mails'] }, limits: { repairs: 0 } },
    });
    const settled = await told.ended(await told.submit());
    expect(settled).toMatchObject({ outcome: 'uncertain', reasons: [{ code: 'VERIFICATION_FAILED' }] });
    expect(told.invocations).toEqual([]);
    expect(told.asked).toEqual([]);
  });

  it('the policy sees the action as it would be made, its tier and its way back', async () => {
    const told = scene({
      model: [plan([call('write', { amount: 7 })]), draft()],
      tools: [writeTool('write')],
    });
    await told.submit();
    expect(told.asked.slice(0, 1)).toMatchObject([
      {
        action: 'write',
        arguments: { amount: 7 },
        tier: 'write_low_risk',
        rollback: { type: 'inverse', target: 'write' },
        identity: { agent_id: 'recommender' },
        taskClass: 'work',
      },
    ]);
  });

  it('a high-risk write without a declared way back is no tool of an orchestrator', () => {
    const tools = [{ ...writeTool('write', { tier: 'write_high_risk' }), rollback: null }];
    expect(() => scene({ tools })).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        message: expect.stringContaining('/tools/write/rollback expected a rollback'),
      }),
    );
  });
});

describe('a policy [UAICP 5.3]', () => {
  const write: Given = {
    model: [plan([call('write')]), draft()],
    tools: [writeTool('write')],
  };

  it('that denies ends the run: the invariant is unmet, so the outcome is uncertain', async () => {
    const told = scene({ ...write, policy: 'deny' });
    const { outcome, reasons, message } = await told.ended(await told.submit());
    expect({ outcome, code: reasons[0]?.code }).toEqual({ outcome: 'uncertain', code: 'POLICY_BLOCKED' });
    expect(message).toMatchObject({ state: 'failed', payload: { reasonCodes: ['POLICY_BLOCKED'] } });
    expect(told.invocations).toEqual([]);
  });

  it('that nobody configured denies', async () => {
    const told = scene({ ...write, policy: null });
    expect(await told.ended(await told.submit())).toMatchObject({ reasons: [{ code: 'POLICY_BLOCKED' }] });
  });

  it.each<[string, NonNullable<Given['policy']>]>([
    ['throws', breaks],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['says nothing', () => undefined],
    ['says something else', () => ({ verdict: 'sure', reasons: [] })],
    [
      'says allow to whoever asks first',
      () => ({
        get verdict() {
          return 'allow';
        },
        reasons: [],
      }),
    ],
    ['gives no reasons', () => ({ verdict: 'allow' })],
  ])('that %s has allowed nothing', async (_, policy) => {
    const told = scene({ ...write, policy });
    expect(await told.ended(await told.submit())).toMatchObject({
      outcome: 'uncertain',
      reasons: [{ code: 'POLICY_ERROR' }],
    });
    expect(told.invocations).toEqual([]);
  });

  it('that hangs has allowed nothing at its deadline; what it says then is kept as an orphan', async () => {
    const answer = later();
    const told = scene({ ...write, policy: () => answer.promise });
    const taskId = await told.submit();
    await told.clock.advance(10_000);
    expect(await told.ended(taskId)).toMatchObject({ reasons: [{ code: 'POLICY_UNAVAILABLE' }] });
    answer.resolve({ verdict: 'allow', reasons: [] });
    await settle();
    expect((await told.orchestrator.ledger(taskId)).at(-1)).toMatchObject({ kind: 'orphan' });
    expect(told.invocations).toEqual([]);
  });

  it('is not asked about reads', async () => {
    const told = scene({ model: [plan([call('read')]), draft()], tools: [readTool('read')], policy: 'deny' });
    expect(await told.ended(await told.submit())).toMatchObject({ outcome: 'success' });
    expect(told.asked).toEqual([]);
  });
});

const judged = (mails: NonNullable<Given['verifiers']>[string], more: Partial<Given> = {}): Given => ({
  model: [plan([call('read')]), draft({ n: 1 })],
  tools: [readTool('read')],
  verifiers: { mails },
  taskClass: { beforeDeliver: { verifiers: ['mails'] }, limits: { repairs: 0 } },
  ...more,
});

describe('a verifier [UAICP 5.2]', () => {
  it('judges exactly the draft, with the evidence that stands', async () => {
    let seen: VerificationSubject | undefined;
    const told = scene(
      judged((subject, signal) => {
        seen = subject;
        return passes(subject, signal);
      }),
    );
    const taskId = await told.submit();
    await told.ended(taskId);
    expect(seen).toMatchObject({
      kind: 'draft',
      value: { n: 1 },
      request: { wish: 'a list' },
      evidence: [{ source: 'read' }],
    });
    const report = (await told.orchestrator.documents(taskId)).find(
      ({ name }) => name === 'VerificationReport',
    );
    expect(report?.document).toMatchObject({
      verifier_id: 'mails',
      status: 'pass',
      evidence_ids: [seen?.evidence[0]?.evidence_id],
    });
  });

  it.each<[string, NonNullable<Given['verifiers']>[string], string, ReasonCode | null]>([
    ['fails', fails, 'fail', null],
    ['throws', breaks, 'fail', 'VERIFIER_ERROR'],
    ['rejects', () => Promise.reject(new Error('down')), 'fail', 'VERIFIER_ERROR'],
    ['checks nothing', () => ({ checks: [] }), 'fail', 'REPORT_INVALID'],
    ['skips its only check', () => ({ checks: [{ check_id: 'a', result: 'skip' }] }), 'partial', null],
    [
      'skips one check',
      () => ({
        checks: [
          { check_id: 'a', result: 'pass' },
          { check_id: 'b', result: 'skip' },
        ],
      }),
      'partial',
      null,
    ],
    [
      'says pass beside a fail',
      () => ({
        status: 'pass',
        checks: [
          { check_id: 'a', result: 'pass' },
          { check_id: 'b', result: 'fail' },
        ],
      }),
      'fail',
      'REPORT_CONTRADICTORY',
    ],
    ['says only pass', () => ({ status: 'pass' }) as never, 'fail', 'REPORT_INVALID'],
    ['says nothing', () => undefined as never, 'fail', 'REPORT_INVALID'],
    [
      'reports for another request',
      () => ({ request_id: '00000000-0000-4000-8000-0000000000ff', checks: [passed] }),
      'fail',
      'REPORT_FOREIGN',
    ],
    [
      'reports in the name of another',
      () => ({ verifier_id: 'sums', checks: [passed] }),
      'fail',
      'REPORT_FOREIGN',
    ],
    [
      'names evidence that does not stand',
      () => ({ evidence_ids: ['evidence-of-yesterday'], checks: [passed] }),
      'fail',
      'REPORT_EVIDENCE_MISMATCH',
    ],
    ['names no check', () => ({ checks: [{ check_id: '', result: 'pass' }] }), 'fail', 'REPORT_INVALID'],
    [
      'changes its mind',
      () => ({
        checks: [
          {
            check_id: 'a',
            get result() {
              return 'pass' as const;
            },
          },
        ],
      }),
      'fail',
      'REPORT_INVALID',
    ],
  ])('that %s has not passed, and the reason says so', async (_, mails, status, code) => {
    const told = scene(judged(mails));
    const taskId = await told.submit();
    expect(await told.ended(taskId)).toMatchObject({
      outcome: 'uncertain',
      reasons: [
        { code: 'VERIFICATION_FAILED', about: 'mails' },
        ...(code === null ? [] : [{ code, about: 'mails' }]),
      ],
    });
    const report = (await told.orchestrator.documents(taskId)).find(
      ({ name }) => name === 'VerificationReport',
    );
    expect(report?.document).toMatchObject({ status });
  });

  it('that hangs has not passed at its deadline', async () => {
    const told = scene(judged((_, signal) => never(signal)));
    const taskId = await told.submit();
    await told.clock.advance(minute);
    expect(await told.ended(taskId)).toMatchObject({
      reasons: [{ code: 'VERIFICATION_FAILED' }, { code: 'VERIFIER_TIMEOUT' }],
    });
  });

  it('has a deadline of its own, beside others that have theirs', async () => {
    const quick = defineVerifier({ id: 'quick', deadline: 5_000, verify: (_, { signal }) => never(signal) });
    const told = scene({
      taskClass: { beforeDeliver: { verifiers: ['quick'] }, limits: { repairs: 0 } },
      options: { verifiers: [quick] },
    });
    const taskId = await told.submit();
    await told.clock.advance(5_000);
    expect(await told.ended(taskId)).toMatchObject({
      reasons: [{ code: 'VERIFICATION_FAILED' }, { code: 'VERIFIER_TIMEOUT' }],
    });
  });

  it('runs beside the others', async () => {
    const both = [later(), later()] as const;
    const begun: string[] = [];
    const waits = (id: string, at: 0 | 1) => async () => {
      begun.push(id);
      await both[at].promise;
      return { checks: [passed] };
    };
    const told = scene({
      verifiers: { mails: waits('mails', 0), sums: waits('sums', 1) },
      taskClass: { beforeDeliver: { verifiers: ['mails', 'sums'] } },
    });
    const taskId = await told.submit();
    expect(begun).toEqual(['mails', 'sums']);
    both[1].resolve(null);
    both[0].resolve(null);
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it.each(['plan', 'execute'] as const)(
    'that fails once leads to a counted repair, to %s; committed writes are not made again',
    async (repairTo) => {
      let times = 0;
      const told = scene(
        judged((subject, signal) => ((times += 1) === 1 ? fails : passes)(subject, signal), {
          model: ({ asks }) => (asks === 'plan' ? plan([call('read'), call('write')]) : draft()),
          tools: [readTool('read'), writeTool('write')],
          taskClass: { repairTo, beforeDeliver: { verifiers: ['mails'] }, limits: { repairs: 1 } },
        }),
      );
      const taskId = await told.submit();
      expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
      expect(told.invocations.map(({ tool }) => tool)).toEqual(['read', 'write', 'read']);
      expect(told.undone).toEqual([]);
      expect(told.turns.map(({ asks }) => asks)).toEqual(
        repairTo === 'plan' ? ['plan', 'draft', 'plan', 'draft'] : ['plan', 'draft', 'draft'],
      );
      expect(told.turns.at(-1)?.unmet).toEqual([{ code: 'VERIFICATION_FAILED', about: 'mails' }]);
    },
  );

  it.each(['constructor', '__proto__', 'toString'])('may have the name %s', async (id) => {
    const told = scene({
      verifiers: Object.fromEntries([[id, fails]]),
      taskClass: { beforeDeliver: { verifiers: [id] }, limits: { repairs: 0 } },
    });
    expect(await told.ended(await told.submit())).toMatchObject({
      reasons: [{ code: 'VERIFICATION_FAILED', about: id }],
    });
  });
});

describe('evidence', () => {
  it('that a task class asks for and nobody brought keeps the draft from being delivered', async () => {
    const told = scene({
      taskClass: { beforeDeliver: { evidence: [{ type: 'tool_result' }] }, limits: { repairs: 0 } },
    });
    const { reasons, message } = await told.ended(await told.submit());
    expect(reasons).toMatchObject([{ code: 'EVIDENCE_MISSING', about: 'tool_result' }]);
    expect(message.payload['missingEvidence']).toEqual(['tool_result']);
  });

  it('that grew too old before a write is read again', async () => {
    const told = scene({
      model: [plan([call('read'), call('write')]), draft()],
      tools: [readTool('read'), writeTool('write')],
      policy: 'needs_review',
      taskClass: { maxAge: minute, beforeWrite: { evidence: [{ type: 'tool_result' }] } },
    });
    const taskId = await told.submit();
    await told.clock.advance(5 * minute);
    await told.answer('approve');
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(told.invocations.map(({ tool }) => tool)).toEqual(['read', 'read', 'write']);
  });
});
