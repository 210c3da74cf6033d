import type { FactWords } from '../../machines/facts/family.ts';
import { ruleOf } from '../../machines/facts/index.ts';
import type { Fact } from '../../machines/index.ts';
import type { OpenQuestion } from '../base/ports/open-question.ts';

/** What proposes calls and answers. */
export type Proposer = 'the model' | 'the agent';

/** The names for the subjects of a fact, in the reader's words. */
interface FactNames extends Omit<FactWords, 'calls' | 'doubt'> {
  readonly proposer: Proposer;
  /** The confidence that an output must exceed. */
  readonly threshold: number;
}

const listed = (names: readonly string[]): string => (names.length === 0 ? 'no call' : names.join(', '));

/** Returns the subject of a question; `call` names the call or action that it is about. */
export const questionSubject = (kind: OpenQuestion['kind'], call: string): string => {
  switch (kind) {
    case 'information':
      return 'the request for information';
    case 'help':
      return 'the request for help';
    case 'plan':
      return 'the plan';
    case 'draft':
      return 'the draft';
    case 'approval':
      return call;
    case 'doubt':
      return `the doubt about ${call}`;
    case 'tool':
      return `the question of ${call}`;
    case 'host':
      return 'the writes of the agent that stays away';
    case 'limit':
      return 'the limit that is used up';
    case 'followup':
      return 'the refinement';
  }
};

/** Returns a fact as a sentence, without identifiers. */
export const sentenceOf = (fact: Fact, { threshold, ...names }: FactNames): string =>
  ruleOf(fact.type).says(fact, {
    ...names,
    calls: ({ calls }) => listed(calls.map(({ id }) => names.call(id))),
    doubt: ({ canProceed, confidence }) => {
      if (!canProceed) return ', and cannot proceed';
      return confidence === 'unstated' || confidence > threshold
        ? ''
        : `, with a confidence of ${confidence}`;
    },
  });
