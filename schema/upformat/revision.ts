import * as z from 'zod';
import { JsonObject, JsonPointer, JsonValue } from '../formats.ts';

const Characters = z.int().min(0);

/**
 * A replacement inside a string: `text` replaces `length` UTF-16 code units from `offset`. `part` locates the
 * string.
 */
export const TextEdit = z.looseObject({
  part: JsonPointer.optional(),
  offset: Characters,
  length: Characters,
  text: z.string(),
});
export type TextEdit = z.infer<typeof TextEdit>;

/** A remark on a part, or on a range of the string at that part (UTF-16 code units). */
export const Annotation = z.looseObject({
  part: JsonPointer.optional(),
  offset: Characters.optional(),
  length: Characters.optional(),
  text: z.string(),
});
export type Annotation = z.infer<typeof Annotation>;

/** A diff as a sequence of operations, applied in order. RFC 6902. */
export const JsonPatch = z.array(
  z.discriminatedUnion('op', [
    z.looseObject({ op: z.enum(['add', 'replace', 'test']), path: JsonPointer, value: JsonValue }),
    z.looseObject({ op: z.enum(['move', 'copy']), path: JsonPointer, from: JsonPointer }),
    z.looseObject({ op: z.literal('remove'), path: JsonPointer }),
  ]),
);
export type JsonPatch = z.infer<typeof JsonPatch>;

/** A diff shaped like its object: members replace members, `null` removes one. RFC 7396. */
export const MergePatch = JsonObject;
export type MergePatch = z.infer<typeof MergePatch>;
