import * as z from 'zod';
import { JsonObject } from '../formats.ts';

/** Hints about the meaning of a payload, without a shared ontology. UpFormat 2.2, 2.4, Table 2. */
export const UpContext = z.looseObject({
  /** The entity that the payload represents, in a few words. */
  entity: z.string().optional(),
  /** Field path (`candidates[].email`) to description. */
  fields: z.record(z.string(), z.union([z.string(), z.looseObject({ description: z.string() })])).optional(),
  /** Tags, free (`software_engineer`) or of an ontology (`schema:Person`). */
  concepts: z.array(z.string()).optional(),
  /** Validation hints, such as ranges and requirements. */
  constraints: JsonObject.optional(),
  /** The payload's JSON Schema: its URI, or the schema itself. */
  schema: z.union([z.string().min(1), JsonObject]).optional(),
});
export type UpContext = z.infer<typeof UpContext>;
