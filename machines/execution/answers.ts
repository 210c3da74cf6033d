import type { FeedbackType } from '../../schema/index.ts';
import { entry, mayRevise } from './acceptance.ts';
import { approved, isToBeMade, resumed } from './approvals.ts';
import { callFor, callsOfPlan, declined, effectOf, evidenceOf, unfinished } from './calls.ts';
import { changeCall, changeSameAction, failing, kept, settledEffect, omit, type Change } from './changes.ts';
import type { Call, Context, Question } from './context.ts';
import type { FactOf } from './facts.ts';

/** Feedback that answers: a comment never does. */
type Answer = Omit<FactOf<'human.responded'>, 'feedback'> & {
  readonly feedback: Exclude<FeedbackType, 'comment'>;
};

/** A person asks for another plan: counted, and through `undoing`. */
const revising = (c: Context): Change => ({
  aim: 'revise',
  questions: {},
  counters: { ...c.counters, revisions: c.counters.revisions + 1 },
});

/** A rejected output is planned again while revisions last. */
const rejecting = (c: Context): Change =>
  mayRevise(c) ? revising(c) : failing(c, { code: 'HUMAN_REJECTED', about: 'output' });

type Output = 'plan' | 'further' | 'draft';

/** A person answers for what a person wrote: the replacement carries its own waiver, for its own digest. */
const replacing = (c: Context, { plan, draft }: Answer, output: Output): Change => {
  const counters = { ...c.counters, corrections: 0 };
  if (output !== 'draft') {
    if (plan === undefined) return {};
    if (output === 'further') return { further: { ...plan, waived: true } };
    const { digest, confidence, canProceed, calls } = plan;
    return {
      plan: { digest, confidence, canProceed, waived: true },
      calls: callsOfPlan(c, calls),
      further: null,
      draft: null,
      reports: {},
      questions: {},
      counters: { ...counters, rounds: 1 },
    };
  }
  return draft === undefined ? {} : { draft: { ...draft, waived: true }, counters };
};

const onOutput = (c: Context, answer: Answer, output: Output): Change => {
  switch (answer.feedback) {
    case 'approve': {
      const proposal = c[output];
      return proposal === null ? {} : { [output]: { ...proposal, waived: true } };
    }
    case 'edit':
    case 'rank':
      return replacing(c, answer, output);
    case 'instruction':
      return revising(c);
    case 'reject':
      return rejecting(c);
  }
};

const onHelp = (c: Context, answer: Answer, about: string): Change => {
  switch (answer.feedback) {
    case 'edit':
      return replacing(c, answer, about === 'plan' ? 'plan' : 'draft');
    case 'instruction':
      return { counters: { ...c.counters, corrections: 0, revisions: c.counters.revisions + 1 } };
    case 'reject':
      return rejecting(c);
    case 'approve':
    case 'rank':
      return {};
  }
};

/** New arguments are a new action: it stands where the old one stood, the policy decides again, and no approval is kept. */
const editing = (c: Context, digest: string, { call: edited }: Answer): Change => {
  if (edited === undefined) return {};
  const isReplaced = (call: Call): boolean => call.digest === digest && isToBeMade(call);
  const calls = Object.entries(c.calls);
  const others = { ...c, calls: Object.fromEntries(calls.filter(([, call]) => !isReplaced(call))) };
  return {
    calls: Object.fromEntries(
      calls.map(([id, call]) => [id, isReplaced(call) ? callFor(others, edited, call.at) : call]),
    ),
  };
};

const onApproval = (c: Context, answer: Answer, digest: string): Change => {
  switch (answer.feedback) {
    case 'approve':
      return { questions: c.questions, ...approved(c, digest, answer.by, 'human') };
    case 'edit':
      return editing(c, digest, answer);
    case 'instruction':
      return revising(c);
    case 'reject':
      return { calls: declined(c, digest, 'HUMAN_REJECTED') };
    case 'rank':
      return {};
  }
};

/** What a person knows of an effect in doubt: it happened, it did not, or it did not and must not. */
const onDoubt = (c: Context, { feedback, effect, evidence: word }: Answer, id: string): Change => {
  const call = entry(c.calls, id);
  if (call === undefined) return {};
  if (feedback === 'edit' && effect === 'absent')
    return {
      calls: resumed({ ...c, ...changeCall(c, id, { code: null, causes: [] }) }, (_, name) => name === id),
    };
  const isDone = feedback !== 'reject';
  const evidence = isDone && word !== undefined ? evidenceOf(word, true) : null;
  return {
    calls: changeSameAction(
      c,
      call,
      isDone
        ? { status: 'succeeded', evidence, code: null, causes: [] }
        : { status: 'failed', code: 'HUMAN_REJECTED', causes: [] },
    ),
    effects: settledEffect(c, effectOf(call, isDone ? 'committed' : 'closed', evidence)),
    collected: evidence === null ? c.collected : c.collected + 1,
  };
};

const onTool = (c: Context, { feedback }: Answer, call: string): Change =>
  feedback === 'reject'
    ? unfinished(c, call, 'HUMAN_REJECTED')
    : { calls: resumed(c, (_, id) => id === call) };

const changeOf = (c: Context, answer: Answer, { kind, about }: Question): Change => {
  switch (kind) {
    case 'information':
      return answer.feedback === 'reject' ? failing(c, { code: 'HUMAN_REJECTED', about }) : {};
    case 'help':
      return onHelp(c, answer, about);
    case 'plan':
    case 'draft':
      return onOutput(c, answer, kind === 'plan' && c.further?.digest === about ? 'further' : kind);
    case 'approval':
      return onApproval(c, answer, about);
    case 'doubt':
      return onDoubt(c, answer, about);
    case 'tool':
      return onTool(c, answer, about);
    case 'host':
      return answer.feedback === 'reject' ? failing(c, { code: 'HOST_UNAVAILABLE', about }) : kept(c);
  }
};

/** What a person's answer does: it closes its own question and no other; a comment closes none (UpFormat Table 2). */
export const concludeAnswer = (c: Context, { feedback, ...given }: FactOf<'human.responded'>): Change => {
  const question = entry(c.questions, given.question);
  if (question === undefined || feedback === 'comment') return {};
  const answer: Answer = { ...given, feedback };
  return { questions: omit(c.questions, answer.question), ...changeOf(c, answer, question) };
};
