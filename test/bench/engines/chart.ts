import { dutiesOf, taskMachine, type Fact } from 'agentcharter/machines';
import { v7 } from 'uuid';
import { createActor, type Actor } from 'xstate';
import { callWithEvidence, decide, intake, plan, type Engine, type WireRequest } from '../work.ts';

/** A run of our chart without the orchestrator: no record, no digest, no signature. */
interface Run {
  readonly actor: Actor<typeof taskMachine>;
  /** The id of the execution. */
  readonly execution: string;
  readonly request: WireRequest;
}

const taskClass = {
  id: 'wire',
  beforeDeliver: { evidence: [{ type: 'tool_result' as const }], verifiers: ['v'] },
};
const call = 'reverseWire';
const digest = 'arguments';

/** Sends a fact, and reads the duties as the orchestrator does. */
const send = (actor: Actor<typeof taskMachine>, fact: Fact): ReturnType<typeof actor.getSnapshot> => {
  actor.send(fact);
  const snapshot = actor.getSnapshot();
  dutiesOf(snapshot);
  return snapshot;
};

const sure = { confidence: 0.9, canProceed: true };

const begin = (request: WireRequest): Run => {
  intake(request);
  const execution = v7();
  const actor = createActor(taskMachine, { input: { taskClass, request: execution } }).start();
  send(actor, { type: 'request.accepted' });
  const planned = {
    id: call,
    tool: call,
    tier: request.risk,
    digest,
    rollback: request.risk !== 'read_only',
  };
  send(actor, { type: 'plan.proposed', digest: 'plan', ...sure, calls: [planned] });
  return { actor, execution, request };
};

const finish = async ({ actor, execution, request }: Run): Promise<string> => {
  const of = { request: execution, attempt: 0, call };
  send(actor, { type: 'call.started', ...of, digest });
  const evidence = await callWithEvidence(request, plan(request));
  send(actor, { type: 'call.succeeded', ...of, evidence: { id: evidence.evidence_id, type: 'tool_result' } });
  send(actor, { type: 'draft.proposed', digest: 'draft', ...sure });
  const verified = { verifier: 'v', of: 'draft', evidence: 1, status: 'pass' as const };
  const { value } = send(actor, { type: 'verifier.reported', request: execution, attempt: 0, ...verified });
  return typeof value === 'object' && 'completed' in value ? 'deliver' : JSON.stringify(value);
};

export const engine: Engine = {
  gated: async (request, approval) => {
    const run = begin(request);
    const { actor, execution } = run;
    const of = { request: execution, attempt: 0, call, digest };
    const { context } = send(actor, { type: 'policy.decided', ...of, verdict: 'allow' });
    if (Object.keys(context.questions).length === 0) throw new Error('the run did not pause');
    if (decide(request, approval) !== 'allow') return 'fail_safe';
    const approver = { authority: 'approval' as const, approver: approval.by };
    send(actor, { type: 'approval.granted', request: execution, digest, ...approver });
    send(actor, { type: 'call.cleared', ...of });
    return finish(run);
  },
  straight: async (request) => finish(begin(request)),
};
