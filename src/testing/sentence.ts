import type { Fact } from '../../machines/index.ts';
import type { FeedbackType } from '../../schema/index.ts';
import type { OpenQuestion } from '../ports/open-question.ts';

/** What proposes calls and answers. */
export type Proposer = 'the model' | 'the agent';

/** The names for the subjects of a fact, in the reader's words. */
export interface FactNames {
  /** Names a call by its id. */
  readonly call: (id: string) => string;
  /** Names an action, a rollback or a draft by its digest. */
  readonly action: (digest: string) => string;
  /** Names the subject of a question by the question's id. */
  readonly question: (id: string) => string;
  readonly proposer: Proposer;
  /** The person who responds. */
  readonly person: string;
  /** The confidence that an output must exceed. */
  readonly threshold: number;
}

const verbs: Readonly<Record<FeedbackType, string>> = {
  approve: 'approves',
  edit: 'edits',
  rank: 'ranks the alternatives of',
  instruction: 'gives an instruction about',
  reject: 'rejects',
  comment: 'comments on',
};

const verdicts = { allow: 'allows', deny: 'denies', needs_review: 'wants a person to review' } as const;

const waits = {
  accept: 'the request was not accepted in time',
  model: 'the model did not answer in time',
  host: 'the agent did not answer in time',
  start: 'the call did not begin in time',
  policy: 'the policy did not decide in time',
  call: 'the tool did not answer in time',
  verifier: 'a verifier did not answer in time',
  question: 'no one answered in time',
  dependency: 'nothing arrived in time',
  approval: 'an approval expired',
  evidence: 'evidence grew too old',
  rollback: 'a rollback did not end in time',
  offer: 'the refinement was not offered in time',
  followup: 'no one refined the answer in time',
} as const;

const listed = (names: readonly string[]): string => (names.length === 0 ? 'no call' : names.join(', '));

type Proposal = Extract<Fact, { readonly type: 'plan.proposed' | 'draft.proposed' | 'calls.proposed' }>;

/** Returns why a proposal asks a person, as the end of a sentence; empty if it does not. */
const doubtOf = ({ canProceed, confidence }: Proposal, { threshold }: FactNames): string => {
  if (!canProceed) return ', and cannot proceed';
  return confidence === 'unstated' || confidence > threshold ? '' : `, with a confidence of ${confidence}`;
};

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
    case 'followup':
      return 'the refinement';
  }
};

/** Returns a fact as a sentence, without identifiers. */
export const sentenceOf = (fact: Fact, names: FactNames): string => {
  switch (fact.type) {
    case 'request.accepted':
      return 'the request is accepted';
    case 'request.refused':
      return `the request is refused (${fact.code})`;
    case 'information.requested':
      return 'the request lacks information';
    case 'changes.requested':
      return 'a person asks for changes';
    case 'task.cancelled':
      return 'the task is cancelled';
    case 'run.failed':
      return `the run fails (${fact.code})`;
    case 'plan.proposed':
      return `${names.proposer} plans ${listed(fact.calls.map(({ id }) => names.call(id)))}${doubtOf(fact, names)}`;
    case 'calls.proposed':
      return `${names.proposer} also plans ${listed(fact.calls.map(({ id }) => names.call(id)))}${doubtOf(fact, names)}`;
    case 'draft.proposed':
      return `${names.proposer} drafts the answer${doubtOf(fact, names)}`;
    case 'output.rejected':
      return `the output of ${names.proposer} is invalid`;
    case 'help.requested':
      return `${names.proposer} asks for help`;
    case 'capability.exceeded':
      return `${names.proposer} gives up`;
    case 'followup.offered':
      return 'a refinement is offered';
    case 'call.started':
      return `${names.call(fact.call)} begins`;
    case 'call.succeeded':
      return `${names.call(fact.call)} succeeds`;
    case 'call.failed':
      return `${names.call(fact.call)} fails (${fact.code})`;
    case 'call.doubted':
      return `whether ${names.call(fact.call)} happened is unknown (${fact.code})`;
    case 'call.refused':
      return `${names.call(fact.call)} loses its clearance (${fact.code})`;
    case 'call.cleared':
      return `the clearance of ${names.call(fact.call)} still holds`;
    case 'dependency.awaited':
      return `${names.call(fact.call)} waits for something outside`;
    case 'dependency.met':
      return 'what a call waited for arrives';
    case 'question.raised':
      return `${names.call(fact.call)} asks a person`;
    case 'policy.decided':
      return `the policy ${verdicts[fact.verdict]} ${names.call(fact.call)}`;
    case 'approval.granted':
      return `${fact.approver} approves ${names.action(fact.digest)}`;
    case 'human.responded':
      return `${fact.by ?? names.person} ${verbs[fact.feedback]} ${names.question(fact.question)}`;
    case 'taskClass.changed':
      return 'the task class becomes stricter';
    case 'recovery.started':
      return `the ${fact.effect} of ${names.action(fact.digest)} is looked up or made again`;
    case 'rollback.started':
      return `the rollback of ${names.action(fact.digest)} begins`;
    case 'rollback.succeeded':
      return `the rollback of ${names.action(fact.digest)} succeeds`;
    case 'rollback.failed':
      return `the rollback of ${names.action(fact.digest)} fails`;
    case 'verifier.reported':
      return `the verifier ${fact.verifier} ${fact.status === 'pass' ? 'passes' : 'fails'} ${names.action(fact.of)}`;
    case 'evidence.changed':
      return `recorded evidence was changed (${fact.code})`;
    case 'output.changed':
      return 'the recorded draft was changed';
    case 'deadline.passed':
      return `time passes: ${waits[fact.of]}`;
  }
};
