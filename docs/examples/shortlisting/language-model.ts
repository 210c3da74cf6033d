import type { Model, Turn } from 'agentcharter';
import { openAiCompatible, standardInstructions } from 'agentcharter/adapters/openai-compatible';
import { Recipients, Recommendation } from './payload.ts';

/** Where a language model answers. */
export interface Endpoint {
  readonly url: string;
  /** The model's name there. */
  readonly name: string;
}

const work: Readonly<Record<string, string>> = {
  recommendation: `You recommend freelancers. Plan one call of freelancers.search with the skills and the limit of the request, and a
location, which is a city or a country. Where neither the request nor an answer names one, let "missing" ask for it as "location".
The draft's payload holds the "candidates" of the evidence, each unchanged, in their order; its confidence is that of the evidence.`,
  invitation: `You invite the candidates who were chosen. Plan one call of recommendation.read with evidence_id, hash and chosen as the
request has them. When asked for a draft while no call of email.send has succeeded, answer with one such call: its recipients are the email
addresses in the evidence of recommendation.read, and no one else; subject and body invite to talk about the role, and are signed by
"The recruiting team". Once it has succeeded, the draft's payload holds the same "recipients".`,
};

/** The agents of the workflow as a language model: it makes the same proposals as the deterministic ones, and passes the same gates. */
export const languageModel = ({ url, name }: Endpoint, key?: string): Model =>
  openAiCompatible({
    url,
    model: name,
    key,
    outputs: { recommendation: Recommendation, invitation: Recipients },
    instructions: (turn: Turn) => `${standardInstructions(turn)}\n\n${work[turn.taskClass] ?? ''}`,
  });
