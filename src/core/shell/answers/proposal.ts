import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { JsonObject, type UpFeedback } from '../../../../schema/index.ts';
import { didYouMean } from '../../../base/boundary/did-you-mean.ts';
import { isObject } from '../../../base/boundary/is-object.ts';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { pointerTo } from '../../../base/canonical/unreadable.ts';
import type { CharterError } from '../../../base/errors.ts';
import { changedBy } from '../../../base/feedback/apply.ts';
import { inapplicable } from '../../../base/feedback/inapplicable.ts';
import { rankAlternatives } from '../../../base/feedback/rank.ts';
import { partOf } from '../../../base/feedback/target.ts';
import type { CallDocument, OutputDocument } from '../../../base/ports/ledger.ts';
import type { OpenQuestion } from '../../../base/ports/open-question.ts';
import type { Projection } from '../../kernel/projection/projection.ts';
import { outputAskedAbout } from '../../kernel/questions.ts';
import type { TaskView } from '../../kernel/view.ts';
import { asGiven, askedOutput, asShown } from '../../kernel/words.ts';

type Members = Readonly<Record<string, unknown>>;

const restatedMember = (key: string, raw: Members, shown: Members, given: Members): Members => {
  const isRead = Object.hasOwn(shown, key);
  if (isRead && isDeepStrictEqual(given[key], shown[key]))
    return Object.hasOwn(raw, key) ? { [key]: raw[key] } : {}; // the schema adds its additions again
  return {
    [key]: isRead && Object.hasOwn(raw, key) ? restated(raw[key], shown[key], given[key]) : given[key],
  };
};

/**
 * Merges a person's changes into the value before its schema. Unchanged parts stay as proposed, so that no transform
 * runs on its own result.
 */
export const restated = (raw: unknown, shown: unknown, given: unknown): unknown => {
  if (isDeepStrictEqual(given, shown)) return raw;
  if (!isObject(raw) || !isObject(shown) || !isObject(given)) return given;
  return Object.assign({}, ...Object.keys(given).map((key) => restatedMember(key, raw, shown, given)));
};

const membersOf = (value: unknown): Members | null =>
  Array.isArray(value) ? Object.fromEntries(value.entries()) : isObject(value) ? value : null;

/**
 * Returns the JSON Pointer of a part that the person left unchanged and the schema now reads differently; `null` for
 * none.
 */
export const changedBeside = (
  shown: unknown,
  given: unknown,
  read: unknown,
  path: readonly string[] = [],
): string | null => {
  if (isDeepStrictEqual(given, shown)) return isDeepStrictEqual(read, shown) ? null : pointerTo(path);
  const [was, is, now] = [membersOf(shown), membersOf(given), membersOf(read)];
  if (was === null || is === null || now === null) return null;
  for (const key of Object.keys(is).filter((one) => Object.hasOwn(was, one))) {
    const changed = changedBeside(was[key], is[key], now[key], [...path, key]);
    if (changed !== null) return changed;
  }
  return null;
};

/** The value that a message proposes, and a reader for it after an edit. */
export interface Proposal {
  readonly shown: unknown;
  /** Reads the edited value. Throws `document_invalid` if its form is broken. */
  readonly read: (changed: unknown) => unknown;
}

const PlanShown = z.strictObject({
  payload: z.strictObject({ calls: z.unknown(), declares: z.unknown().optional() }),
  explanation: z.unknown(),
  upThought: JsonObject,
});

const DraftShown = z.strictObject({
  payload: JsonObject,
  explanation: z.unknown(),
  upThought: JsonObject,
  upContext: z.unknown().optional(),
});

const ActionShown = z.strictObject({
  payload: z.strictObject({ action: z.strictObject({ arguments: z.unknown() }) }),
});

/** Returns a plan or further calls as their message shows them. */
export const planProposal = (plan: OutputDocument): Proposal => {
  const { payload, explanation, upThought } = askedOutput(plan);
  return {
    shown: { payload, explanation, upThought },
    read: (changed) => {
      const read = parseDocument('plan', PlanShown, changed);
      return { confidence: 'unstated', ...read.upThought, ...read.payload, explanation: read.explanation };
    },
  };
};

/** Returns the payload of a draft that a person edits as it is shown. Throws `feedback_inapplicable` for two members of one name. */
const draftGiven = (payload: Members): Members => {
  const given = asGiven(payload);
  if (Object.keys(given).length < Object.keys(payload).length)
    throw inapplicable('/payload', 'expected `agentcharter:question` or `question`, not both');
  return given;
};

/** Returns a draft as its message shows it. */
export const draftProposal = (draft: OutputDocument): Proposal => {
  const { payload, explanation, upThought, upContext } = askedOutput(draft);
  return {
    shown: { payload: asShown(payload), explanation, upThought, ...(upContext && { upContext }) },
    read: (changed) => {
      const { upThought, payload, ...rest } = parseDocument('draft', DraftShown, changed);
      return { confidence: 'unstated', ...upThought, payload: draftGiven(payload), ...rest };
    },
  };
};

