import { isObject } from '../boundary/is-object.ts';
import type { EvidenceObject, UpFeedback } from '../../schema/index.ts';
import { isDeeplyFrozen } from '../canonical/deep-freeze.ts';
import { callKey } from '../evidence/fault.ts';
import type { CallDocument, RequestDocument } from '../ports/ledger.ts';
import type { SourceListing } from '../ports/model.ts';
import type { Label, Labels, Readers } from '../ports/origin.ts';
import { joined, joinedAll, labelAt, labelOf, trusted, unlabelled } from './label.ts';
import {
  isEchoing,
  isQuoting,
  isRepeating,
  leavesOf,
  normalForm,
  normalText,
  spellingOf,
  type Leaf,
  type Spelling,
} from './leaves.ts';

/** The member of an evidence object that holds its labels. */
export const labelsKey = 'agentcharter:labels';

/** The member of an evidence object that was not shown to the model. */
export const hiddenKey = 'agentcharter:hidden';

/** An answer of a person, and what there was to repeat when it was given. */
export interface LabelledAnswer {
  readonly feedback: UpFeedback;
  /** What models, tools and other participants said without evidence. */
  readonly said: readonly unknown[];
  readonly evidence: readonly EvidenceObject[];
}

/** What the values of a run's calls are looked for in. */
interface RunSources {
  readonly request: RequestDocument;
  readonly answers: readonly LabelledAnswer[];
  /** In the order in which it was recorded. */
  readonly evidence: readonly EvidenceObject[];
  /** The calls of the run, by id. */
  readonly calls: Readonly<Record<string, AskedCall>>;
}

/** What a call asked its tool, and where that came from. */
type AskedCall = Pick<CallDocument, 'arguments' | 'origins'>;

/** A document that a value may come from, under the name that the model knows. */
export interface Source {
  readonly alias: string;
  readonly value: unknown;
  /** Returns the label of the value at a pointer, or of a part of it by its normal form. */
  readonly labelAt: (pointer: string, part?: string) => Label;
  /** Returns whether the value at a pointer, or this part of it, only repeats what the call of this result asked. */
  readonly isEchoAt: (pointer: string, part?: string) => boolean;
  /** The evidence that it is, if it is the result of a tool. */
  readonly evidence?: EvidenceObject;
}

interface FoundLeaf extends Leaf {
  readonly form: string;
}

const found = new WeakMap<object, readonly FoundLeaf[]>();

/** Returns the values of a document that have a normal form; those of a frozen one are kept. */
export const formsIn = (value: unknown): readonly FoundLeaf[] => {
  const known = isObject(value) || Array.isArray(value) ? found.get(value) : undefined;
  if (known !== undefined) return known;
  const forms = leavesOf(value).flatMap((leaf): readonly FoundLeaf[] => {
    if (typeof leaf.value === 'string') return [{ ...leaf, form: normalText(leaf.value) }];
    return typeof leaf.value === 'number' ? [{ ...leaf, form: String(leaf.value) }] : [];
  });
  if (typeof value === 'object' && value !== null && isDeeplyFrozen(value)) found.set(value, forms);
  return forms;
};

const spelled = new WeakMap<FoundLeaf, Spelling>();

/** Returns the spelling of a value; that of a frozen document is kept with its forms. */
const spellingIn = (leaf: FoundLeaf): Spelling => {
  const known = spelled.get(leaf);
  if (known !== undefined) return known;
  const spelling = spellingOf(leaf.form);
  spelled.set(leaf, spelling);
  return spelling;
};

/** Returns the values of a document that say where they come from. */
const tellingIn = (value: unknown): readonly FoundLeaf[] =>
  formsIn(value).filter((leaf) => normalForm(leaf.value) !== undefined);

/** Returns the normal form of the value at a pointer; `undefined` for one that says too little. */
const formAt = (value: unknown, pointer: string): string | undefined =>
  normalForm(formsIn(value).find((leaf) => leaf.pointer === pointer)?.value);

const isLabels = (value: unknown): value is Labels => isObject(value);

/** Returns the labels of an evidence object, as they were sealed with it; without them it is untrusted. */
const labelsOfEvidence = (evidence: EvidenceObject): Labels => {
  const labels = evidence[labelsKey];
  return isLabels(labels) ? labels : {};
};

/** Returns the label of a value in an evidence object's payload. */
const labelAtEvidence = (evidence: EvidenceObject, pointer: string): Label =>
  labelAt(labelsOfEvidence(evidence), pointer);

/** Returns the label of a whole evidence object. */
export const labelOfEvidence = (evidence: EvidenceObject): Label => labelOf(labelsOfEvidence(evidence));

/** Returns the label of what a model is shown at first: the request, and the context beside it. */
export const labelAtFirst = ({ labels }: RequestDocument): Label =>
  joined(labelOf(labels?.request ?? {}, trusted), labels?.context ?? trusted);

const requestSource = ({ payload, labels }: RequestDocument): Source => ({
  alias: 'request',
  value: payload,
  labelAt: (pointer) => labelAt(labels?.request ?? {}, pointer, trusted),
  isEchoAt: () => false,
});

