import * as z from 'zod';
import { Identifier } from '../../../schema/index.ts';

/** What a policy decides on a write, as a host returns it. */
export const Decision = z.object({
  verdict: z.enum(['allow', 'deny', 'needs_review']),
  reasons: z.array(z.string()),
  authority: Identifier.exactOptional(),
  ends: z.enum(['call', 'run']).exactOptional(),
});

/** A policy's decision on a write. */
export type Decision = z.infer<typeof Decision>;
