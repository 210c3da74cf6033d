import { describe, expect, test } from 'vitest';
import { defineTaskClass, defineVerifier, type TaskClassDefinition } from 'agentcharter';
import { createGuard, type Guard, type Run } from 'agentcharter/guard';
import { ReasonCode } from 'agentcharter/schema';
import { z } from 'zod';
import { subjectNames, subjectOf } from './subjects.ts';
import type { Opened, Step, Stop, ToolSpec } from './subject.ts';

const account = 'DE89370400440532013000';

/** What is told of the tools below stands in these words, and nowhere else. */
const specs: readonly ToolSpec[] = [
  {
    name: 'look',
    description: 'Looks an order up.',
    input: z.object({ order: z.string() }),
    execute: ({ order }) => {
      if (order === 'bad') throw new Error('an order looks like ORD-123');
      return { order, cents: 5 };
    },
    contract: { tier: 'read_only' },
  },
  {
    name: 'note',
    description: 'Writes a line.',
    input: z.object({ line: z.string() }),
    execute: ({ line }) => {
      if (line === 'lost') throw new Error('the connection was reset');
      return { noted: line };
    },
    contract: { tier: 'write_low_risk' },
  },
  {
    name: 'pay',
    description: 'Pays.',
    input: z.object({ to: z.string() }),
    execute: ({ to }) => ({ to }),
    contract: { tier: 'write_low_risk', flows: { '/to': { from: ['answers'] } } },
  },
];

const call = (tool: string, given: object, id = `call-${tool}`): Step => ({
  calls: [{ id, tool, arguments: given }],
});
const answer: Step = { answer: { said: 'an answer' } };

/** A way in which an agent is stopped. */
interface Way {
  readonly script: readonly Step[];
  readonly taskClass?: Partial<Omit<TaskClassDefinition, 'id' | 'tools'>>;
  /** A person rejects what is asked, in these words. */
  readonly rejects?: string;
  /** What whoever is stopped reads, in the end: the agent, or the caller of the framework if its run is over. */
  readonly told: RegExp;
  /** What a person is asked, if one is. */
  readonly asked?: string;
}

const ways: Partial<Readonly<Record<ReasonCode, Way>>> = {
  TOOL_FAILED: { script: [call('look', { order: 'bad' }), answer], told: /an order looks like ORD-123/ },
  POLICY_BLOCKED: {
    script: [call('note', { line: 'sunday' }), answer],
    told: /nothing is noted on a Sunday/,
  },
  HUMAN_REJECTED: {
    script: [call('note', { line: 'ask' }), answer],
    rejects: 'not before noon',
    asked: 'a person reads it first',
    told: /not before noon/,
  },
  EFFECT_IN_DOUBT: {
    script: [call('note', { line: 'lost' }), answer],
    rejects: 'it was never written',
    asked: 'the connection was reset',
    told: /it was never written/,
  },
  FLOW_FORBIDDEN: {
    script: [call('pay', { to: account }), answer],
    taskClass: { flows: 'refuse' },
    told: /expected a value from answers/,
  },
  MANDATE_EXCEEDED: {
    script: [call('look', { order: 'o-1' }), call('note', { line: 'x' }), answer],
    taskClass: { flows: 'refuse', mandate: 'plan' },
    told: /note is not among the tools of this run/,
  },
  OUTPUT_INVALID: { script: [call('look', { order: 5 }), answer], told: /order/ },
  EVIDENCE_MISSING: {
    script: [answer, call('look', { order: 'o-1' }), answer],
    taskClass: { beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'look' }] } },
    told: /EVIDENCE_MISSING|look/,
  },
  VERIFICATION_FAILED: {
    script: [answer, answer, answer],
    taskClass: { beforeDeliver: { verifiers: ['sums'] } },
    told: /the sum is 6 and not 5/,
  },
  BUDGET_SPENT: {
    script: [call('note', { line: 'a' }), call('note', { line: 'b' }, 'call-again'), answer],
    taskClass: { limits: { calls: 1 }, atLimit: 'stop' },
    told: /BUDGET_SPENT/,
  },
};

