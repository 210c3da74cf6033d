import * as z from 'zod';
import type { Model, Turn } from '../../../base/ports/model.ts';

const Request = z.looseObject({
  skills: z.array(z.string()).default([]),
  chosen: z.array(z.string()).default([]),
  role: z.string().default(''),
});
const Located = z.looseObject({ value: z.looseObject({ location: z.string() }) });
const Found = z.looseObject({
  candidates: z.array(z.looseObject({ name: z.string(), email: z.string() })).default([]),
});

const recommend = ({ asks, request, answers, evidence }: Turn): unknown => {
  const content = answers.findLast(({ question }) => question === 'information')?.feedback.content;
  const location =
    Located.safeParse(content).data?.value.location ?? (typeof content === 'string' ? content : undefined);
  const { skills } = Request.parse(request);
  if (asks !== 'plan') {
    const { candidates } = Found.parse(evidence.at(-1)?.payload);
    const explanation = `${candidates.length} freelancers fit: ${candidates.map(({ name }) => name).join(', ')}.`;
    return { canProceed: true, confidence: 0.9, explanation, payload: { candidates } };
  }
  if (location === undefined)
    return {
      canProceed: false,
      confidence: 0,
      explanation: 'The request names no location, and freelancers are ranked in a place.',
      questions: ['Where should the freelancer be?'],
      missing: { location: 'City in which the freelancer should be' },
      calls: [],
    };
  return {
    canProceed: true,
    confidence: 0.9,
    explanation: `Rank freelancers for ${skills.join(', ')} in ${location}.`,
    calls: [{ tool: 'freelancers.search', arguments: { skills, location } }],
  };
};

const invite = ({ asks, request, evidence, calls }: Turn): unknown => {
  const { chosen, role } = Request.parse(request);
  const sure = { canProceed: true, confidence: 0.95 };
  if (asks === 'plan') {
    const explanation = 'Read who was chosen, then write to them.';
    return { ...sure, explanation, calls: [{ tool: 'freelancers.read', arguments: { ids: chosen } }] };
  }
  const read = evidence.find(({ source }) => source === 'freelancers.read');
  const to = Found.parse(read?.payload ?? {}).candidates.map(({ email }) => email);
  if (calls.some(({ tool, status }) => tool === 'email.send' && status === 'succeeded'))
    return { ...sure, explanation: `Invitations went to ${to.join(' and ')}.`, payload: { recipients: to } };
  const text = `Good day,\n\nwe would like to talk with you about a project: ${role}.\n`;
  const mail = { to, subject: `Invitation: ${role}`, text };
  return {
    ...sure,
    explanation: `Invite ${to.length} people.`,
    calls: [{ tool: 'email.send', arguments: mail }],
  };
};

/** The rule-based agents of the demo. A language model would implement the same port. */
export const agents: Model = {
  answer: async (turn) => (turn.taskClass === 'invitation' ? invite(turn) : recommend(turn)),
};
