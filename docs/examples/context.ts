import { deriveContext } from 'agentcharter/semantics';
import { z } from 'zod';

// What the recommender returns, and what the mail tool expects: two schemas that share no name.
const candidate = z
  .object({
    name: z.string().describe('full name'),
    email: z
      .email()
      .describe('contact address')
      .meta({ concepts: ['schema:email'] }),
    rate: z.number().min(20).max(200).optional().describe('euros an hour'),
  })
  .meta({ concepts: ['schema:Person'] });
const shortlist = z.object({ candidates: z.array(candidate).min(1) }).meta({ title: 'Ranked freelancers' });
const invitation = z
  .object({ recipients: z.array(z.email()).describe('email addresses'), body: z.string().max(10_000) })
  .meta({ title: 'An invitation by mail' });

// What the schemas do not say, hints do.
const contexts = [
  deriveContext(shortlist, { concepts: ['software_engineer'] }),
  deriveContext(invitation, { fields: { body: 'what the mail says' } }),
];
for (const { entity, fields = {}, concepts = [], constraints = {} } of contexts) {
  console.log(`${entity} [${concepts.join(' ')}]`);
  for (const [path, field] of Object.entries(fields))
    console.log(`  ${path}: ${typeof field === 'string' ? field : field.description}`);
  for (const path of ['candidates', 'candidates[].rate', 'body'])
    if (path in constraints) console.log(`  ${path} ${JSON.stringify(constraints[path])}`);
}