/** The codes that are about no call of an agent, or that stop none: who reads them instead. */
const elsewhere = {
  person:
    /^(?:APPROVAL_|APPROVER_|QUESTION_EXPIRED|INPUT_REQUIRED|CANNOT_PROCEED|CONFIDENCE_LOW|BEYOND_CAPABILITY)/,
  host: /^(?:GUARD_ERROR|HOST_|MODEL_|POLICY_(?:UNAVAILABLE|ERROR|CHANGED)|VERIFIER_|REPORT_|TOOL_(?:TIMEOUT|CHANGED|UNAVAILABLE)|CALL_NOT_STARTED|RESUME_LOST|VERSION_|TASK_CLASS_CHANGED|CHILD_FAILED|CANCELLED)/,
  auditor:
    /^(?:AUDIT_|EVIDENCE_(?:STALE|INVALID|HASH|FOREIGN|FROM)|EFFECT_CLOSED|OUTPUT_(?:MISSING|CHANGED)|PROPOSAL_CHANGED|ROLLBACK_REQUIRED|IDENTITY_INVALID)/,
};

const isListed = (code: ReasonCode): boolean =>
  [code in ways, ...Object.values(elsewhere).map((pattern) => pattern.test(code))].filter(Boolean).length ===
  1;

/** The policy's words, by the line that is to be written. */
const decided = {
  sunday: { verdict: 'deny', ends: 'call', reasons: ['nothing is noted on a Sunday'] },
  ask: { verdict: 'needs_review', reasons: ['a person reads it first'] },
} as const;

const sums = defineVerifier({
  id: 'sums',
  verify: () => ({ checks: [{ check_id: 'adds up', result: 'fail', details: 'the sum is 6 and not 5' }] }),
});

const openGuard = ({ tools, prefix = '' }: Opened, { taskClass = {} }: Way): Guard => {
  const evidence = taskClass.beforeDeliver?.evidence?.map((one) =>
    'tool' in one && one.tool !== undefined ? { ...one, tool: prefix + one.tool } : one,
  );
  return createGuard({
    tools,
    verifiers: [sums],
    taskClasses: [
      defineTaskClass({
        id: 'job',
        tools: ['look', 'note', 'pay'].map((name) => prefix + name),
        authorities: ['human'],
        ...taskClass,
        ...(evidence && { beforeDeliver: { evidence } }),
      }),
    ],
    policy: {
      decide: ({ arguments: given }) => {
        const line = String((given as { line?: unknown }).line);
        return line in decided ? decided[line as keyof typeof decided] : { verdict: 'allow', reasons: [] };
      },
    },
  });
};

/** Answers the open question of a run; returns all that the person read. */
const rejected = async (guard: Guard, run: Run, content: string): Promise<string> => {
  const [asked] = await run.questions();
  const target = asked?.message.messageId ?? '';
  await guard.orchestrator.respond({ type: 'reject', target, content }, { by: 'dana' });
  return JSON.stringify(asked);
};

describe.each(subjectNames)('Whoever is stopped in %s reads why', (name) => {
  test.each(Object.entries(ways))('%s', async (_, way) => {
    const opened = await (await subjectOf(name)).open(specs, []);
    await using guard = openGuard(opened, way);
    const run = await guard.begin({
      taskClass: 'job',
      payload: {},
      identity: { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' },
    });
    const seen: unknown[] = [];
    const setup = { run, script: way.script, sees: (shown: unknown) => void seen.push(shown) };
    let stop: Stop = await opened.begin(setup);
    if (way.rejects !== undefined) {
      expect(stop.status).toBe('paused');
      expect(await rejected(guard, run, way.rejects)).toContain(way.asked);
      if (stop.status === 'paused') stop = await opened.goOn(setup, stop.kept);
    }
    const told = JSON.stringify([seen, stop]);
    expect(told).toMatch(way.told);
    await opened.close?.();
  });
});

test('every reason code stops an agent in one of these ways, or is told to somebody else', () => {
  expect(ReasonCode.options.filter((code) => !isListed(code))).toEqual([]);
});
