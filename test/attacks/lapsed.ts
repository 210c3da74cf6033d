import { expect } from 'vitest';
import { jwsApprovals } from '../../src/gates/approvals/index.ts';
import type { Policy } from '../../src/index.ts';
import type { PolicyDecision } from '../../src/base/ports/policy.ts';
import { violationsOf } from '../../machines/index.ts';
import { options } from '../src/gates/approvals/desk.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../src/core/shell/scripted.ts';
import { agreed, day, expectMade, expectNotMade, lapseOf, looked, type Agreed } from './agreed.ts';
import type { Attack, Stop } from './attack.ts';
import { branch, type Process, type Writing } from './branch.ts';

const number = 40;
const source = 'CWE-367';

const deciding = (verdict: PolicyDecision['verdict'], version?: string): Policy => ({
  ...looked(version),
  decide: () => ({ verdict, reasons: ['the rules of today'] }),
});

type StopOf = (one: Agreed, next: Process) => Promise<Stop | undefined>;

const onRecord: StopOf = ({ site, taskId }) => lapseOf(site, taskId);

/** A write that was approved days ago, taken up in a world that is another one by now. */
const lapsed = (
  attempt: string,
  expected: Stop,
  changed: Writing,
  stopOf: StopOf = onRecord,
  begun: Writing = {},
): Attack => ({
  number,
  attempt,
  expected,
  source,
  run: async () => {
    await expectMade(begun);
    const one = await agreed(begun);
    const next = await one.takeUp(changed);
    await expectNotMade(one);
    return stopOf(one, next);
  },
});

const signed: Writing = { isApproved: true };
const withdrawn: Writing = {
  options: { approvals: jwsApprovals({ ...options, keys: () => ({ keys: [] }) }) },
};
const nobody: Writing = { options: { mayRespond: () => false } };

const afterRestarts: readonly Attack[] = [
  lapsed('a policy that denies by now, after days and a restart', 'POLICY_CHANGED', {
    options: { policy: deciding('deny', 'rules-7') },
  }),
  lapsed('a policy that denies by now, and has no version', 'POLICY_CHANGED', {
    options: { policy: deciding('deny') },
  }),
  lapsed(
    'a policy that denies by now what was approved with a signature',
    'POLICY_CHANGED',
    { options: { policy: deciding('deny', 'rules-7') } },
    onRecord,
    signed,
  ),
  lapsed(
    'a signed approval under rules that are replaced by now, by some that allow the write as well',
    'APPROVAL_POLICY_MISMATCH',
    { options: { policy: deciding('allow', 'rules-8') } },
    onRecord,
    signed,
  ),
  lapsed(
    'a signed approval whose key is withdrawn by now',
    'APPROVAL_KEY_UNKNOWN',
    withdrawn,
    onRecord,
    signed,
  ),
  lapsed('an approver who may no longer answer', 'APPROVER_WITHDRAWN', nobody),
  lapsed(
    'an approver with a signature who may not answer any more',
    'APPROVER_WITHDRAWN',
    nobody,
    onRecord,
    signed,
  ),
  lapsed('an approver whose right the host can no longer check', 'APPROVER_WITHDRAWN', {
    options: {
      mayRespond: () => {
        throw new Error('the directory is down');
      },
    },
  }),
  lapsed(
    'a policy that throws by now',
    'POLICY_ERROR',
    {
      options: {
        policy: {
          version: 'rules-7',
          decide: () => {
            throw new Error('down');
          },
        },
      },
    },
    async (one, next) => (await next.orchestrator.settled(one.taskId)).reasons[0]?.code,
  ),
];

/** What a gate says as well as the code that is looked for: a question is open, and the policy decides again. */
const besides: ReadonlySet<Stop> = new Set(['INPUT_REQUIRED', 'POLICY_BLOCKED'] satisfies Stop[]);

/** What the gate before a write says of a stored task, once its class is the stricter of both. */
const gateOf = async ({ site, taskId }: Agreed): Promise<Stop | undefined> => {
  expect(await site.factsOf(taskId)).toContain('taskClass.changed');
  const stored = await site.reader.load(taskId);
  const { context } = JSON.parse(stored?.snapshot ?? '{}') as { context: Parameters<typeof violationsOf>[1] };
  return violationsOf('write', context).find(({ code }) => !besides.has(code))?.code;
};

const reasonOf = async ({ site, taskId }: Agreed, next: Process): Promise<Stop | undefined> => {
  expect(await site.factsOf(taskId)).toContain('taskClass.changed');
  return (await next.orchestrator.settled(taskId)).reasons[0]?.code;
};

