import type { Call, Context, Fact, FactOf, ProposedCall } from 'agentcharter/machines';
import { requests } from '../../../../../src/testing/charter/world.ts';

/** Identifies what is proposed or asked at one moment of a run, apart from every other moment. */
const momentOf = ({ request, attempt, counters: { rounds, pauses } }: Context): string =>
  [requests.findIndex((one) => one === request), attempt, rounds, pauses].join('.');

const sureOr = (digest: string, confidence: number | 'unstated'): string =>
  Number(confidence) > 0.5 ? digest : `${digest}-unsure`;

/** An action belongs to its request: the same write in another request is another action. */
const actionIn = (c: Context, call: ProposedCall): ProposedCall => {
  const [action = ''] = call.digest.split('@');
  return { ...call, digest: `${action}@${requests.findIndex((one) => one === c.request)}` };
};

const proposedIn = (c: Context, calls: readonly ProposedCall[]): ProposedCall[] =>
  calls.map((call) => ({ ...actionIn(c, call), id: `${call.id}@${momentOf(c)}` }));

const editedIn = (c: Context, question: string, edited: ProposedCall): ProposedCall => {
  const [id = edited.id] =
    Object.entries(c.calls).find(([, { digest }]) => `approval:${digest}` === question) ?? [];
  return { ...actionIn(c, edited), id };
};

const codeOf = (call: Call | undefined, otherwise: 'TOOL_FAILED' | 'EFFECT_IN_DOUBT') =>
  call?.status === 'waiting' ? 'CHILD_FAILED' : otherwise;

/** Evidence of another attempt, or read again, is another object. */
const evidenceIn = ({ attempt, counters }: Context, { id, type }: FactOf<'call.succeeded'>['evidence']) => ({
  id: `${id}+${attempt}.${counters.refreshes}`,
  type,
});

/**
 * Returns a fact of a world with names as an orchestrator gives them: each plan, question and evidence object has a
 * new name, and a failure has its own code.
 */
export const namedIn = (c: Context, fact: Fact): Fact => {
  switch (fact.type) {
    case 'plan.proposed':
      return { ...fact, digest: sureOr(fact.digest, fact.confidence), calls: proposedIn(c, fact.calls) };
    case 'draft.proposed':
      return { ...fact, digest: sureOr(fact.digest, fact.confidence) };
    case 'calls.proposed':
      return { ...fact, digest: sureOr(fact.digest, fact.confidence), calls: proposedIn(c, fact.calls) };
    case 'information.requested':
    case 'help.requested':
    case 'question.raised':
      return { ...fact, question: `${fact.question}@${momentOf(c)}` };
    case 'output.rejected':
      return { ...fact, question: `${fact.question}@${momentOf(c)}.${c.counters.corrections}` };
    case 'call.succeeded': {
      return { ...fact, evidence: evidenceIn(c, fact.evidence) };
    }
    case 'call.failed':
      return { ...fact, code: codeOf(c.calls[fact.call], 'TOOL_FAILED') };
    case 'call.doubted':
      return { ...fact, code: codeOf(c.calls[fact.call], 'EFFECT_IN_DOUBT') };
    case 'verifier.reported':
      return fact.code === undefined ? fact : { ...fact, status: 'fail', code: 'VERIFIER_ERROR' };
    case 'human.responded': {
      const { plan, call, evidence, by = 'lee' } = fact;
      return {
        ...fact,
        by,
        ...(evidence !== undefined && { evidence: evidenceIn(c, evidence) }),
        ...(plan !== undefined && { plan: { ...plan, calls: proposedIn(c, plan.calls) } }),
        ...(call !== undefined && { call: editedIn(c, fact.question, call), approves: true }), // as it is sent
      };
    }
    case 'approval.granted':
    case 'call.cleared':
    case 'call.refused':
    case 'call.started':
    case 'capability.exceeded':
    case 'changes.requested':
    case 'deadline.passed':
    case 'dependency.awaited':
    case 'dependency.met':
    case 'evidence.changed':
    case 'followup.offered':
    case 'output.changed':
    case 'policy.decided':
    case 'recovery.started':
    case 'request.accepted':
    case 'request.refused':
    case 'rollback.failed':
    case 'rollback.started':
    case 'rollback.succeeded':
    case 'run.failed':
    case 'task.cancelled':
    case 'taskClass.changed':
      return fact;
  }
};
