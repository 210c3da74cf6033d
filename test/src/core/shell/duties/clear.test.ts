import { describe, expect, it } from 'vitest';
import type { ReasonCode } from '../../../../../schema/index.ts';
import { defineVerifier, type VerificationSubject } from '../../../../../src/index.ts';
import { fails, passes, scene, type Given } from '../scene.ts';
import { call, draft, later, never, plan, readTool, writeTool } from '../scripted.ts';
import { settle } from '../simulated-clock.ts';

const minute = 60_000;
const passed = { check_id: 'a', result: 'pass' } as const;
const breaks = () => {
  throw new Error('connection reset');
};

describe('a write [CHART 4, UAICP 5.3, 7]', () => {
  it('happens after the reads, the verifiers, the policy and the approval, in that order', async () => {
    const order: string[] = [];
    const scenario = scene({
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
    const taskId = await scenario.submit();
    order.push('a person');
    await scenario.answer('approve');
    await scenario.ended(taskId);
    expect(order).toEqual([
      'read',
      'verifier: action, 1 evidence',
      'policy: 1 evidence',
      'a person',
      'policy: 1 evidence', // again when the write begins
      'write',
    ]);
  });

  it('does not happen when a verifier fails', async () => {
    const scenario = scene({
      model: [plan([call('write')])],
      tools: [writeTool('write')],
      verifiers: { mails: fails },
      taskClass: { beforeWrite: { verifiers: ['mails'] }, limits: { repairs: 0 } },
    });
    const settled = await scenario.ended(await scenario.submit());
    expect(settled).toMatchObject({ outcome: 'uncertain', reasons: [{ code: 'VERIFICATION_FAILED' }] });
    expect(scenario.invocations).toEqual([]);
    expect(scenario.asked).toEqual([]);
  });

  it('is shown to the policy with its arguments, its tier and its rollback', async () => {
    const scenario = scene({
      model: [plan([call('write', { amount: 7 })]), draft()],
      tools: [writeTool('write')],
    });
    await scenario.submit();
    expect(scenario.asked.slice(0, 1)).toMatchObject([
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

  it('needs a declared rollback when it is high-risk', () => {
    const tools = [{ ...writeTool('write', { tier: 'write_high_risk' }), rollback: null }];
    expect(() => scene({ tools })).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        message: expect.stringContaining('tools.write.rollback is required'),
      }),
    );
  });
});

describe('a policy [UAICP 5.3]', () => {
  const write: Given = {
    model: [plan([call('write')]), draft()],
    tools: [writeTool('write')],
  };

  it('ends the run as uncertain when it denies', async () => {
    const scenario = scene({ ...write, policy: 'deny' });
    const { outcome, reasons, message } = await scenario.ended(await scenario.submit());
    expect({ outcome, code: reasons[0]?.code }).toEqual({ outcome: 'uncertain', code: 'POLICY_BLOCKED' });
    expect(message).toMatchObject({ state: 'failed', payload: { reasonCodes: ['POLICY_BLOCKED'] } });
    expect(scenario.invocations).toEqual([]);
  });

  it('denies when none is configured', async () => {
    const scenario = scene({ ...write, policy: null });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({
      reasons: [{ code: 'POLICY_BLOCKED' }],
    });
  });

  it.each<[string, NonNullable<Given['policy']>]>([
    ['throws', breaks],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['returns nothing', () => undefined],
    ['returns an unknown verdict', () => ({ verdict: 'sure', reasons: [] })],
    [
      'returns allow once from a getter',
      () => ({
        get verdict() {
          return 'allow';
        },
        reasons: [],
      }),
    ],
    ['gives no reasons', () => ({ verdict: 'allow' })],
  ])('allows nothing when it %s', async (_, policy) => {
    const scenario = scene({ ...write, policy });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({
      outcome: 'uncertain',
      reasons: [{ code: 'POLICY_ERROR' }],
    });
    expect(scenario.invocations).toEqual([]);
  });

  it('allows nothing when it hangs until its deadline; its late verdict is recorded as an orphan', async () => {
    const answer = later();
    const scenario = scene({ ...write, policy: () => answer.promise });
    const taskId = await scenario.submit();
    await scenario.clock.advance(10_000);
    expect(await scenario.ended(taskId)).toMatchObject({ reasons: [{ code: 'POLICY_UNAVAILABLE' }] });
    answer.resolve({ verdict: 'allow', reasons: [] });
    await settle();
    expect((await scenario.orchestrator.ledger(taskId)).at(-1)).toMatchObject({ kind: 'orphan' });
    expect(scenario.invocations).toEqual([]);
  });

  it('is not asked about reads', async () => {
    const scenario = scene({
      model: [plan([call('read')]), draft()],
      tools: [readTool('read')],
      policy: 'deny',
    });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
    expect(scenario.asked).toEqual([]);
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
  it('sees exactly the draft, with the current evidence', async () => {
    let seen: VerificationSubject | undefined;
    const scenario = scene(
      judged((subject, signal) => {
        seen = subject;
        return passes(subject, signal);
      }),
    );
    const taskId = await scenario.submit();
    await scenario.ended(taskId);
    expect(seen).toMatchObject({
      kind: 'draft',
      value: { n: 1 },
      request: { wish: 'a list' },
      evidence: [{ source: 'read' }],
    });
    const report = (await scenario.orchestrator.documents(taskId)).find(
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
      'reports pass despite a failed check',
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
    ['reports pass without checks', () => ({ status: 'pass' }) as never, 'fail', 'REPORT_INVALID'],
    ['returns nothing', () => undefined as never, 'fail', 'REPORT_INVALID'],
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
      'names unknown evidence',
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
  ])('does not pass when it %s, and the reason says so', async (_, mails, status, code) => {
    const scenario = scene(judged(mails));
    const taskId = await scenario.submit();
    expect(await scenario.ended(taskId)).toMatchObject({
      outcome: 'uncertain',
      reasons: [
        { code: 'VERIFICATION_FAILED', about: 'mails' },
        ...(code === null ? [] : [{ code, about: 'mails' }]),
      ],
    });
    const report = (await scenario.orchestrator.documents(taskId)).find(
      ({ name }) => name === 'VerificationReport',
    );
    expect(report?.document).toMatchObject({ status });
  });

  it('does not pass when it hangs until its deadline', async () => {
    const scenario = scene(judged((_, signal) => never(signal)));
    const taskId = await scenario.submit();
    await scenario.clock.advance(minute);
    expect(await scenario.ended(taskId)).toMatchObject({
      reasons: [{ code: 'VERIFICATION_FAILED' }, { code: 'VERIFIER_TIMEOUT' }],
    });
  });

  it('has a deadline of its own', async () => {
    const quick = defineVerifier({ id: 'quick', deadline: 5_000, verify: (_, { signal }) => never(signal) });
    const scenario = scene({
      taskClass: { beforeDeliver: { verifiers: ['quick'] }, limits: { repairs: 0 } },
      options: { verifiers: [quick] },
    });
    const taskId = await scenario.submit();
    await scenario.clock.advance(5_000);
    expect(await scenario.ended(taskId)).toMatchObject({
      reasons: [{ code: 'VERIFICATION_FAILED' }, { code: 'VERIFIER_TIMEOUT' }],
    });
  });

  it('runs in parallel with the others', async () => {
    const both = [later(), later()] as const;
    const begun: string[] = [];
    const waits = (id: string, at: 0 | 1) => async () => {
      begun.push(id);
      await both[at].promise;
      return { checks: [passed] };
    };
    const scenario = scene({
      verifiers: { mails: waits('mails', 0), sums: waits('sums', 1) },
      taskClass: { beforeDeliver: { verifiers: ['mails', 'sums'] } },
    });
    const taskId = await scenario.submit();
    expect(begun).toEqual(['mails', 'sums']);
    both[1].resolve(null);
    both[0].resolve(null);
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it.each(['plan', 'execute'] as const)(
    'leads to a counted repair of %s when it fails once; committed writes are not repeated',
    async (repairTo) => {
      let times = 0;
      const scenario = scene(
        judged((subject, signal) => ((times += 1) === 1 ? fails : passes)(subject, signal), {
          model: ({ asks }) => (asks === 'plan' ? plan([call('read'), call('write')]) : draft()),
          tools: [readTool('read'), writeTool('write')],
          taskClass: { repairTo, beforeDeliver: { verifiers: ['mails'] }, limits: { repairs: 1 } },
        }),
      );
      const taskId = await scenario.submit();
      expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
      expect(scenario.invocations.map(({ tool }) => tool)).toEqual(['read', 'write', 'read']);
      expect(scenario.undone).toEqual([]);
      expect(scenario.turns.map(({ asks }) => asks)).toEqual(
        repairTo === 'plan' ? ['plan', 'draft', 'plan', 'draft'] : ['plan', 'draft', 'draft'],
      );
      const says =
        'Task class "work" requires verifier mails to pass, and it did not. It said: "looks right".';
      expect(scenario.turns.at(-1)?.unmet).toEqual([{ code: 'VERIFICATION_FAILED', about: 'mails', says }]);
    },
  );

  it.each(['constructor', '__proto__', 'toString'])('may be named %s', async (id) => {
    const scenario = scene({
      verifiers: Object.fromEntries([[id, fails]]),
      taskClass: { beforeDeliver: { verifiers: [id] }, limits: { repairs: 0 } },
    });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({
      reasons: [{ code: 'VERIFICATION_FAILED', about: id }],
    });
  });
});

describe('missing or stale evidence', () => {
  it('blocks delivery when the task class requires it', async () => {
    const scenario = scene({
      taskClass: { beforeDeliver: { evidence: [{ type: 'tool_result' }] }, limits: { repairs: 0 } },
    });
    const { reasons, message } = await scenario.ended(await scenario.submit());
    expect(reasons).toMatchObject([{ code: 'EVIDENCE_MISSING', about: 'tool_result' }]);
    expect(message.payload['missingEvidence']).toEqual(['tool_result']);
  });

  it('is read again before a write', async () => {
    const scenario = scene({
      model: [plan([call('read'), call('write')]), draft()],
      tools: [readTool('read'), writeTool('write')],
      policy: 'needs_review',
      taskClass: { maxAge: minute, beforeWrite: { evidence: [{ type: 'tool_result' }] } },
    });
    const taskId = await scenario.submit();
    await scenario.clock.advance(5 * minute);
    await scenario.answer('approve');
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(scenario.invocations.map(({ tool }) => tool)).toEqual(['read', 'read', 'write']);
  });
});
