import type { Person } from '../../ports/ledger.ts';
import type { Submission } from '../../orchestrator/submission.ts';

/** An agent, as the host authenticated it: what it begins, it begins in this name (UAICP 5.4). */
export interface AgentCaller {
  readonly agent: Submission['identity'];
}

/** A person, as the host authenticated them: what they answer, they answer in this name. */
export interface PersonCaller {
  /** Their name, or all that is known of them, which `mayRespond` is shown. */
  readonly person: string | Person;
}

/** Whom a request is of. An agent answers no questions, and a person makes no calls. */
export type Caller = AgentCaller | PersonCaller;

export const isAgent = (caller: Caller): caller is AgentCaller => 'agent' in caller;

/** The name that a caller acts by. */
export const nameOf = (caller: Caller): string => {
  if (isAgent(caller)) return caller.agent.agent_id;
  return typeof caller.person === 'string' ? caller.person : caller.person.id;
};
