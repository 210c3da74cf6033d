import type { Fact, ProposedCall } from '../../../../machines/index.ts';
import { coveredAction } from '../../../gates/approvals/subject.ts';
import { digestOfPart } from '../../../base/canonical/digest.ts';
import { hasReference } from '../../../gates/origins/references.ts';
import type { CallDocument, LedgerRecord } from '../../../base/ports/ledger.ts';
import { namesItsText } from '../deliveries.ts';
import { proposedIn } from '../../kernel/origins.ts';
import { memberOf, type Compare } from './comparison.ts';
import type { Known } from './known.ts';

/** A plan, further calls or a draft, as a fact proposes it. */
interface ProposedOutput {
  readonly digest: string;
  readonly confidence: number | 'unstated';
  readonly canProceed: boolean;
}

const outputIn = (fact: Fact | null): ProposedOutput | undefined => {
  if (fact?.type === 'human.responded') return fact.plan ?? fact.draft;
  const isOutput =
    fact?.type === 'plan.proposed' || fact?.type === 'calls.proposed' || fact?.type === 'draft.proposed';
  return isOutput ? fact : undefined;
};

const compareOutput = (record: LedgerRecord, { since }: Known, compare: Compare): void => {
  const { seq, fact, brought, documents } = record;
  const { output } = brought;
  const { output: sealed } = documents;
  const proposed = outputIn(fact);
  if (proposed === undefined) return;
  const isOfText = seq >= since || !('calls' in proposed); // older charts digested a plan as the model wrote it
  if (sealed === undefined || (isOfText && !namesItsText({ digest: proposed.digest, output, sealed })))
    compare('output', '', sealed, proposed.digest, 'its fact');
  if (output === undefined) return;
  const { upThought } = output;
  const confidence = memberOf(upThought, 'confidence') ?? 'unstated';
  compare('output', '/upThought/confidence', confidence, proposed.confidence, 'its fact');
  const canProceed = memberOf(upThought, 'canProceed');
  compare('output', '/upThought/canProceed', canProceed, proposed.canProceed, 'its fact');
};

/** Returns the digest of a call's action; one that was refused may be of an earlier request. */
const actionDigestOf = ({ kind, request_id }: LedgerRecord, call: CallDocument, { requests }: Known) => {
  const digestIn = (request: string): string => digestOfPart(coveredAction(request, call));
  const digest = digestIn(request_id);
  const isKnown = digest === call.digest || kind === 'fact';
  return isKnown || ![...requests].some((one) => digestIn(one) === call.digest) ? digest : call.digest;
};

/** Returns the codes of the holds in a call's origins, each once. */
const heldIn = ({ origins }: CallDocument): unknown => {
  const holds = memberOf(origins, 'holds') ?? [];
  return Array.isArray(holds) ? [...new Set(holds.map((hold) => memberOf(hold, 'code')))] : holds;
};

/** Compares a call with the output that proposes it; a reference in its arguments stands for another value. */
const compareGiven = (call: CallDocument, given: unknown, at: string, compare: Compare): void => {
  const place = 'the output that proposes it';
  const { arguments: input, raw = input } = call;
  compare('calls', `${at}/tool`, call.tool, memberOf(given, 'tool') ?? null, place);
  compare('calls', `${at}/ref`, call.ref, memberOf(given, 'ref') ?? null, place);
  const proposed = memberOf(given, 'arguments') ?? null;
  const member = call.raw === undefined ? 'arguments' : 'raw';
  if (!hasReference(proposed)) compare('calls', `${at}/${member}`, raw, proposed, place);
};

const compareProposed = (call: CallDocument, fact: ProposedCall, at: string, compare: Compare): void => {
  compare('calls', `${at}/id`, call.id, fact.id, 'its fact');
  compare('calls', `${at}/tool`, call.tool, fact.tool, 'its fact');
  compare('calls', `${at}/digest`, call.digest, fact.digest, 'its fact');
  compare('calls', `${at}/rollback`, call.rollback !== null, fact.rollback, 'its fact');
  compare('calls', `${at}/origins/holds`, heldIn(call), fact.held ?? [], 'its fact');
};

/** Compares the calls of a record with their digests, with its fact, and with the output that proposes them. */
const compareCalls = (record: LedgerRecord, known: Known, compare: Compare): void => {
  const { calls } = record.brought;
  const proposed = proposedIn(record);
  const given = memberOf(record.brought.output?.payload, 'calls');
  if (record.documents.calls === undefined) {
    if (proposed.length > 0) compare('calls', '', null, proposed.length, 'its fact');
    return;
  }
  if (calls === undefined) return; // erased
  if (proposed.length > 0) compare('calls', '', calls.length, proposed.length, 'its fact');
  for (const [place, call] of calls.entries()) {
    const at = `/${place}`;
    const fact = proposed[place];
    compare('calls', `${at}/digest`, call.digest, actionDigestOf(record, call, known), 'its content');
    if (fact !== undefined) compareProposed(call, fact, at, compare);
    if (record.fact?.type === 'rollback.started')
      compare('calls', `${at}/digest`, call.digest, record.fact.digest, 'its fact');
    if (Array.isArray(given)) compareGiven(call, given[place], at, compare);
  }
};

/** Compares what a record proposes with its fact. */
export const compareProposals = (record: LedgerRecord, known: Known, compare: Compare): void => {
  compareOutput(record, known, compare);
  compareCalls(record, known, compare);
};