const actionProposal = ({ arguments: input }: CallDocument): Proposal => ({
  shown: { payload: { action: { arguments: input } } },
  read: (changed) => parseDocument('action', ActionShown, changed).payload.action.arguments,
});

const actionIn = ({ calls }: Projection, about: string): CallDocument | undefined =>
  Object.values(calls).find(({ digest }) => digest === about);

/** Returns a person's edit as input for the schema: a transform never runs on its own result. */
const restatedOf = (
  { projection }: TaskView,
  { kind, about }: OpenQuestion,
  value: unknown,
): Pick<Replacement, 'value' | 'kept'> => {
  const action = kind === 'approval' ? actionIn(projection, about) : undefined;
  if (action?.raw !== undefined) {
    const { raw, arguments: shown } = action;
    return { value: restated(raw, shown, value), kept: { shown, given: value } };
  }
  const { draft } = projection;
  if (kind !== 'draft' || draft?.raw === undefined || !isObject(value)) return { value };
  const { raw, payload: shown } = draft;
  const { payload: given } = value;
  return { value: { ...value, payload: restated(raw, shown, given) }, kept: { shown, given } };
};

const proposalIn = ({ context, projection }: TaskView, question: OpenQuestion): Proposal | undefined => {
  const output = outputAskedAbout(context, projection, question);
  if (output !== null) return question.kind === 'draft' ? draftProposal(output) : planProposal(output);
  const action = question.kind === 'approval' ? actionIn(projection, question.about) : undefined;
  return action && actionProposal(action);
};

/** Returns the alternative that a ranking puts first, given whole or by its `id`. */
const bestAlternative = (alternatives: readonly unknown[], ranking: readonly unknown[]): unknown => {
  const [first] = ranking;
  if (first === undefined)
    throw inapplicable('/content', 'the ranking is empty: expected the best alternative first');
  const [named] = rankAlternatives(alternatives, ranking);
  if (!isObject(named) || isObject(first)) return named;
  const { id: _name, ...alternative } = named; // an output has no such member
  return alternative;
};

/** A person's replacement of a proposal, and its location in the feedback. */
export interface Replacement {
  /** The input of the schema that reads it. */
  readonly value: unknown;
  /** The shown and the edited value, if the schema had changed the proposal. */
  readonly kept?: { readonly shown: unknown; readonly given: unknown };
  readonly path: string;
}

/** The members of an edit's content, one of which changes the proposal. */
const changes = ['value', 'edits', 'diff'] as const;

/** Returns the error for an edit that changes nothing, with the nearest name of a member that would. */
const unchanged = (content: unknown): CharterError => {
  const names = isObject(content) ? Object.keys(content) : [];
  const [hint = ''] = names.map((name) => didYouMean(name, changes)).filter((text) => text !== '');
  return inapplicable('/content', `expected an object with one of ${changes.join(', ')}${hint}`);
};

/** What feedback is about: the proposal, if there is one that can be changed, and its alternatives. */
interface Subject {
  readonly proposal: Proposal | undefined;
  readonly alternatives: readonly unknown[];
}

/**
 * Returns what an edit or a ranking puts in the place of a proposal. A `value` replaces it whole. With `target.part`,
 * `edits` or `diff`, pointers refer to the message that proposes it.
 *
 * Throws `feedback_inapplicable` or `document_invalid`.
 */
export const changedProposal = (
  { proposal, alternatives }: Subject,
  feedback: UpFeedback,
): Pick<Replacement, 'value' | 'path'> => {
  const { type, content } = feedback;
  if (type === 'rank') return { value: bestAlternative(alternatives, content), path: '/content/0' };
  if (!isObject(content) || changes.every((name) => content[name] === undefined)) throw unchanged(content);
  const isValue = content['edits'] === undefined && content['diff'] === undefined;
  if (partOf(feedback) === '' && isValue) return { value: content['value'], path: '/content/value' };
  if (proposal === undefined)
    throw inapplicable(
      '/content',
      'nothing was proposed that could be changed: expected a value, and no part',
    );
  return { value: proposal.read(changedBy(proposal.shown, feedback)), path: '/content' };
};

/**
 * Returns the replacement of an edit or a ranking of what a question proposes.
 *
 * Throws `feedback_inapplicable` or `document_invalid`.
 */
export const replacementOf = (view: TaskView, question: OpenQuestion, feedback: UpFeedback): Replacement => {
  const output = outputAskedAbout(view.context, view.projection, question);
  const alternatives = output?.upThought.alternatives ?? [];
  const { value, path } = changedProposal({ proposal: proposalIn(view, question), alternatives }, feedback);
  return feedback.type === 'rank' ? { value, path } : { ...restatedOf(view, question, value), path };
};
