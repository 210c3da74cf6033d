import { generateKeyPairSync, randomUUID, type JsonWebKey } from 'node:crypto';
import {
  defineTaskClass,
  defineTool,
  defineVerifier,
  type Approvals,
  type InboxEntry,
  type Model,
  type Orchestrator,
  type OrchestratorOptions,
} from 'agentcharter';
import type { Flows } from 'agentcharter/origins';
import { approvalSubject, jwsApprovals, signApproval, type ApprovalKeySet } from 'agentcharter/approvals';
import { z } from 'zod';
import { plan, reverseWire, type Approval, type WireRequest } from '../work.ts';

// The work for our orchestrator and guard with every guarantee: schemas, digests, a sealed ledger, evidence that is
// recomputed, a required verifier, a policy, and for the write a signed approval of exactly this call, used once.

const kid = 'desk';
const parties = { issuer: 'https://desk.example', audience: 'wire-room' };

/** The keys of the people who approve, as JSON Web Keys. */
export interface Desk {
  readonly signing: JsonWebKey & { readonly kid: string };
  readonly open: JsonWebKey & { readonly kid: string };
}

export const newDesk = (): Desk => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    signing: { ...privateKey.export({ format: 'jwk' }), kid },
    open: { ...publicKey.export({ format: 'jwk' }), kid },
  };
};

const ownDesk = newDesk();

const keysOf = ({ open }: Desk): ApprovalKeySet => ({ keys: [{ ...open, subjects: 'any' }] });

/** The keys of the desk of this process. */
export const approvalKeys = keysOf(ownDesk);

/** Accepts the approvals that a desk signs. */
export const approvalsOf = (desk: Desk): Approvals => jwsApprovals({ ...parties, keys: keysOf(desk) });

const input = z.object({ id: z.number(), requestId: z.string() });

/** Returns the tools; `flows` is what the arguments of the write may come from. */
const toolsWith = (flows?: Flows) => [
  defineTool({
    name: 'readWire',
    description: 'Reads a wire.',
    tier: 'read_only',
    input,
    call: reverseWire,
  }),
  defineTool({
    name: 'reverseWire',
    description: 'Reverses a wire.',
    tier: 'write_high_risk',
    input,
    call: reverseWire,
    rollback: {
      describe: ({ id }) => ({ type: 'wire.reinstate', target: `wire ${id}`, payload: { id } }),
      run: async () => ({}),
    },
    ...(flows && { flows }),
  }),
];

const tools = toolsWith();

/** The tools, whose write says what its arguments may come from; the request has one of them. */
export const flowingTools = toolsWith({
  '/id': { integrity: 'trusted' },
  '/requestId': { integrity: 'trusted', from: ['request'] },
});

const verifiers = [
  defineVerifier({
    id: 'v',
    verify: ({ evidence }) => ({
      checks: [{ check_id: 'c', result: evidence.length > 0 ? 'pass' : 'fail' }],
    }),
  }),
];

export const taskClass = 'wire';

const taskClasses = [
  defineTaskClass({
    id: taskClass,
    tools: tools.map(({ name }) => name),
    limits: { repairs: 0, rounds: 12, modelCalls: 40, calls: 40 },
    beforeDeliver: { evidence: [{ type: 'tool_result' }], verifiers: ['v'] },
  }),
];

const sure = { canProceed: true, confidence: 0.9, explanation: 'As asked.' };

/** The answer of the model to a request for a draft. */
export const draft = { ...sure, payload: { ok: true, id: 42 } };

/** The answer of the model to a request for a plan. */
export const planOf = (request: WireRequest) => ({
  ...sure,
  calls: [
    { tool: request.risk === 'read_only' ? 'readWire' : 'reverseWire', arguments: { ...plan(request) } },
  ],
});

/** The decision of the policy on every write. */
export const verdict = { verdict: 'allow' as const, reasons: ['it is what it is for'] };

const model: Model = {
  answer: async ({ asks, request }) => (asks === 'plan' ? planOf(request as unknown as WireRequest) : draft),
};

export const guardParts = () => ({
  tools,
  verifiers,
  taskClasses,
  policy: { version: 'p-1', decide: () => verdict },
  approvals: approvalsOf(ownDesk),
});

export const orchestratorParts = (): OrchestratorOptions => ({ ...guardParts(), model });

export const identity = {
  agent_id: 'agent:wire',
  owner_id: 'org:x',
  control_class: 'human-supervised' as const,
};

export const submissionOf = (request: WireRequest) => ({ taskClass, payload: { ...request }, identity });

/** What the desk of the approvers does: signs the approval of what a question shows. */
export const signed = (entry: InboxEntry, by: string, { signing }: Desk = ownDesk): Promise<string> => {
  const { claims } = approvalSubject(entry);
  const issuedAt = Date.now();
  const lifetime = { jti: randomUUID(), issuedAt, expiresAt: issuedAt + 60_000 };
  return signApproval({ ...parties, claims, approver: by, ...lifetime, key: signing });
};

/** Answers the question of a write: a signed approval, or a rejection. */
export const answer = async (
  orchestrator: Orchestrator,
  entry: InboxEntry,
  { approved, by }: Approval,
  desk?: Desk,
): Promise<void> => {
  const target = entry.message.messageId;
  if (!approved) return orchestrator.respond({ type: 'reject', target }, { by });
  const approval = await signed(entry, by, desk);
  return orchestrator.respond({ type: 'approve', target }, { by, approval });
};
