import type { Identity } from '../../../schema/index.ts';
import type { Person } from './ledger.ts';
import type { OpenQuestion } from './open-question.ts';

/** The input of a decision about who may answer a question; deeply frozen. */
export interface AskedToRespond {
  readonly taskId: string;
  readonly question: OpenQuestion;
  /** The `agent_id` of `identity`. */
  readonly requester: string;
  /** The requesting agent, its owner and its user, as submitted (UAICP 5.4). */
  readonly identity: Identity;
  /** The respondent: every claim that `respond` received. For an approver known by a token only, the name. */
  readonly person: Person;
}

/**
 * Decides whether a person may answer a question; `name` is `asked.person.id`. Only `true` permits it; an error
 * refuses.
 */
export type MayRespond = (name: string, asked: AskedToRespond) => boolean | Promise<boolean>;
