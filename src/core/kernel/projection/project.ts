import type { Context, Fact, FactType } from '../../../../machines/index.ts';
import type { EvidenceObject } from '../../../../schema/index.ts';
import { textOfFixed } from '../../../base/canonical/canonicalize.ts';
import { referencesIn } from '../../../base/canonical/blobs.ts';
import { digestOfPart } from '../../../base/canonical/digest.ts';
import { afterMessage } from '../../../gates/origins/provenance.ts';
import type { CallDocument } from '../../../base/ports/ledger.ts';
import {
  answersFurther,
  meaningOf,
  questionIn,
  type ByDigest,
  type Change,
  type ProjectedStep,
} from './facts.ts';
import type { Projection } from './projection.ts';
import { noProposals, ofWholeAction } from './proposals.ts';
import { provenanceAfter } from './provenance.ts';

/** Returns what a new attempt keeps: approvals of its unchanged calls, and no answers to tools. */
const kept = (p: Projection, { calls }: Context): Change => {
  const approved = new Set(
    Object.values(calls).flatMap(({ digest, approvers }) => (approvers.length > 0 ? [digest] : [])),
  );
  const ofKept = <One>(held: ByDigest<One>): ByDigest<One> =>
    Object.fromEntries(Object.entries(held).filter(([digest]) => approved.has(digest)));
  return { approvals: ofKept(p.approvals), approvers: ofKept(p.approvers), resumed: {} };
};

const byId = (calls: readonly CallDocument[]): Record<string, CallDocument> =>
  Object.fromEntries(calls.map((call) => [call.id, call]));

/** Applies the documents that any fact may carry. */
const broughtTo = (p: Projection, fact: Fact | null, { before, after, record }: ProjectedStep): Change => {
  const { calls, evidence, feedback, rejected, explanation, reasons } = record.brought;
  const one = (given: EvidenceObject) => ({ ...p.evidence, [given.evidence_id]: given });
  const by = record.actor.id;
  const question = (fact && questionIn(before, fact)?.kind) ?? 'changes';
  const provenance = provenanceAfter(p, record, answersFurther(before, fact));
  const hasFailed = before.reasons.length === 0 && after.reasons.length > 0;
  return {
    ...(provenance !== p.provenance && { provenance }),
    rejected: rejected ?? (fact !== null && correcting.has(fact.type) ? p.rejected : null),
    ...(after.further === null && p.further !== null && { further: null }),
    ...(feedback !== undefined && { answers: [...p.answers, { question, feedback, by }] }),
    ...(calls !== undefined && { calls: { ...p.calls, ...byId(calls) } }),
    ...(evidence !== undefined && { evidence: one(evidence) }),
    ...(hasFailed && { cause: explanation ?? reasons?.join('; ') ?? null }),
  };
};

const projectFact = (p: Projection, given: ProjectedStep): Projection => {
  const { before, after } = given;
  const record = ofWholeAction(given.record, p.calls, after.calls);
  const step = { before, after, record };
  const { fact } = record;
  const next = { ...p, ...broughtTo(p, fact, step) };
  Object.assign(next, fact && meaningOf<FactType>(fact.type).changes?.(next, fact, step));
  if (before.attempt !== after.attempt) Object.assign(next, kept(next, after));
  if (record.to === 'submitted.plan.proposing' && next.proposals.replaced.size > 0)
    next.proposals = { ...next.proposals, replaced: noProposals.replaced };
  return next;
};

/** The facts after which the model may still correct the output that was rejected. */
const correcting: ReadonlySet<Fact['type']> = new Set([
  'output.rejected',
  'help.requested',
  'human.responded',
]);

type States = Pick<Projection, 'agentState' | 'agentStates'>;

/** Returns the last saved state of an agent, and which are on record; `undefined` for one that was erased. */
const withState = ({ agentStates }: States, agentState: unknown): Partial<States> => {
  if (agentState === undefined) return { agentState: null };
  const large = referencesIn(agentState).reduce((sum, { size }) => sum + size, 0);
  const saved = { digest: digestOfPart(agentState), length: textOfFixed(agentState).length + large };
  return { agentState, agentStates: [...agentStates.filter(({ digest }) => digest !== saved.digest), saved] };
};

/** Returns the saved states that are on record after one was erased. */
const withoutState = ({ agentStates }: States, erased: string | null): Pick<States, 'agentStates'> => ({
  agentStates: agentStates.filter(({ digest }) => digest !== erased),
});

/** Returns the projection after one more record. */
export const project = (projection: Projection, step: ProjectedStep): Projection => {
  const { before, record } = step;
  const { fact } = record;
  switch (record.kind) {
    case 'fact':
      return projectFact(projection, step);
    case 'orphan':
      return {
        ...projection,
        ...(fact && meaningOf<FactType>(fact.type).changesLate?.(projection, fact, before, record)),
      };
    case 'agent':
      return { ...projection, ...withState(projection, record.brought.agentState) };
    case 'message':
      return { ...projection, provenance: afterMessage(projection.provenance, record.brought.message) };
    case 'erasure':
      return { ...projection, ...withoutState(projection, record.erased) };
    case 'recovery':
    case 'refusal':
    case 'upgrade':
    case 'end':
      return projection;
  }
};
