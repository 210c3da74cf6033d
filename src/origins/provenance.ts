import type { EvidenceObject, UpFeedback } from '../../schema/index.ts';
import { callKey } from '../evidence/fault.ts';
import type { CallDocument, RequestDocument } from '../ports/ledger.ts';
import type { Label } from '../ports/origin.ts';
import { joined, labelOf, trusted, unlabelled } from './label.ts';
import {
  hiddenKey,
  isEcho,
  labelOfEvidence,
  labelOfRequest,
  untrustedIn,
  type LabelledAnswer,
} from './sources.ts';

/** What a run's ledger says of where values come from, up to its last record. */
export interface Provenance {
  /** The join of everything that the model was shown, over all attempts and requests of the task. */
  readonly shown: Label;
  readonly answers: readonly LabelledAnswer[];
  /** The evidence of this request, by its identifiers, in the order in which it was recorded. */
  readonly results: readonly string[];
  /** What models and tools said without evidence: outputs, and the questions of tools. */
  readonly said: readonly unknown[];
  /** The tools of calls that were proposed before anything untrusted was shown. */
  readonly mandated: readonly string[];
}

/** Returns the provenance of a run that has only its request. */
export const provenanceOf = (request: RequestDocument): Provenance => ({
  shown: labelOfRequest(request),
  answers: [],
  results: [],
  said: [],
  mandated: [],
});

const withShown = (provenance: Provenance, label: Label): Provenance => ({
  ...provenance,
  shown: joined(provenance.shown, label),
});

/** Returns the label of what a call was given by reference: the model need not have been shown it. */
const labelOfReferences = ({ origins }: CallDocument): Label =>
  (origins?.values ?? []).filter(({ isReference }) => isReference === true).reduce<Label>(joined, trusted);

/** Returns the provenance after evidence, which the model is shown unless it is hidden, with what it repeats. */
export const afterEvidence = (
  provenance: Provenance,
  evidence: EvidenceObject,
  calls: Readonly<Record<string, CallDocument>>,
): Provenance => {
  const collected = { ...provenance, results: [...provenance.results, evidence.evidence_id] };
  if (evidence[hiddenKey] === true) return collected;
  const call = calls[String(evidence[callKey])];
  const repeated = call !== undefined && isEcho(evidence, calls) ? labelOfReferences(call) : trusted;
  return withShown(collected, joined(labelOfEvidence(evidence), repeated));
};

/** Returns the provenance after a call whose tool said why it failed, or what it wants to know. */
export const afterFailure = (provenance: Provenance, call: CallDocument | undefined): Provenance =>
  withShown(provenance, labelOf(call?.labels ?? {}));

/** Returns the provenance after a message of another participant. */
export const afterMessage = (provenance: Provenance): Provenance => withShown(provenance, unlabelled);

/** Returns the provenance after a model or a tool said something that is no evidence. */
export const afterWords = (provenance: Provenance, words: unknown): Provenance => ({
  ...provenance,
  said: [...provenance.said, words],
});

/** Returns the provenance after calls were proposed; those of a person are always within the mandate. */
export const afterCalls = (
  provenance: Provenance,
  calls: readonly CallDocument[],
  isPersons: boolean,
): Provenance => {
  const { shown, mandated } = provenance;
  if (shown.integrity !== 'trusted' && !isPersons) return provenance;
  return { ...provenance, mandated: [...new Set([...mandated, ...calls.map(({ tool }) => tool)])] };
};

/** Returns the provenance after a person's answer. */
export const afterAnswer = (
  provenance: Provenance,
  feedback: UpFeedback,
  { labels }: RequestDocument,
  evidence: readonly EvidenceObject[],
): Provenance => {
  const answer = { feedback, heard: { said: provenance.said, evidence } };
  const shown = { ...trusted, ...labels?.answers };
  return withShown({ ...provenance, answers: [...provenance.answers, answer] }, shown);
};

/** Returns the provenance of a further request: people still know the earlier results, which it does not have. */
export const afterRenewal = (provenance: Provenance, evidence: readonly EvidenceObject[]): Provenance => ({
  ...provenance,
  results: [],
  said: [...provenance.said, ...evidence.flatMap(untrustedIn).map(({ value }) => value)],
});