const stricter: readonly Attack[] = [
  lapsed(
    'a task class that wants two approvers by now',
    'APPROVAL_REQUIRED',
    { taskClass: { approvers: 2 } },
    gateOf,
  ),
  lapsed(
    'a task class that wants a signature by now, and counts no word',
    'APPROVAL_REQUIRED',
    { taskClass: { authorities: ['approval'] } },
    gateOf,
    { write: { tier: 'write_high_risk' } },
  ),
  lapsed(
    'a task class that wants evidence before the write by now',
    'EVIDENCE_MISSING',
    { taskClass: { beforeWrite: { evidence: [{ type: 'test_report' }] } } },
    reasonOf,
  ),
  lapsed(
    'a task class that wants the write verified by now',
    'VERIFICATION_FAILED',
    {
      taskClass: { beforeWrite: { verifiers: ['auditor'] } },
      options: {
        verifiers: [{ id: 'auditor', verify: () => ({ checks: [{ check_id: 'sum', result: 'fail' }] }) }],
      },
    },
    reasonOf,
  ),
  lapsed(
    'a task class that wants more confidence by now',
    'CONFIDENCE_LOW',
    { taskClass: { threshold: 0.95 } },
    gateOf,
  ),
  lapsed(
    'a task class that does not allow the tool any more',
    'TOOL_UNAVAILABLE',
    { taskClass: { tools: [] } },
    reasonOf,
  ),
];

/** A write that begins, waits for something outside, and begins once more. */
const postponed = (decide: () => PolicyDecision['verdict'], version: string | undefined) => {
  const made: string[] = [];
  const policy: Policy = {
    ...looked(version),
    decide: () => ({ verdict: decide(), reasons: [] }),
  };
  const one = scene({
    model: [plan([call('write')]), draft()],
    tools: [
      writeTool('write', {
        call: (_, { met, notYet, key }) => {
          if (met === null) return notYet({ dependency: 'stock', explanation: '' });
          made.push(key);
          return { written: true };
        },
      }),
    ],
    taskClass: { limits: { repairs: 0 }, deadlines: { dependency: 30 * day } },
    options: { policy },
  });
  return { ...one, made };
};

const waits = (attempt: string, version: string | undefined): Attack => ({
  number,
  attempt,
  expected: 'POLICY_CHANGED',
  source,
  run: async () => {
    let verdict: PolicyDecision['verdict'] = 'allow';
    const control = postponed(() => 'allow', version);
    const kept = await control.submit();
    await control.orchestrator.resolve(kept, 'stock', {}, { by: 'dana' });
    expect(await control.ended(kept)).toMatchObject({ outcome: 'success' });
    expect(control.made).toHaveLength(1);
    const one = postponed(() => verdict, version);
    const taskId = await one.submit();
    await one.clock.advance(3 * day);
    verdict = 'deny';
    await one.orchestrator.resolve(taskId, 'stock', {}, { by: 'dana' });
    await one.ended(taskId);
    expect(one.made).toEqual([]);
    return lapseOf({ recordsOf: one.orchestrator.ledger }, taskId);
  },
});

interface Rules {
  verdict: PolicyDecision['verdict'];
  mayRespond: boolean;
}

/** A person is asked, and approves after days, while the rules change. */
const inOne = async (changed: (rules: Rules) => void) => {
  const site = branch();
  const rules: Rules = { verdict: 'needs_review', mayRespond: true };
  const one = site.start({
    taskClass: { authorities: ['human'], limits: { repairs: 0 } },
    options: {
      policy: { version: 'rules-7', decide: () => ({ verdict: rules.verdict, reasons: [] }) },
      mayRespond: () => {
        const answer = rules.mayRespond;
        changed(rules);
        return answer;
      },
    },
  });
  const taskId = await one.submit();
  await site.clock.advance(3 * day);
  await one.answer('approve');
  await site.quiet();
  return { site, taskId };
};

/** A person approves after days, in the process that asked. */
const asked = (attempt: string, expected: Stop, change: (rules: Rules) => void): Attack => ({
  number,
  attempt,
  expected,
  source,
  run: async () => {
    expect((await inOne(() => {})).site.done).toHaveLength(1);
    const { site, taskId } = await inOne(change);
    expect(site.done).toEqual([]);
    expect(await site.factsOf(taskId)).not.toContain('call.started');
    return lapseOf(site, taskId);
  },
});

const inOneProcess: readonly Attack[] = [
  asked('a policy that denies by the time a person has approved', 'POLICY_CHANGED', (rules) => {
    rules.verdict = 'deny';
  }),
  asked('an approver who may no longer answer as soon as they have', 'APPROVER_WITHDRAWN', (rules) => {
    rules.mayRespond = false;
  }),
  waits('a policy that denies by the time something outside has happened', 'rules-7'),
  waits('a policy without a version that denies by the time something outside has happened', undefined),
  {
    number,
    attempt: 'a policy that allows each write, and denies it each time it is about to begin',
    expected: 'BUDGET_SPENT',
    source,
    run: async () => {
      let times = 0;
      const one = scene({
        model: [plan([call('read'), call('write')]), draft()],
        tools: [readTool('read'), writeTool('write')],
        policy: () => ({ verdict: times++ % 2 === 0 ? 'allow' : 'deny', reasons: [] }),
        taskClass: { limits: { repairs: 0, clearances: 3 } },
      });
      const taskId = await one.submit();
      const { reasons } = await one.ended(taskId);
      expect(one.invocations.map(({ tool }) => tool)).toEqual(['read']);
      expect(times).toBe(8);
      expect(reasons[0]?.about).toBe('clearances');
      return reasons[0]?.code;
    },
  },
];

/** A clearance that lapsed since it was given stops its write, whatever lapsed it. */
export const lapsedClearances: readonly Attack[] = [...afterRestarts, ...stricter, ...inOneProcess];
