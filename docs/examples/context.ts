import { applyMapping, deriveContext, mediate } from 'agentcharter/semantics';
import { z } from 'zod';

// The recommender's output and the mail tool's input: two schemas without a common name.
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
  .object({ recipients: z.array(z.email()).describe('email addresses') })
  .meta({ title: 'An invitation by mail' });

// Hints add what the schemas do not say.
const source = deriveContext(shortlist, { concepts: ['software_engineer'] });
const target = deriveContext(invitation);
for (const { entity, fields = {}, concepts = [], constraints = {} } of [source, target]) {
  console.log(`${entity} [${concepts.join(' ')}]`);
  for (const [path, field] of Object.entries(fields))
    console.log(`  ${path}: ${typeof field === 'string' ? field : field.description}`);
  for (const path of ['candidates', 'candidates[].rate'])
    if (path in constraints) console.log(`  ${path} ${JSON.stringify(constraints[path])}`);
}

// The two contexts give the mapping, or a person is asked.
const mediation = mediate(source, target);
for (const { from, to, why, score } of mediation.links)
  console.log(`${from} -> ${to}: ${why.join(', ')} (${score})`);
const candidates = [{ name: 'Inês Moreira', email: 'ines@example.org', rate: 90 }];
if (mediation.outcome === 'mapping')
  console.log(JSON.stringify(applyMapping(mediation.mapping, { candidates })));
else console.log(mediation.upThought.questions?.join('\n'));
