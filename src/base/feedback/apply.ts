import { UpFeedback, type Annotation, type FeedbackContent, type TextEdit } from '../../../schema/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { filledIn } from './feedback.ts';
import { applicable, inapplicable } from './inapplicable.ts';
import { jsonPatched } from './json-patch.ts';
import { mergePatched } from './merge-patch.ts';
import { described, replaceAt, valueAt, type Draft } from './place.ts';
import { rankAlternatives } from './rank.ts';
import { partOf } from './target.ts';
import { edited, textOf, type PlacedEdit } from './text-edits.ts';

/** An annotation, and the value that it annotates. */
export interface Remark {
  /** JSON Pointer (RFC 6901) into the target before the feedback. */
  readonly part: string;
  /** The annotated value, or the annotated range of its text. */
  readonly on: unknown;
  readonly text: string;
}

/** The result of applying feedback. */
export interface Applied {
  /** Frozen; the original target, if the feedback changes nothing. */
  readonly value: unknown;
  readonly annotations: readonly Remark[];
  /** The accompanying text; `null` for none. */
  readonly text: string | null;
}

type Structured = Exclude<FeedbackContent, string | readonly unknown[]>;

const structured = (content: FeedbackContent | undefined): Structured =>
  typeof content === 'object' && !Array.isArray(content) ? content : {};

const remark = (target: unknown, within: string, annotation: Annotation, at: number): Remark => {
  const path = `/content/annotations/${at}`;
  const part = within + (annotation.part ?? '');
  const on = valueAt(target, part, annotation.part === undefined ? path : `${path}/part`);
  const { offset, length, text } = annotation;
  if (offset === undefined && length === undefined) return { part, on, text };
  const from = offset ?? 0;
  const rest = typeof on === 'string' ? Math.max(0, on.length - from) : 0;
  const piece = textOf(on, { offset: from, length: length ?? rest }, path);
  return { part, on: piece.slice(from, from + (length ?? rest)), text };
};

/** Applies text edits; all offsets count in the original text. */
const edit = (draft: Draft, within: string, edits: readonly TextEdit[]): void => {
  const parts = new Map<string, PlacedEdit[]>();
  edits.forEach((one, at) => {
    const part = within + (one.part ?? '');
    const placed = parts.get(part) ?? [];
    placed.push({ edit: one, path: `/content/edits/${at}` });
    parts.set(part, placed);
  });
  for (const [part, placed] of parts) {
    const path = placed[0]?.path ?? '/content/edits';
    replaceAt(draft, part, edited(valueAt(draft.whole, part, path), placed), path);
  }
};

const diffed = (value: unknown, diff: NonNullable<Structured['diff']>): unknown =>
  Array.isArray(diff) ? jsonPatched(value, diff, '/content/diff') : mergePatched(value, diff);

const change = (draft: Draft, within: string, content: Structured): void => {
  const { value, edits, diff } = content;
  const changes = (['value', 'edits', 'diff'] as const).filter((name) => content[name] !== undefined);
  if (changes.length !== 1)
    throw inapplicable(
      '/content',
      `it has ${changes.join(' and ') || 'no change'}: expected one of value, edits, diff`,
    );
  const part = valueAt(draft.whole, within, '/target/part');
  if (edits !== undefined) edit(draft, within, edits);
  else replaceAt(draft, within, diff === undefined ? value : diffed(part, diff), '/target/part');
};

const rank = (draft: Draft, within: string, ranking: readonly unknown[]): void => {
  const alternatives = valueAt(draft.whole, within, '/target/part');
  if (!Array.isArray(alternatives))
    throw inapplicable('/target', `a ranking orders an array, and this is ${described(alternatives)}`);
  replaceAt(draft, within, rankAlternatives(alternatives, ranking), '/target/part');
};

/** Returns a value after parsed feedback: an edit or a ranking changes it. Throws `feedback_inapplicable`. */
export const changedBy = (shown: unknown, feedback: UpFeedback): unknown => {
  const draft = { whole: structuredClone(shown) };
  const { type, content } = feedback;
  if (type === 'edit') change(draft, partOf(feedback), structured(content));
  if (type === 'rank') rank(draft, partOf(feedback), content);
  return applicable('/content', () => frozenCopy(draft.whole, 'the changed target'));
};

/**
 * Returns the remarks of parsed feedback. Throws `feedback_inapplicable` if its target part or an annotated part
 * does not exist.
 */
export const remarksIn = (shown: unknown, feedback: UpFeedback): readonly Remark[] => {
  const { annotations = [] } = structured(feedback.content);
  valueAt(shown, partOf(feedback), '/target/part');
  return annotations.map((annotation, at) => remark(shown, partOf(feedback), annotation, at));
};

/**
 * Applies feedback to its target (UpFormat 2.2, Table 2): an edit's `value`, `edits` or `diff`, or a ranking of an
 * array. Feedback of another type changes nothing.
 *
 * `target.part` is a pointer into the target; pointers in the content continue from there. Offsets count UTF-16 code
 * units in the original. Throws `feedback_inapplicable`, `document_invalid` or `input_unreadable`. The target itself
 * is never changed.
 */
export const applyFeedback = (target: unknown, feedback: unknown): Applied => {
  const shown = frozenCopy(target, 'target');
  const read = parseDocument('UpFeedback', UpFeedback, frozenCopy(filledIn(feedback), 'UpFeedback'));
  const { content } = read;
  const annotations = remarksIn(shown, read);
  const text = typeof content === 'string' ? content : (structured(content).text ?? null);
  return { value: changedBy(shown, read), annotations, text };
};
