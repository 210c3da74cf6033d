import type { Identity } from '../../schema/index.ts';
import type { Person } from './ledger.ts';
import type { OpenQuestion } from './open-question.ts';

/** What a host decides by who may answer a question; all of it is frozen. */
export interface AskedToRespond {
  readonly taskId: string;
  readonly question: OpenQuestion;
  /** The `agent_id` of `identity`. */
  readonly requester: string;
  /** The agent that asks, and its owner and user, as the request was submitted (UAICP 5.4). */
  readonly identity: Identity;
  /** Who would answer: all that `respond` was told of them. Of an approver who is known by a token alone, the name. */
  readonly person: Person;
}

/** Says who may answer a question, `name` being the one of `asked.person`: only `true` is yes, and to throw is no. */
export type MayRespond = (name: string, asked: AskedToRespond) => boolean | Promise<boolean>;
