import { Identifier } from '../../schema/index.ts';
import { callsOfPlan } from '../call.ts';
import { failing, spent, type Change } from '../change.ts';
import type { Context } from '../context.ts';
import { isSpent, mayExtend } from '../limits.ts';
import { isConfidence } from '../operational-state.ts';
import { askLimit, suspend } from '../pauses.ts';
import { askQuestion } from '../question.ts';
import { isFurther, isNewQuestion, isProposal } from './checks.ts';
import { family } from './family.ts';
import { draft, plan } from './fields.ts';

const askForHelp = (c: Context, question: string): Change =>
  suspend(c, askQuestion(c, question, 'help.requested', c.plan === null ? 'plan' : 'draft'));

/** The facts of the model: what it proposes, and what it says instead of a proposal. */
export const modelFacts = family({
  'plan.proposed': {
    cites: 'UAICP 3 flow',
    shape: plan.shape,
    accepts: isProposal,
    apply: (c, { digest, confidence, canProceed, calls }) => ({
      plan: { digest, confidence, canProceed, waived: false },
      calls: callsOfPlan(c, calls),
      counters: { ...c.counters, corrections: 0, rounds: 1 },
    }),
    isHoped: ({ canProceed }) => canProceed,
    says: (plan, words) => `${words.proposer} plans ${words.calls(plan)}${words.doubt(plan)}`,
  },
  'draft.proposed': {
    cites: 'UAICP 3 flow',
    shape: draft.shape,
    accepts: (_, { confidence }) => isConfidence(confidence),
    apply: (c, { digest, confidence, canProceed }) => ({
      draft: { digest, confidence, canProceed, waived: false },
      counters: { ...c.counters, corrections: 0 },
    }),
    isHoped: ({ canProceed }) => canProceed,
    says: (draft, words) => `${words.proposer} drafts the answer${words.doubt(draft)}`,
  },
  // further calls wait for the gate that the plan passed (UpFormat 2.3)
  'calls.proposed': {
    cites: 'interpretation 0003',
    shape: plan.shape,
    accepts: isFurther,
    apply: (c, { digest, confidence, canProceed, calls }) =>
      isSpent(c, 'rounds') && !mayExtend(c, 'rounds')
        ? failing(c, spent('rounds'))
        : {
            ...(isSpent(c, 'rounds') && askLimit(c, 'rounds')),
            further: { digest, confidence, canProceed, calls, waived: false },
            counters: { ...c.counters, rounds: c.counters.rounds + 1, corrections: 0 },
          },
    says: (plan, words) => `${words.proposer} also plans ${words.calls(plan)}${words.doubt(plan)}`,
  },
  'output.rejected': {
    cites: 'UpFormat 2.3',
    shape: { question: Identifier },
    accepts: (c, { question }) => isNewQuestion(c, question),
    apply: (c, { question }) =>
      c.counters.corrections >= c.taskClass.limits.corrections
        ? askForHelp(c, question)
        : { counters: { ...c.counters, corrections: c.counters.corrections + 1 } },
    says: (_, { proposer }) => `the output of ${proposer} is invalid`,
  },
  'help.requested': {
    cites: 'UpFormat 2.3',
    shape: { question: Identifier },
    accepts: (c, { question }) => isNewQuestion(c, question),
    apply: (c, { question }) => askForHelp(c, question),
    says: (_, { proposer }) => `${proposer} asks for help`,
  },
  'capability.exceeded': {
    cites: 'UpFormat 2.3',
    shape: {},
    apply: (c) => failing(c, { code: 'BEYOND_CAPABILITY', about: 'model' }),
    says: (_, { proposer }) => `${proposer} gives up`,
  },
  'followup.offered': {
    cites: 'UpFormat Table 3',
    shape: {},
    apply: () => ({ followup: 'offered' }),
    says: () => 'a refinement is offered',
  },
});
