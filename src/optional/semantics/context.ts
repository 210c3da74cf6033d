import * as z from 'zod';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';
import { UpContext } from '../../../schema/upformat/up-context.ts';
import { Prefixes } from './terms.ts';

/** A field of a context, described in words and ontology terms. */
const Field = z.looseObject({
  description: z.string(),
  /** The concepts of the value. */
  concepts: z.array(z.string()).optional(),
  /** The relation of the value to its holder. */
  predicate: z.string().optional(),
  /** The unit of the value. */
  unit: z.string().optional(),
});
export type Field = z.infer<typeof Field>;

/** An upContext whose fields may name ontology terms, with its prefixes. UpFormat 2.4. */
export const LinkedContext = UpContext.extend({
  fields: z
    .record(z.string(), z.union([z.string().transform((description): Field => ({ description })), Field]))
    .optional(),
  prefixes: Prefixes.optional(),
});
export type LinkedContext = z.infer<typeof LinkedContext>;

/**
 * Parses and freezes a context. Throws `input_unreadable` or `document_invalid`; `document` names it in
 * errors.
 */
export const readContext = (document: string, context: unknown): LinkedContext =>
  parseDocument(document, LinkedContext, frozenCopy(context, document));
