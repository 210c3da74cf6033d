import type { Fact } from '../../../../machines/index.ts';
import type { LedgerRecord } from '../../../base/ports/ledger.ts';
import { memberOf, type Compare } from './comparison.ts';
import type { Known } from './known.ts';

/** The answer that a fact says. */
interface SaidAnswer {
  /** The type of the feedback, or the types that it may have. */
  readonly types: readonly string[];
  readonly question: string;
  readonly by?: string | undefined;
  /** Whether no record has this fact without the feedback. */
  readonly isFeedback: boolean;
}

const answerIn = (fact: Fact | null): SaidAnswer | undefined => {
  if (fact?.type === 'human.responded')
    return { types: [fact.feedback], question: fact.question, by: fact.by, isFeedback: true };
  if (fact?.type === 'approval.granted') {
    const { digest, approver: by, authority } = fact;
    return { types: ['approve'], question: `approval:${digest}`, by, isFeedback: authority !== 'system' };
  }
  if (fact?.type === 'changes.requested')
    return { types: ['edit', 'instruction'], question: 'followup', isFeedback: true };
  if (fact?.type === 'deadline.passed') return { types: ['edit'], question: fact.id, isFeedback: false };
  return undefined;
};

/** Compares an answer with the message that asked for it, if that message was given. */
const compareAsked = (record: LedgerRecord, said: SaidAnswer, known: Known, compare: Compare): void => {
  const { feedback, shown, approval } = record.brought;
  const { questions, hasErasures } = known;
  if (questions === null) return;
  const target = memberOf(feedback, 'target');
  const messageId = typeof target === 'string' ? target : memberOf(target, 'messageId');
  const question = questions.get(messageId);
  if (question === undefined && hasErasures) return; // its message may be erased
  const place = 'the message that asks';
  compare('feedback', '/target', memberOf(question, 'id'), said.question, 'its fact');
  if (shown !== undefined) {
    compare('shown', '/summary', shown.summary, memberOf(question, 'summary') ?? null, place);
    compare('shown', '/reasons', shown.reasons, memberOf(question, 'reasons') ?? [], place);
  }
  if (approval !== undefined)
    compare('approval', '/claims', approval.claims, memberOf(question, 'approval') ?? null, place);
};

/** Compares a person's answer, and who gave it, with the fact. */
export const compareAnswer = (record: LedgerRecord, known: Known, compare: Compare): void => {
  const { fact, actor, brought, documents } = record;
  const { feedback, person } = brought;
  if (person !== undefined) compare('person', '/id', memberOf(person, 'id'), actor.id, 'its actor');
  const said = answerIn(fact);
  if (said === undefined) return;
  compare('record', '/actor/id', actor.id, said.by, 'its fact');
  if (documents.feedback === undefined ? !said.isFeedback : feedback === undefined) return; // none, or erased
  const type = memberOf(feedback, 'type');
  if (!said.types.some((one) => one === type)) compare('feedback', '/type', type, said.types[0], 'its fact');
  if (feedback !== undefined) compareAsked(record, said, known, compare);
};
