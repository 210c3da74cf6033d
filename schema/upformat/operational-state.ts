import * as z from 'zod';

/** The state that an agent declares for its task. Code sets it, never a language model. UpFormat Table 2. */
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