/** Returns the labels of what a person repeats, by its normal form: to repeat it is not to endorse it. */
const repeatedLabels = (form: string, { said, evidence }: LabelledAnswer): readonly Label[] => {
  const value = spellingOf(form);
  const isThere = (leaf: FoundLeaf): boolean => isRepeating(value, spellingIn(leaf));
  const isSaid = said.some((words) => formsIn(words).some(isThere));
  const labels = evidence.flatMap((one) =>
    formsIn(one.payload ?? null)
      .filter(isThere)
      .map(({ pointer }) => labelAtEvidence(one, pointer)),
  );
  return isSaid ? [...labels, unlabelled] : labels;
};

/** Returns the label of what words tell the model of results that it is not shown. */
export const disclosedIn = (words: unknown, evidence: readonly EvidenceObject[]): Label => {
  const told = tellingIn(words ?? null).map(spellingIn);
  return joinedAll(
    evidence.filter(isHidden).flatMap((one) =>
      tellingIn(one.payload ?? null)
        .filter((leaf) => told.some((spelling) => isQuoting(spelling, spellingIn(leaf))))
        .map(({ pointer }) => labelAtEvidence(one, pointer)),
    ),
  );
};

const answerSource = ({ labels }: RequestDocument, answer: LabelledAnswer, at: number): Source => {
  const value = answer.feedback.content ?? null;
  const own = { ...trusted, ...labels?.answers };
  return {
    alias: `answer-${at + 1}`,
    value,
    labelAt: (pointer, part = formAt(value, pointer)) =>
      joinedAll([own, ...(part === undefined ? [] : repeatedLabels(part, answer))]),
    isEchoAt: () => false,
  };
};

/** Returns the label of what a call was given by reference: the model need not have been shown it. */
export const labelOfReferences = ({ origins }: Pick<CallDocument, 'origins'>): Label =>
  joinedAll((origins?.values ?? []).filter(({ isReference }) => isReference === true));

/** Returns whether a result repeats what stands in the arguments of its call. */
export const isEcho = (evidence: EvidenceObject, calls: RunSources['calls']): boolean => {
  const call = calls[String(evidence[callKey])];
  if (call === undefined) return true; // it is not known what it was asked
  const asked = tellingIn(call.arguments).map(spellingIn);
  return (
    asked.length > 0 &&
    tellingIn(evidence.payload ?? null).some((leaf) => asked.some((one) => isEchoing(spellingIn(leaf), one)))
  );
};

/**
 * Returns the labels of a result. What it repeats of its call's arguments is not the word of its tool. Those who may not
 * read what the call was given by reference, or what it repeats, may not read it from the result either.
 */
const resultLabels = (
  evidence: EvidenceObject,
  calls: RunSources['calls'],
): Pick<Source, 'labelAt' | 'isEchoAt'> => {
  const labels = labelsOfEvidence(evidence);
  const call = calls[String(evidence[callKey])];
  const given: Label = { ...labelOfReferences(call ?? {}), integrity: 'trusted' };
  const asked = call === undefined ? [] : tellingIn(call.arguments);
  const origins = new Map((call?.origins?.values ?? []).map((origin) => [origin.at, origin]));
  /** Returns who may read what a value only repeats; `undefined` if it is the word of the tool. */
  const echoReaders = (
    pointer: string,
    part = formAt(evidence.payload ?? null, pointer),
  ): Readers | undefined => {
    if (call === undefined) return 'anyone'; // it is not known what it was asked
    if (asked.length === 0 || part === undefined) return undefined;
    const value = spellingOf(part);
    const repeated = asked.filter((leaf) => isEchoing(value, spellingIn(leaf)));
    if (repeated.length === 0) return undefined;
    return joinedAll(repeated.map((leaf) => origins.get(leaf.pointer) ?? trusted)).readers;
  };
  return {
    labelAt: (pointer, part) => {
      const label = joined(labelAt(labels, pointer), given);
      const readers = echoReaders(pointer, part);
      return readers === undefined ? label : joined(label, { integrity: 'untrusted', readers });
    },
    isEchoAt: (pointer, part) => echoReaders(pointer, part) !== undefined,
  };
};

/** Returns the documents that values may come from: the request, the answers, and the results of tools. */
export const sourcesOf = ({ request, answers, evidence, calls }: RunSources): readonly Source[] => {
  const counts = new Map<string, number>();
  const results = evidence.map((one): Source => {
    const count = (counts.get(one.source) ?? 0) + 1;
    counts.set(one.source, count);
    return {
      alias: `${one.source}#${count}`,
      value: one.payload ?? null,
      ...resultLabels(one, calls),
      evidence: one,
    };
  });
  return [requestSource(request), ...answers.map((one, at) => answerSource(request, one, at)), ...results];
};

/** Returns whether evidence is not shown to the model. */
export const isHidden = (evidence: EvidenceObject): boolean => evidence[hiddenKey] === true;

/** Returns whether a source is a result that is not shown to the model. */
export const isHiddenSource = ({ evidence }: Source): boolean => evidence !== undefined && isHidden(evidence);

/** Returns the sources as a model sees them. */
export const listedSources = (sources: readonly Source[]): readonly SourceListing[] =>
  sources.map(({ alias, evidence }) => ({
    alias,
    ...(evidence && { evidence: evidence.evidence_id }),
    ...(evidence && isHidden(evidence) && { isHidden: true as const }),
  }));
