import {
  ControlClass,
  EvidenceType,
  FeedbackType,
  OperationalState,
  Outcome,
  Phase,
  ReasonCode,
  RiskTier,
  type EvidenceObject,
} from '../../../schema/index.ts';
import { callSentence } from '../../base/boundary/call-sentence.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { Effort } from '../../gates/origins/effort.ts';
import { hasReference } from '../../gates/origins/references.ts';
import { hiddenKey, isHidden, quotesHidden } from '../../gates/origins/sources.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { CallDocument } from '../../base/ports/ledger.ts';
import type { Projection } from '../kernel/projection/projection.ts';
import { noProposals } from '../kernel/projection/proposals.ts';
import type { InboxEntry } from '../kernel/summary.ts';

/** In place of a value that the agent is not shown. */
const notShown = '[not shown]';

/** What decides what the agent of a task may see: its calls as it proposed them, and the results that are hidden from it. */
export interface Shown extends Pick<Projection, 'calls' | 'proposals' | 'evidence'> {
  readonly provenance: Pick<Projection['provenance'], 'earlier'>;
}

/** Returns the same of documents alone, for a task whose records cannot be projected here: then no call is known. */
export const shownIn = (emitted: readonly Emission[]): Shown => ({
  calls: {},
  proposals: noProposals,
  evidence: Object.fromEntries(
    emitted.flatMap(({ name, document }) =>
      name === 'EvidenceObject' ? [[document.evidence_id, document] as const] : [],
    ),
  ),
  provenance: { earlier: [] },
});

/**
 * Returns a call as its agent may see it: with references in place of values that it may not be shown, and without the
 * words that its tool made of them.
 */
export const callForAgent = ({ calls, proposals }: Shown, call: CallDocument): CallDocument => {
  const { summary: _summary, mapping: _mapping, raw: _raw, ...shown } = call;
  if (calls[call.id] === undefined) return { ...shown, arguments: {} }; // of an earlier request
  const { given } = proposals.calls.get(call.id) ?? {};
  return hasReference(given) ? { ...shown, arguments: given } : call;
};

/** Returns the results of a task that its agent is not shown, also those of earlier requests. */
const hiddenIn = ({ evidence, provenance }: Shown): readonly EvidenceObject[] =>
  [...Object.values(evidence), ...provenance.earlier].filter(isHidden);

const isCall = (value: object): value is CallDocument =>
  'id' in value &&
  typeof value.id === 'string' &&
  'tool' in value &&
  'arguments' in value &&
  'digest' in value;

/** Words of documents that say nothing of what others wrote, whatever a hidden result has in it. */
const vocabulary: ReadonlySet<unknown> = new Set([
  ...[
    ControlClass,
    EvidenceType,
    FeedbackType,
    OperationalState,
    Outcome,
    Phase,
    ReasonCode,
    RiskTier,
  ].flatMap(({ options }): readonly string[] => options),
  'approval',
  'information',
  'needs_review',
]);

/** Members of documents that others write, with the names in them. */
const dataMembers: ReadonlySet<string> = new Set([
  'arguments',
  'content',
  'given',
  'mapping',
  'payload',
  'raw',
  'upContext',
  'upThought',
  'value',
]);

/** What this library writes into the payload of a message, beside what others do. */
const ownMembers: ReadonlySet<string> = new Set([
  'action',
  'dependencies',
  'evidence',
  'missingEvidence',
  'policy',
  'question',
  'reasonCodes',
  'reasons',
  'tier',
  'writes',
]);

/** Copies documents of a task without what its agent is not shown. */
class Redaction {
  readonly #projection: Shown;
  readonly #hidden: readonly EvidenceObject[];
  readonly #effort = new Effort();

  constructor(projection: Shown) {
    this.#projection = projection;
    this.#hidden = hiddenIn(projection);
  }

  get isNeeded(): boolean {
    return this.#hidden.length > 0;
  }

