import {
  defineTaskClass,
  defineTool,
  defineVerifier,
  type DefinedTaskClass,
  type Policy,
  type Tool,
  type Verifier,
} from 'agentcharter';
import type { EvidenceObject } from 'agentcharter/schema';
import { z } from 'zod';
import type { Mailer } from './mail.ts';
import { Email, Recipients, Recommendation, type Candidate } from './payload.ts';
import type { FreelancerSearch } from './search.ts';

/** The candidates in evidence: results of a tool, never claims of a model. */
export const candidatesIn = (evidence: readonly EvidenceObject[], source: string): readonly Candidate[] =>
  evidence
    .filter((object) => object.source === source)
    .flatMap(({ payload }) => Recommendation.safeParse(payload).data?.candidates ?? []);

/** Ranks freelancers: reads only, and its result is the recommendation's evidence. */
export const searchTool = (search: FreelancerSearch): Tool =>
  defineTool({
    name: 'freelancers.search',
    description: 'Ranks freelancers by skills, in a place.',
    tier: 'read_only',
    input: z.object({ skills: z.array(z.string()).min(1), location: z.string(), limit: z.number().int() }),
    output: Recommendation,
    call: async (input) => search.search(input),
  });

/** Where the invitation finds what was recommended: the original evidence object. */
export interface Recommendations {
  readonly find: (evidenceId: string) => Promise<EvidenceObject | undefined>;
}

/** Reads a recommendation again, as this run's own evidence, and names the original by id and hash. */
export const readTool = (recommendations: Recommendations): Tool =>
  defineTool({
    name: 'recommendation.read',
    description: 'Reads the chosen candidates of a recommendation.',
    tier: 'read_only',
    input: z.object({ evidence_id: z.string(), hash: z.string(), chosen: z.array(z.string()) }),
    output: Recommendation,
    call: async ({ evidence_id, hash, chosen }, { notDone }) => {
      const original = await recommendations.find(evidence_id);
      if (original?.hash !== hash) return notDone(`evidence ${evidence_id} with this hash is not on record`);
      const candidates = candidatesIn([original], 'freelancers.search');
      return {
        original: { evidence_id, hash },
        candidates: chosen.flatMap((id) => candidates.filter((candidate) => candidate.id === id)),
      };
    },
  });

/** Sends mail: a low-risk write without a rollback. */
export const emailTool = (mailer: Mailer): Tool =>
  defineTool({
    name: 'email.send',
    description: 'Sends one message to each recipient.',
    tier: 'write_low_risk',
    input: Email,
    call: async ({ recipients, subject, body }, { key, signal, send }) => {
      const mail = { to: [...new Set(recipients)], subject, text: body, idempotencyKey: key };
      const receipt = await mailer.send(mail, signal);
      const { accepted, rejected } = receipt;
      await send({
        state: 'completed',
        payload: { accepted, rejected },
        explanation: `The mail server took ${accepted.length} of ${mail.to.length} messages.`,
      });
      return receipt;
    },
  });

/** Mail goes only to recipients in evidence. */
export const policy: Policy = {
  decide: ({ action, arguments: given, evidence }) => {
    const email = Email.safeParse(given);
    if (action !== 'email.send' || !email.success)
      return { verdict: 'deny', reasons: [`no rule allows ${action}`] };
    const known = new Set(candidatesIn(evidence, 'recommendation.read').map((candidate) => candidate.email));
    const strangers = email.data.recipients.filter((recipient) => !known.has(recipient));
    return strangers.length === 0
      ? { verdict: 'allow', reasons: ['every recipient is on record'] }
      : { verdict: 'deny', reasons: [`not on record: ${strangers.join(', ')}`] };
  },
};

const check = (check_id: string, isMet: boolean, details: string) => ({
  check_id,
  result: isMet ? ('pass' as const) : ('fail' as const),
  details,
});

/** Every candidate of the draft is in the search result, with the same address. */
const candidatesVerifier = defineVerifier({
  id: 'candidates-in-evidence',
  verify: ({ value, evidence }) => {
    const known = candidatesIn(evidence, 'freelancers.search');
    const listed = Recommendation.safeParse(value).data?.candidates ?? [];
    const strangers = listed.filter(
      ({ id, email }) => !known.some((candidate) => candidate.id === id && candidate.email === email),
    );
    return {
      checks: [
        check('has-candidates', listed.length > 0, `${listed.length} candidates`),
        check('in-evidence', strangers.length === 0, `${strangers.length} are not in the search result`),
      ],
    };
  },
});

const Listed = z.looseObject({ recipients: z.array(z.string()) });
const recipientsOf = (value: unknown): readonly string[] => {
  const action = z.looseObject({ arguments: Listed }).safeParse(value);
  return (action.data?.arguments ?? Listed.safeParse(value).data)?.recipients ?? [];
};

/** Every recipient is in the evidence: of the mail before it is sent, and of the draft after it. */
const recipientsVerifier = defineVerifier({
  id: 'recipients-in-evidence',
  verify: ({ value, evidence }) => {
    const known = new Set(candidatesIn(evidence, 'recommendation.read').map(({ email }) => email));
    const recipients = recipientsOf(value);
    const strangers = recipients.filter((recipient) => !known.has(recipient));
    return {
      checks: [
        check('has-recipients', recipients.length > 0, `${recipients.length} recipients`),
        check('in-evidence', strangers.length === 0, `${strangers.length} are not in the recommendation`),
      ],
    };
  },
});

export const verifiers: readonly Verifier[] = [candidatesVerifier, recipientsVerifier];

/** The two contracts of the workflow. `patience` is how long the offer waits for a choice, in milliseconds. */
export const taskClasses = (patience: number): readonly DefinedTaskClass[] => [
  defineTaskClass({
    id: 'recommendation',
    tools: ['freelancers.search'],
    output: Recommendation,
    beforeDeliver: {
      evidence: [{ type: 'tool_result', tool: 'freelancers.search' }],
      verifiers: [candidatesVerifier.id],
    },
    deadlines: { followup: patience },
    followup: ({ payload }) => {
      const { candidates } = Recommendation.parse(payload);
      return {
        explanation: 'Who should be invited? Without an answer, the first two are invited.',
        payload: { candidates: candidates.map(({ id, name }) => ({ id, name })) },
        byDefault: { chosen: candidates.slice(0, 2).map(({ id }) => id) },
        upContext: {
          entity: 'Choice of candidates to invite',
          fields: { 'candidates[].id': 'Candidate to name in a ranking' },
        },
      };
    },
  }),
  defineTaskClass({
    id: 'invitation',
    tools: ['recommendation.read', 'email.send'],
    output: Recipients,
    beforeWrite: {
      evidence: [{ type: 'tool_result', tool: 'recommendation.read' }],
      verifiers: [recipientsVerifier.id],
    },
    beforeDeliver: {
      evidence: [{ type: 'tool_result', tool: 'email.send' }],
      verifiers: [recipientsVerifier.id],
    },
  }),
];
