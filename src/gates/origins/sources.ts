import { isObject } from '../../base/boundary/is-object.ts';
import type { EvidenceObject, UpFeedback } from '../../../schema/index.ts';
import { referencesIn } from '../../base/canonical/blobs.ts';
import { callKey } from '../evidence/fault.ts';
import type { CallDocument, RequestDocument } from '../../base/ports/ledger.ts';
import type { SourceListing } from '../../base/ports/model.ts';
import type { Label, Labels, Origin, Readers } from '../../base/ports/origin.ts';
import { commonReaders, joined, joinedAll, labelIn, labelOf, trusted, unlabelled } from './label.ts';
import { Effort } from './effort.ts';
import { namesAndLeavesOf, normalForm, type Leaf } from './leaves.ts';
import { isEchoing, isQuoting, isRepeating, spellingOf, type Spelling } from './spelling.ts';
import { cachedByDocument } from './text-index.ts';

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

/** What is known of a value in a document: its label, and whether it only repeats what the call of this result asked. */
interface Standing {
  readonly label: Label;
  readonly isEcho?: true;
  /** A person endorsed it. */
  readonly isEndorsed?: true;
}

/** Returns the spelling of a part of a document; `undefined` for one that says too little. */
export type Part = () => Spelling | undefined;

/** Returns the part that a value is. It is spelled once, when it is needed. */
export const partOf = (value: unknown): Part => {
  let spelled: ReturnType<Part>;
  return () => {
    const form = normalForm(value);
    return (spelled ??= form === undefined ? undefined : unlessEmpty(spellingOf(form)));
  };
};

/** A document that a value may come from, under the name that the model knows. */
export interface Source {
  readonly alias: string;
  readonly value: unknown;
  /** Returns what is known of the value at a pointer, or of a part of it, or of the name of the member there. */
  readonly at: (pointer: string, effort: Effort, part?: Part) => Standing;
  /** The evidence that it is, if it is the result of a tool. */
  readonly evidence?: EvidenceObject;
}

/** A value or a name that says where it comes from, as it takes trust away. */
interface Told extends Leaf {
  readonly spelling: Spelling;
}

/** Returns a spelling; `undefined` for one of nothing but what is not seen, which stands in every text. */
const unlessEmpty = (spelling: Spelling): Spelling | undefined =>
  spelling.own === '' ? undefined : spelling;

/** Returns the values and the names of a document that say where they come from. */
const toldIn = cachedByDocument((value): readonly Told[] =>
  namesAndLeavesOf(value).flatMap((leaf) => {
    const spelling =
      normalForm(leaf.value) === undefined ? undefined : unlessEmpty(spellingOf(String(leaf.value)));
    return spelling === undefined ? [] : { ...leaf, spelling };
  }),
);

/** Returns the values of a document that say where they come from, by pointer. */
const valuesByPointer = cachedByDocument(
  (value): ReadonlyMap<string, Told> =>
    new Map(toldIn(value).flatMap((told) => (told.isName === true ? [] : [[told.pointer, told] as const]))),
);

const isLabels = (value: unknown): value is Labels => isObject(value);

/** Returns the labels of an evidence object, as they were sealed with it; without them it is untrusted. */
const labelsOfEvidence = (evidence: EvidenceObject): Labels => {
  const labels = evidence[labelsKey];
  return isLabels(labels) ? labels : {};
};

/** Returns the label of a value in an evidence object's payload. */
const labelAtEvidence = (evidence: EvidenceObject, pointer: string): Label =>
  labelIn(evidence.payload ?? null, labelsOfEvidence(evidence), pointer);

/** Returns the label of a whole evidence object. */
export const labelOfEvidence = (evidence: EvidenceObject): Label => labelOf(labelsOfEvidence(evidence));

/** Returns the label of a whole request. */
export const labelOfRequest = ({ labels }: RequestDocument): Label => labelOf(labels?.request ?? {}, trusted);

const requestSource = ({ payload, labels }: RequestDocument): Source => ({
  alias: 'request',
  value: payload,
  at: (pointer) => ({ label: labelIn(payload, labels?.request ?? {}, pointer, trusted) }),
});

/** Returns the spelling of a part, or of the value at a pointer; `undefined` for one that says too little. */
const spellingAt = (document: unknown, pointer: string, part: Part | undefined): Spelling | undefined =>
  part === undefined ? valuesByPointer(document).get(pointer)?.spelling : part();

/** Returns the label of what a person repeats: to repeat it is not to endorse it. */
const repeatedLabel = (value: Spelling, { said, evidence }: LabelledAnswer, effort: Effort): Label => {
  const isThere = ({ spelling }: Told): boolean =>
    effort.allowsPair(value, spelling) && isRepeating(value, spelling);
  const isSaid = said.some((words) => toldIn(words).some(isThere));
  const labels = evidence.flatMap((one) => {
    if (referencesIn(one.payload).length > 0) return [labelOfEvidence(one)]; // it was shown, and cannot be searched
    return toldIn(one.payload ?? null)
      .filter(isThere)
      .map(({ pointer }) => labelAtEvidence(one, pointer));
  });
  return joinedAll([...labels, ...(isSaid ? [unlabelled] : [])]);
};

/** Returns the label of what words tell the model of results that it is not shown. */
export const disclosedIn = (words: unknown, evidence: readonly EvidenceObject[]): Label => {
  const hidden = evidence.filter(isHidden);
  if (hidden.length === 0) return trusted;
  const told = toldIn(words ?? null);
  const effort = new Effort();
  return joinedAll(
    hidden.flatMap((one) =>
      toldIn(one.payload ?? null)
        .filter(({ spelling: secret }) =>
          told.some(({ spelling }) => !effort.allowsPair(spelling, secret) || isQuoting(spelling, secret)),
        )
        .map(({ pointer }) => labelAtEvidence(one, pointer)),
    ),
  );
};