  /** Returns a copy of a document: hidden payloads left out, calls as they were proposed, and texts that quote a hidden result. */
  of(value: unknown): unknown {
    if (typeof value === 'string') return vocabulary.has(value) ? value : this.#data(value);
    if (Array.isArray(value)) return value.map((one) => this.of(one));
    if (!isObject(value)) return value;
    const shown = isCall(value) ? { ...callForAgent(this.#projection, value) } : value;
    return Object.fromEntries(
      Object.entries(shown).flatMap(([name, one]) => {
        if (name === 'payload' && value[hiddenKey] === true) return [];
        if (name === 'payload' && isObject(one) && 'messageId' in value) return [[name, this.#payload(one)]];
        return [[name, dataMembers.has(name) ? this.#data(one) : this.of(one)]];
      }),
    );
  }

  /** Returns a copy of the payload of a message, in which this library and others write. */
  #payload(value: Readonly<Record<string, unknown>>): unknown {
    const members = Object.entries(value).map(([name, one]) =>
      ownMembers.has(name) ? [name, this.of(one)] : [this.#data(name), this.#data(one)],
    );
    return Object.fromEntries(members);
  }

  /** Returns a copy of what others wrote, with its names. */
  #data(value: unknown): unknown {
    if (typeof value === 'string' || typeof value === 'number')
      return quotesHidden(value, this.#hidden, this.#effort) ? notShown : value;
    if (Array.isArray(value)) return value.map((one) => this.#data(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [this.#data(name), this.#data(one)]),
    );
  }
}

/** Returns a text of others as the agent of a task may see it. */
export const textForAgent = (text: string, projection: Shown): string =>
  quotesHidden(text, hiddenIn(projection), new Effort()) ? notShown : text;

/** Returns the documents that a task emitted as its agent may see them. Signed approvals are for people. */
export const documentsForAgent = (emitted: readonly Emission[], projection: Shown): readonly Emission[] => {
  const documents = emitted.filter(
    ({ name, document }) => name !== 'EvidenceObject' || document.evidence_type !== 'approval_token',
  );
  const redaction = new Redaction(projection);
  if (!redaction.isNeeded) return documents;
  // only texts, payloads and arguments change
  return deepFreeze(
    documents.map(({ name, document }) => ({ name, document: redaction.of(document) }) as Emission),
  );
};

/** Returns the question of a nested task as the agent of the outer one may see it: without what the nested one has read. */
const nestedQuestion = ({ question, message, ...entry }: InboxEntry): InboxEntry => {
  const { summary: _summary, reasons: _reasons, ...asked } = question;
  const { upThought: _thought, upContext: _context, ...said } = message;
  return {
    ...entry,
    question: asked,
    message: { ...said, explanation: 'A nested task waits for a person.', payload: {} },
  };
};

const shownQuestion = (entry: InboxEntry, taskId: string, redaction: Redaction): InboxEntry => {
  if (entry.taskId !== taskId) return nestedQuestion(entry);
  if (!redaction.isNeeded) return entry;
  const shown = redaction.of(entry) as InboxEntry; // only texts, payloads and arguments change
  const { action } = shown.message.payload; // its names are this library's
  if (!isObject(action) || !isCall(action)) return shown;
  const explanation = callSentence(action);
  const { summary: _summary, ...asked } = shown.question;
  return {
    ...shown,
    question: { ...asked, ...(shown.question.summary !== undefined && { summary: explanation }) },
    message: { ...shown.message, explanation },
  };
};

/** Returns an open question of a task or its nested tasks as the agent of the task may see it. */
export const questionForAgent = (entry: InboxEntry, taskId: string, projection: Shown): InboxEntry =>
  deepFreeze(shownQuestion(entry, taskId, new Redaction(projection)));

/** Returns the open questions of a task and its nested tasks as its agent may see them. */
export const questionsForAgent = (
  entries: readonly InboxEntry[],
  taskId: string,
  projection: Shown,
): readonly InboxEntry[] => {
  const redaction = new Redaction(projection);
  return deepFreeze(entries.map((entry) => shownQuestion(entry, taskId, redaction)));
};
