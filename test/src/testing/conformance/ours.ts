import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  createOrchestrator,
  defineTaskClass,
  defineTool,
  defineVerifier,
  isCharterError,
  type Emission,
  type InboxEntry,
  type Model,
  type Orchestrator,
  type OrchestratorOptions,
  type Rollback,
  type Tool,
} from 'agentcharter';
import type { LedgerRecord } from 'agentcharter/ledger';
import { actionDigest, approvalSubject, jwsApprovals, signApproval } from 'agentcharter/approvals';
import { createStreamReader } from 'agentcharter/streaming';
import * as z from 'zod';
import type { MessageEnvelope } from 'agentcharter/schema';
import type {
  Approval,
  AuditRecord,
  Documents,
  Fact,
  Run,
  Scenario,
  ScenarioTool,
  Subject,
} from '../../../../src/testing/conformance/index.ts';
import { edKey, trustedKey, otherKey } from '../../gates/approvals/desk.ts';

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

const optionsOf = (scenario: Scenario): OrchestratorOptions => ({
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
  approvals: jwsApprovals({ ...parties, keys: { keys: [trustedKey(edKey)] } }),
  clock: scenario.clock,
});

/** A desk's signature on exactly what the kit says was approved, right or wrong. */
const sign = (entry: InboxEntry, given: Approval, { tools }: Scenario): Promise<string> => {
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
    key: given.isForged ? { ...otherKey, kid: edKey.kid } : edKey,
  });
};

const isEnvelope = (emission: Emission): emission is Extract<Emission, { name: 'MessageEnvelope' }> =>
  emission.name === 'MessageEnvelope';

/** A ledger as UAICP asks for it: each record stands for the phases and the call that it told of. */
const auditOf = (
  records: readonly LedgerRecord[],
  emissions: readonly Emission[],
): readonly AuditRecord[] => {
  let next = 0;
  return records.flatMap(({ emitted, request_id, trace_id, timestamp, actor, outcome }) => {
    const envelopes = emissions.slice(next, (next += emitted.length)).filter(isEnvelope);
    return envelopes.map(({ document: { state, metadata } }): AuditRecord => {
      const call = z.object({ tool: z.string() }).safeParse(metadata?.['agentcharter:call']);
      const of = call.success
        ? ({ kind: 'call', tool: call.data.tool } as const)
        : ({ kind: 'transition', to: state } as const);
      return { of, request_id, trace_id, timestamp, actor, outcome };
    });
  });
};

/** How it says that a fact is not let in: whatever else it throws is a fault. */
const refusals = ['feedback_refused', 'identity_refused', 'fact_refused'] as const;

class OurRun implements Run {
  readonly #scenario: Scenario;
  readonly #orchestrator: Orchestrator;
  readonly #taskId: string;
  readonly #chunks: readonly MessageEnvelope[];

  constructor(
    scenario: Scenario,
    orchestrator: Orchestrator,
    taskId: string,
    chunks: readonly MessageEnvelope[],
  ) {
    this.#scenario = scenario;
    this.#orchestrator = orchestrator;
    this.#taskId = taskId;
    this.#chunks = chunks;
  }

  async #summary() {
    return (await this.#orchestrator.list()).find(({ taskId }) => taskId === this.#taskId);
  }

  async quiet(): Promise<void> {
    const isResting = async () =>
      (await this.#summary())?.isSettled === true || (await this.#orchestrator.inbox()).length > 0;
    for (let still = 0; still < 5; still = (await isResting()) ? still + 1 : 0) await nextTurn();
  }

  async phase() {
    const emissions = await this.#orchestrator.documents(this.#taskId);
    return emissions.findLast(isEnvelope)?.document.state ?? 'intake';
  }

  async documents(): Promise<Documents> {
    const emissions = await this.#orchestrator.documents(this.#taskId);
    const records = await this.#orchestrator.ledger(this.#taskId);
    const of = (name: Emission['name']) =>
      emissions.flatMap((emission) => (emission.name === name ? [emission.document] : []));
    return {
      envelopes: of('MessageEnvelope'),
      evidence: of('EvidenceObject'),
      reports: of('VerificationReport'),
      audit: auditOf(records, emissions),
      chunks: this.#chunks.map((envelope) => ({
        envelope,
        isUnverified: envelope.metadata?.['agentcharter:unverified'] === true,
      })),
      result: await this.#result(),
    };
  }

  async #result(): Promise<Documents['result']> {
    if ((await this.#summary())?.isSettled !== true) return null;
    const { outcome, reasons, message } = await this.#orchestrator.settled(this.#taskId);
    const payload = message.state === 'completed' ? message.payload : null;
    return { outcome, reasonCodes: reasons.map(({ code }) => code), payload };
  }

  async state(fact: Fact): Promise<'taken' | 'refused'> {
    try {
      return await this.#tell(fact);
    } catch (error) {
      if (refusals.some((code) => isCharterError(error, code))) return 'refused';
      throw error;
    }
  }

  async #tell(fact: Fact): Promise<'taken' | 'refused'> {
    const [entry] = await this.#orchestrator.inbox();
    switch (fact.type) {
      case 'approval.presented':
      case 'approval.refused': {
        if (entry === undefined) return 'refused';
        const target = entry.message.messageId;
        if (fact.type === 'approval.refused')
          await this.#orchestrator.respond({ type: 'reject', target }, { by: fact.by });
        else {
          const approval = await sign(entry, fact.approval, this.#scenario);
          await this.#orchestrator.respond(
            { type: 'approve', target },
            { by: fact.approval.approver, approval },
          );
        }
        return 'taken';
      }
      case 'run.cancelled':
        await this.#orchestrator.cancel(this.#taskId, { by: fact.by });
        return 'taken';
      case 'evidence.arrived': // there is no way in for evidence but a call
        return 'refused';
      case 'time.passed':
        return 'taken';
    }
  }

  close(): Promise<void> {
    return this.#orchestrator.close();
  }
}

/** How a host configures it, where that is not as the scenario asks. */
export type Configure = (options: OrchestratorOptions, scenario: Scenario) => Partial<OrchestratorOptions>;

/** A refusal that has a code, as the ledger holds it: in which scenario, and why. */
type Refused = (scenario: string, code: string) => void;

/** AgentCharter's own orchestrator as a subject, configured as each scenario asks but for what a host changes. */
export const ours = ({
  configure,
  refused,
}: { readonly configure?: Configure; readonly refused?: Refused } = {}): Subject => ({
  name: 'AgentCharter',
  lacks: [],
  start: async (scenario) => {
    const options = optionsOf(scenario);
    const { parent_trace_id, ...request } = scenario.request;
    const orchestrator = createOrchestrator({ ...options, ...configure?.(options, scenario) });
    const chunks: MessageEnvelope[] = [];
    orchestrator.on('chunk', ({ envelope }) => chunks.push(envelope));
    orchestrator.on('record', ({ kind, code }) => {
      if (kind === 'refusal' && code !== null) refused?.(scenario.id, code);
    });
    const { taskId } = await orchestrator.submit({
      taskClass: 'work',
      ...request,
      ...(parent_trace_id !== null && { parentTraceId: parent_trace_id }),
    });
    return new OurRun(scenario, orchestrator, taskId, chunks);
  },
  admits: (envelope) => createStreamReader('first').read(envelope),
});