/** What names, digests and times look like: they repeat a hidden result only if it is the same. */
const formal =
  /^(?:(?:approval|doubt|rollback|sha256):)*[\da-f-]{36,64}$|^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/i;

/** Returns whether a text or a number tells of results that the model is not shown; also if that is too much to compare. */
export const quotesHidden = (
  value: string | number,
  hidden: readonly EvidenceObject[],
  effort: Effort,
): boolean => {
  if (normalForm(value) === undefined) return false;
  const told = unlessEmpty(spellingOf(String(value)));
  if (told === undefined) return false;
  const isWord = told.identifiers.length === 0 && !told.own.includes(' ');
  const isTelling = ({ value: secret, spelling }: Told): boolean => {
    if (formal.test(String(value))) return secret === value;
    return isWord ? told.plain.includes(spelling.own) : isQuoting(told, spelling);
  };
  return hidden.some((one) =>
    toldIn(one.payload ?? null).some(
      (secret) => !effort.allowsPair(told, secret.spelling) || isTelling(secret),
    ),
  );
};

const answerSource = ({ labels }: RequestDocument, answer: LabelledAnswer, number: number): Source => {
  const value = answer.feedback.content ?? null;
  const own = { ...trusted, ...labels?.answers };
  return {
    alias: `answer-${number + 1}`,
    value,
    at: (pointer, effort, part) => {
      const spelling = spellingAt(value, pointer, part);
      return { label: spelling ? joined(own, repeatedLabel(spelling, answer, effort)) : own };
    },
  };
};

/** Returns the label of what a call was given by reference: the model need not have been shown it. */
export const labelOfReferences = ({ origins }: Pick<CallDocument, 'origins'>): Label =>
  joinedAll((origins?.values ?? []).filter(({ isReference }) => isReference === true));

/** Something that a call asked its tool, and who may read it. */
interface AskedValue extends Told {
  readonly readers: Readers;
}

const keyOf = ({ at, isName }: Pick<Origin, 'at' | 'isName'>): string => `${isName === true} ${at}`;

const askedBy = new WeakMap<AskedCall, readonly AskedValue[]>();

/** Returns what a call asked its tool: its values, and the names that its tool did not define. */
const askedIn = (call: AskedCall): readonly AskedValue[] => {
  const known = askedBy.get(call);
  if (known !== undefined) return known;
  const origins = new Map((call.origins?.values ?? []).map((origin) => [keyOf(origin), origin]));
  const asked = toldIn(call.arguments).flatMap((told) => {
    const origin = origins.get(keyOf({ ...told, at: told.pointer }));
    if (told.isName === true && origin === undefined) return [];
    return { ...told, readers: origin?.readers ?? trusted.readers };
  });
  askedBy.set(call, asked);
  return asked;
};

/** Returns whether a result repeats what stands in the arguments of its call; also if that is too much to compare. */
export const isEcho = (evidence: EvidenceObject, calls: RunSources['calls']): boolean => {
  const call = calls[String(evidence[callKey])];
  if (call === undefined) return true; // it is not known what it was asked
  const asked = askedIn(call);
  const effort = new Effort();
  return (
    asked.length > 0 &&
    toldIn(evidence.payload ?? null).some(({ spelling }) =>
      asked.some((one) => !effort.allowsPair(spelling, one.spelling) || isEchoing(spelling, one.spelling)),
    )
  );
};

/**
 * Returns the source that a result is. What it repeats of its call's arguments is not the word of its tool. Those who may
 * not read what the call was given by reference, or what it repeats, may not read it from the result either.
 */
const resultSource = (evidence: EvidenceObject, alias: string, calls: RunSources['calls']): Source => {
  const value = evidence.payload ?? null;
  const labels = labelsOfEvidence(evidence);
  const call = calls[String(evidence[callKey])];
  const given: Label = { ...labelOfReferences(call ?? {}), integrity: 'trusted' };
  const asked = call === undefined ? [] : askedIn(call);
  /** Returns who may read what a value only repeats; `undefined` if it is the word of the tool. */
  const echoReaders = (pointer: string, effort: Effort, part: Part | undefined): Readers | undefined => {
    if (call === undefined) return trusted.readers; // it is not known what it was asked
    const spelling = asked.length === 0 ? undefined : spellingAt(value, pointer, part);
    if (spelling === undefined) return undefined;
    const repeated = asked.filter(
      (one) => effort.allowsPair(spelling, one.spelling) && isEchoing(spelling, one.spelling),
    );
    if (repeated.length === 0) return undefined;
    return repeated.map(({ readers }) => readers).reduce(commonReaders);
  };
  return {
    alias,
    value,
    at: (pointer, effort, part) => {
      const label = joined(labelIn(value, labels, pointer), given);
      const readers = echoReaders(pointer, effort, part);
      if (readers === undefined) return { label };
      return { label: joined(label, { integrity: 'untrusted', readers }), isEcho: true };
    },
    evidence,
  };
};

/** Returns the documents that values may come from: the request, the answers, and the results of tools. */
export const sourcesOf = ({ request, answers, evidence, calls }: RunSources): readonly Source[] => {
  const counts = new Map<string, number>();
  const results = evidence.map((one): Source => {
    const count = (counts.get(one.source) ?? 0) + 1;
    counts.set(one.source, count);
    return resultSource(one, `${one.source}#${count}`, calls);
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
