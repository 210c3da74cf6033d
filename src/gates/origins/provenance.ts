import type { EvidenceObject, UpFeedback } from '../../../schema/index.ts';
import { callKey } from '../evidence/fault.ts';
import type { CallDocument, RequestDocument } from '../../base/ports/ledger.ts';
import type { Label } from '../../base/ports/origin.ts';
import type { Endorsement } from './endorsed.ts';
import { joined, joinedAll, labelOf, trusted, unlabelled } from './label.ts';
import {
  disclosedIn,
  isEcho,
  isHidden,
  labelOfEvidence,
  labelOfReferences,
  labelOfRequest,
  type LabelledAnswer,
} from './sources.ts';

/** What a run's ledger says of where values come from, up to its last record. */
export interface Provenance {
  /** The join of everything that the model was shown, over all attempts and requests of the task. */
  readonly shown: Label;
  /** What of that is not trusted, or not for anyone: `of` is its evidence, or `null` for the request. */
  readonly seen: readonly { readonly label: Label; readonly of?: string | null }[];
  /** What people stand for in this request. */
  readonly endorsed: readonly Endorsement[];
  readonly answers: readonly LabelledAnswer[];
  /** The evidence of this request, by its identifiers, in the order in which it was recorded. */
  readonly results: readonly string[];
  /** The evidence of earlier requests of the task. */
  readonly earlier: readonly EvidenceObject[];
  /** What models, tools and other participants said without evidence, such as outputs and questions. */
  readonly said: readonly unknown[];
  /** The tools that were proposed or declared before anything untrusted was shown. */
  readonly mandated: readonly string[];
}

const withShown = (provenance: Provenance, label: Label, of?: string | null): Provenance => ({
  ...provenance,
  shown: joined(provenance.shown, label),
  ...((label.integrity !== 'trusted' || label.readers !== 'anyone') && {
    seen: [...provenance.seen, { label, ...(of !== undefined && { of }) }],
  }),
});

/** Returns the join of what the model was shown, in which the sources that people endorsed whole are trusted. */
export const shownUnendorsed = ({ shown, seen, endorsed }: Provenance): Label => {
  const whole = endorsed.flatMap(({ evidence, pointer }) => (pointer === '' ? [evidence] : []));
  if (whole.length === 0) return shown;
  const labels = seen.map(({ label, of }): Label =>
    of !== undefined && whole.includes(of) ? { ...label, integrity: 'trusted' } : label,
  );
  return joinedAll(labels);
};

/** Returns the provenance of a run that has only its request. */
export const provenanceOf = (request: RequestDocument): Provenance => {
  const nothing = {
    shown: trusted,
    seen: [],
    endorsed: [],
    answers: [],
    results: [],
    earlier: [],
    said: [],
    mandated: [],
  };
  return withShown(withShown(nothing, labelOfRequest(request), null), request.labels?.context ?? trusted);
};
/** Returns the provenance after evidence, which the model is shown unless it is hidden, with what it repeats. */
export const afterEvidence = (
  provenance: Provenance,
  evidence: EvidenceObject,
  calls: Readonly<Record<string, CallDocument>>,
): Provenance => {
  const collected = { ...provenance, results: [...provenance.results, evidence.evidence_id] };
  if (isHidden(evidence)) return collected;
  const given = labelOfReferences(calls[String(evidence[callKey])] ?? {});
  const told = labelOfEvidence(evidence);
  // what is untrusted stays so, whatever it repeats
  const isWord = told.integrity === 'untrusted' || !isEcho(evidence, calls);
  const seen = withShown(collected, told, evidence.evidence_id);
  return withShown(seen, isWord ? { ...given, integrity: 'trusted' } : given); // to endorse a result is not to endorse what it was asked
};

/** Returns the provenance after a call whose tool said why it failed, or what it wants or waits for: it may repeat its arguments. */
export const afterFailure = (provenance: Provenance, call: CallDocument | undefined): Provenance =>
  withShown(provenance, joined(labelOf(call?.labels ?? {}), call ? labelOfReferences(call) : trusted));

/** Returns the provenance after a message of another participant. */
export const afterMessage = (provenance: Provenance, message: unknown): Provenance =>
  withShown(afterWords(provenance, message), unlabelled);

/** Returns the provenance after a model, a tool or another participant said something that is no evidence. */
export const afterWords = (provenance: Provenance, words: unknown): Provenance => ({
  ...provenance,
  said: [...provenance.said, words],
});

/** Returns the provenance after tools were proposed or declared; those of a person are within the mandate from then on. */
export const afterTools = (
  provenance: Provenance,
  tools: readonly string[],
  isPersons: boolean,
): Provenance => {
  const { shown, mandated } = provenance;
  if (shown.integrity !== 'trusted' && !isPersons) return provenance;
  return { ...provenance, mandated: [...new Set([...mandated, ...tools])] };
};

/** Returns the provenance after a person rewrote the plan: the mandate has the tools that they left in it. */
export const afterRewrittenPlan = (provenance: Provenance, tools: readonly string[]): Provenance => ({
  ...provenance,
  mandated: [...new Set(tools)],
});

/** Returns the provenance after a person's answer, which may tell the model what it is not shown. */
export const afterAnswer = (
  provenance: Provenance,
  feedback: UpFeedback,
  { labels }: RequestDocument,
  evidence: readonly EvidenceObject[],
  endorsed: readonly Endorsement[],
): Provenance => {
  const answer = { feedback, said: provenance.said, evidence: [...provenance.earlier, ...evidence] };
  const shown = joined({ ...trusted, ...labels?.answers }, disclosedIn(feedback.content, answer.evidence));
  const answers = [...provenance.answers, answer];
  return withShown({ ...provenance, answers, endorsed: [...provenance.endorsed, ...endorsed] }, shown);
};

/** Returns the provenance after a policy gave its reasons, which may tell the model what it is not shown. */
export const afterReasons = (
  provenance: Provenance,
  reasons: readonly string[],
  evidence: readonly EvidenceObject[],
): Provenance => withShown(provenance, disclosedIn(reasons, [...provenance.earlier, ...evidence]));

/** Returns the provenance of a further request: people still know the earlier results, which it does not have. */
export const afterRenewal = (provenance: Provenance, evidence: readonly EvidenceObject[]): Provenance => ({
  ...provenance,
  endorsed: [],
  results: [],
  earlier: [...provenance.earlier, ...evidence],
});
