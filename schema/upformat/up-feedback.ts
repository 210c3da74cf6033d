import * as z from 'zod';
import { JsonPointer, JsonValue, Uuid } from '../formats.ts';
import { Annotation, JsonPatch, MergePatch, TextEdit } from './revision.ts';

/** The kind of a response to a target. UpFormat Table 2. */
export const FeedbackType = z.enum(['edit', 'approve', 'reject', 'rank', 'comment', 'instruction']);
export type FeedbackType = z.infer<typeof FeedbackType>;

/** The target of feedback: a message by its `messageId`, or a part of that message. UpFormat Table 2. */
export const FeedbackTarget = z.union([
  Uuid,
  z.looseObject({ messageId: Uuid, part: JsonPointer.optional() }),
]);
export type FeedbackTarget = z.infer<typeof FeedbackTarget>;

/** The parts of the target from best to worst. Each is a name or the whole part. */
export const Ranking = z.array(JsonValue);
export type Ranking = z.infer<typeof Ranking>;

/**
 * The content of feedback: a text, a ranking, or an object. `value` replaces the whole target. In `diff`, an array
 * is a JSON Patch and an object a merge patch. UpFormat 2.2, Table 2.
 */
export const FeedbackContent = z.union([
  z.string(),
  Ranking,
  z.looseObject({
    text: z.string().optional(),
    value: JsonValue.optional(),
    edits: z.array(TextEdit).optional(),
    annotations: z.array(Annotation).optional(),
    diff: z.union([JsonPatch, MergePatch]).optional(),
  }),
]);
export type FeedbackContent = z.infer<typeof FeedbackContent>;

const Weight = z.union([z.string(), z.number()]);

const targeted = {
  target: FeedbackTarget,
  metadata: z.looseObject({ severity: Weight.optional(), priority: Weight.optional() }).optional(),
};

/** A response to a message or a part of it. Only `rank` requires content: an ordered array. UpFormat 2.2, Table 2. */
export const UpFeedback = z.discriminatedUnion('type', [
  z.looseObject({
    type: FeedbackType.exclude(['rank']),
    ...targeted,
    content: FeedbackContent.optional(),
  }),
  z.looseObject({ type: FeedbackType.extract(['rank']), ...targeted, content: Ranking }),
]);
export type UpFeedback = z.infer<typeof UpFeedback>;
