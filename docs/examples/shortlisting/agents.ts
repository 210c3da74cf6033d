import type { DraftOutput, Model, PlanOutput, CallsOutput, Turn } from 'agentcharter';
import { z } from 'zod';
import { candidatesIn } from './charter.ts';
import { Recipients } from './payload.ts';

const Skills = z.object({
  skills: z.array(z.string()),
  limit: z.number().default(5),
  location: z.string().optional(),
});
const Chosen = z.object({
  evidence_id: z.string(),
  hash: z.string(),
  chosen: z.array(z.string()),
  role: z.string(),
});
const Location = z.object({ value: z.object({ location: z.string() }) });

/** The location: of the request, or of the person who was asked for it. */
const locationOf = ({ request, answers }: Turn): string | undefined => {
  const answered = answers.findLast(({ question }) => question === 'information')?.feedback.content;
  const told = Location.safeParse(answered).data?.value.location;
  return told ?? (typeof answered === 'string' ? answered : Skills.parse(request).location);
};

const planRecommendation = (turn: Turn): PlanOutput => {
  const { skills, limit } = Skills.parse(turn.request);
  const location = locationOf(turn);
  if (location === undefined)
    return {
      canProceed: false,
      confidence: 0,
      explanation: 'The request names no location, and freelancers are ranked in a place.',
      questions: ['Where should the freelancer be?'],
      missing: { location: 'City or country in which the freelancer should be' },
      calls: [],
    };
  return {
    canProceed: true,
    confidence: 0.9,
    explanation: `Rank freelancers for ${skills.join(', ')} in ${location}.`,
    calls: [{ tool: 'freelancers.search', arguments: { skills, location, limit } }],
  };
};

const Found = z.object({ confidence: z.number(), candidates: z.array(z.looseObject({ name: z.string() })) });

const draftRecommendation = ({ evidence }: Turn): DraftOutput => {
  const { confidence, candidates } = Found.parse(evidence.at(-1)?.payload);
  return {
    canProceed: candidates.length > 0,
    confidence, // of the search's own scores, not of an opinion
    explanation: `${candidates.length} freelancers fit: ${candidates.map(({ name }) => name).join(', ')}.`,
    assumptions: ['The profile texts are up to date.'],
    payload: { candidates },
  };
};

const planInvitation = ({ request }: Turn): PlanOutput => {
  const { evidence_id, hash, chosen } = Chosen.parse(request);
  return {
    canProceed: true,
    confidence: 0.95,
    explanation: 'Read the recommendation on record, then write to those who were chosen.',
    calls: [{ tool: 'recommendation.read', arguments: { evidence_id, hash, chosen } }],
  };
};

/** Passes the candidates on unchanged: their mapping to the Email Tool is not this agent's task. */
const concludeInvitation = ({ request, evidence, calls }: Turn): DraftOutput | CallsOutput => {
  const { role } = Chosen.parse(request);
  const candidates = candidatesIn(evidence, 'recommendation.read');
  const sent = calls.find(({ tool, status }) => tool === 'email.send' && status === 'succeeded');
  if (sent === undefined)
    return {
      canProceed: true,
      confidence: 0.9,
      explanation: `Invite ${candidates.length} people.`,
      calls: [
        {
          tool: 'email.send',
          arguments: {
            candidates,
            subject: `Invitation: ${role}`,
            body: `Good day,\n\nwe would like to talk with you about a project: ${role}.\n\nThe recruiting team\n`,
          },
        },
      ],
    };
  const { recipients } = Recipients.parse(sent.arguments);
  return {
    canProceed: true,
    confidence: 0.95,
    explanation: `Invitations went to ${recipients.join(' and ')}.`,
    payload: { recipients },
  };
};

/** The agents of the workflow, deterministic here: a language model sits behind the same port (language-model.ts). */
export const agents: Model = {
  answer: async (turn) => {
    if (turn.asks === 'correction')
      return { choice: 'needHuman', explanation: 'The output did not fit, and this agent has no other.' };
    const isPlan = turn.asks === 'plan';
    if (turn.taskClass === 'invitation') return isPlan ? planInvitation(turn) : concludeInvitation(turn);
    return isPlan ? planRecommendation(turn) : draftRecommendation(turn);
  },
};
