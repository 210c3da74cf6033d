import { z } from 'zod';

const Candidate = z.looseObject({
  id: z.string().describe('Identifier of the freelancer'),
  name: z.string().describe('Full name'),
  email: z.email().describe('Contact address'),
});
export type Candidate = z.infer<typeof Candidate>;

/** What the Recommender returns. */
export const Recommendation = z
  .looseObject({ candidates: z.array(Candidate) })
  .meta({ title: 'Ranked freelancers', concepts: ['schema:Person', 'software_engineer'] });

/** Who was written to. */
export const Recipients = z
  .looseObject({ recipients: z.array(z.email()).min(1).describe('Email addresses') })
  .meta({ title: 'People who are written to' });

/**
 * The input of the Email Tool. Its shape is not the Recommender's. The orchestrator maps one to the other by
 * what their fields mean (UpFormat 3.1): candidates[].email becomes recipients[].
 */
export const Email = Recipients.extend({ subject: z.string(), body: z.string() });
