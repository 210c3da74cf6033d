import { applyMapping, deriveContext, mediate } from 'agentcharter/semantics';
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

/** What the Email Tool takes: its own shape, which is not the Recommender's. */
export const Email = Recipients.extend({ subject: z.string(), body: z.string() });

/** The contexts of both (UpFormat 2.2). */
export const contexts = {
  recommendation: deriveContext(Recommendation),
  recipients: deriveContext(Recipients),
};

/** The paper's case (UpFormat 3.1): candidates[].email becomes recipients[], and no one wrote that mapping. */
export const mediation = mediate(contexts.recommendation, contexts.recipients);

/** The addresses of candidates, in their order. */
export const toRecipients = (candidates: readonly Candidate[]): readonly string[] => {
  if (mediation.outcome !== 'mapping') throw new Error(mediation.upThought.questions?.join(' '));
  return Recipients.parse(applyMapping(mediation.mapping, { candidates })).recipients;
};
