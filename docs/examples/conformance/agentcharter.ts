import {
  createOrchestrator,
  defineTaskClass,
  defineTool,
  defineVerifier,
  type InboxEntry,
  type Model,
  type Orchestrator,
  type Rollback,
  type Tool,
} from 'agentcharter';
import { actionDigest, approvalSubject, jwsApprovals, signApproval } from 'agentcharter/approvals';
import type { Approval, Scenario, ScenarioTool } from 'agentcharter/testing';
import { z } from 'zod';
import { createKeys } from '../finance/desk.ts';

const parties = { issuer: 'https://desk.example', audience: 'conformance' };
const sure = { canProceed: true, confidence: 0.9, explanation: 'Said by a script.' };
const AnyInput = z.record(z.string(), z.unknown());

/** For a high-risk tool without a known rollback: none of its calls is cleared. */
const unknown: ScenarioTool['rollback'] = {
  describe: () => {
    throw new Error('no rollback is known');
  },
  run: async () => {},
};

type Input = Readonly<Record<string, unknown>>;

const inverseOf = ({ describe, run }: NonNullable<ScenarioTool['rollback']>): Rollback<Input> => ({
  describe,
  run: (action) => run(action),
});

const undoOf = ({ tier, rollback }: ScenarioTool) => {
  if (tier === 'write_high_risk') return { tier, rollback: inverseOf(rollback ?? unknown) };
  return rollback === null ? { tier } : { tier, rollback: inverseOf(rollback) };
};

const toolOf = (tool: ScenarioTool): Tool => {
  const { name, call } = tool;
  return defineTool({
    name,
    description: name,
    ...undoOf(tool),
    input: AnyInput,
    call: async (input, { requestId, traceId, call: id, evidence }) => {
      const made = await call(input, { request_id: requestId, trace_id: traceId });
      return made.kind === 'result' ? made.payload : evidence({ ...made.evidence, 'agentcharter:call': id });
    },
  });
};

const modelOf = ({ plan, draft }: Scenario): Model => ({
  answer: async ({ asks, attempt }, { stream }) => {
    if (asks === 'plan') return { ...sure, calls: await plan(attempt) };
    if (asks === 'correction') return { choice: 'beyondCapability', explanation: 'A script has no other.' };
    const { payload, chunks } = await draft(attempt);
    for (const [index, content] of chunks.entries()) stream({ index, content });
    return { ...sure, payload };
  },
});

const requirements = ({ evidence, verifiers }: Scenario['requires']['beforeWrite']) => ({
  evidence: evidence.map((tool) => ({ type: 'tool_result', tool }) as const),
  verifiers: [...verifiers],
});

/** The keys of the approvers, and those of a stranger under the same name. */
export const createSigners = () => ({ trusted: createKeys('desk'), forger: createKeys('desk') });
type Signers = ReturnType<typeof createSigners>;

/** An orchestrator, configured for a scenario. */
export const orchestratorOf = (scenario: Scenario, { trusted }: Signers): Orchestrator =>
  createOrchestrator({
    taskClasses: [
      defineTaskClass({
        id: 'work',
        tools: scenario.tools.map(({ name }) => name),
        beforeWrite: requirements(scenario.requires.beforeWrite),
        beforeDeliver: requirements(scenario.requires.beforeDeliver),
        limits: { repairs: scenario.repairs },
        deadlines: scenario.deadlines,
        maxAge: scenario.maxAge,
      }),
    ],
    tools: scenario.tools.map(toolOf),
    verifiers: scenario.verifiers.map(({ id, verify }) =>
      defineVerifier({
        id,
        verify: async ({ value, evidence }) => {
          const { status, checks } = await verify({ value, evidence });
          return { status, checks: [...checks] };
        },
      }),
    ),
    policy: {
      decide: async ({ action, arguments: given }) => {
        const verdict = await scenario.policy({ tool: action, arguments: AnyInput.parse(given) });
        return { verdict, reasons: [] };
      },
    },
    model: modelOf(scenario),
    approvals: jwsApprovals({
      ...parties,
      keys: { keys: trusted.open.keys.map((key) => ({ ...key, subjects: 'any' as const })) },
    }),
    clock: scenario.clock,
  });

/** A desk's signature on exactly what the kit says was approved, right or wrong. */
export const sign = (
  entry: InboxEntry,
  given: Approval,
  { tools }: Scenario,
  { trusted, forger }: Signers,
): Promise<string> => {
  const { subject, claims } = approvalSubject(entry);
  const { tool, arguments: approved } = given.action;
  const rollback = tools.find(({ name }) => name === tool)?.rollback?.describe(approved) ?? null;
  const request_id = given.request_id ?? claims.request_id;
  const action = { tool, version: subject.action.version, arguments: approved, rollback };
  return signApproval({
    ...parties,
    claims: { ...claims, request_id, tool, action_digest: actionDigest(request_id, action) },
    approver: given.approver,
    jti: given.id,
    issuedAt: given.issuedAt,
    expiresAt: given.expiresAt,
    decision: given.decision,
    key: (given.isForged ? forger : trusted).signing,
  });
};
