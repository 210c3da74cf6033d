import * as z from 'zod';
import { parseDocument } from '../boundary/parse-document.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { UpContext } from '../../schema/upformat/up-context.ts';
import { Prefixes } from './terms.ts';

/** A field as a context may tell it: in words, and in terms. */
const Field = z.looseObject({
  description: z.string(),
  /** What the value is. */
  concepts: z.array(z.string()).optional(),
  /** What the value is to what holds it. */
  predicate: z.string().optional(),
  /** The unit that the value is given in. */
  unit: z.string().optional(),
});
export type Field = z.infer<typeof Field>;

/** An upContext whose fields may name terms of ontologies, with the prefixes that it writes them with. UpFormat 2.4. */
export const LinkedContext = UpContext.extend({
  fields: z
    .record(z.string(), z.union([z.string().transform((description): Field => ({ description })), Field]))
    .optional(),
  prefixes: Prefixes.optional(),
});
export type LinkedContext = z.infer<typeof LinkedContext>;

/** A context as it comes in, frozen. Throws `input_unreadable` or `document_invalid`; `document` names it there. */
export const readContext = (document: string, context: unknown): LinkedContext =>
  parseDocument(document, LinkedContext, frozenCopy(context, document));
