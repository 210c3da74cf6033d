import * as z from 'zod';

/** What an agent declares about its task, set by code and never by a language model. UpFormat Table 2. */
export const OperationalState = z.enum([
  'submitted',
  'waiting',
  'completed',
  'failed',
  'needsHumanDecision',
  'followup',
  'cancelled',
]);
export type OperationalState = z.infer<typeof OperationalState>;
