import { feedbackTaken, type Context, type Question } from '../../machines/index.ts';
import type { FeedbackType, UpContext, UpThought } from '../../schema/index.ts';
import type { Dossier } from './dossier.ts';

/** An open question as a person meets it. */
export interface OpenQuestion {
  readonly id: string;
  readonly kind: Question['kind'] | 'followup';
  /** The call, or the digest, that it is about. */
  readonly about: string;
  readonly accepts: readonly FeedbackType[];
  /** What each answer leads to, in words. */
  readonly consequences: Readonly<Partial<Record<FeedbackType, string>>>;
  /** When silence decides (RFC 3339). */
  readonly deadline: string;
  /** What is taken then; `null` where the task fails instead (QUESTION_EXPIRED). */
  readonly byDefault: unknown;
}

/** Until when a question waits, and what stands for an answer that never came. */
export interface Terms {
  readonly deadline: string;
  readonly byDefault: unknown;
}

/** The terms of each kind of question, as its task class sets them. */
export type TermsOf = (kind: OpenQuestion['kind']) => Terms;

const consequences: Record<OpenQuestion['kind'], OpenQuestion['consequences']> = {
  information: {
    edit: 'The information is given to the model, which plans.',
    instruction: 'The text is given to the model, which plans.',
    reject: 'The task fails.',
  },
  help: {
    edit: 'Your output replaces the model’s.',
    instruction: 'The model tries again, with your text.',
    reject: 'The model plans again while revisions last, else the task fails.',
  },
  plan: {
    approve: 'This plan is carried out as it stands.',
    edit: 'Your plan replaces it.',
    rank: 'The alternative that you put first replaces it.',
    instruction: 'The model plans again, with your text.',
    reject: 'The model plans again while revisions last, else the task fails.',
  },
  draft: {
    approve: 'This draft goes on to verification as it stands.',
    edit: 'Your draft replaces it.',
    rank: 'The alternative that you put first replaces it.',
    instruction: 'The model plans again, with your text.',
    reject: 'The model plans again while revisions last, else the task fails.',
  },
  approval: {
    approve: 'The write is made, as shown.',
    edit: 'Your arguments replace these; the policy decides again.',
    instruction: 'The model plans again, with your text.',
    reject: 'This write is not made; the others go on.',
  },
  doubt: {
    approve: 'The write counts as done.',
    edit: 'You say whether it happened; if it did not, it is made again.',
    reject: 'The write counts as not done and is not repeated.',
  },
  tool: {
    approve: 'The tool goes on.',
    edit: 'The tool goes on with your content.',
    rank: 'The tool goes on with your ranking.',
    instruction: 'The tool goes on with your text.',
    reject: 'The call fails.',
  },
  followup: {
    approve: 'The default is taken.',
    rank: 'Your choice is taken, in your order.',
    edit: 'The task begins again with your changes.',
    instruction: 'The task begins again with your text.',
    reject: 'Nothing more is done.',
  },
};

/** The question that a followup puts: its answers settle the task or begin it again (UpFormat Table 3). */
export const followupQuestion = (terms: Terms): OpenQuestion => ({
  id: 'followup',
  kind: 'followup',
  about: 'followup',
  accepts: ['approve', 'rank', 'edit', 'instruction', 'reject', 'comment'],
  consequences: consequences.followup,
  ...terms,
});

/** A question of the chart, with what a person has to know of it. */
export const openQuestion = (
  context: Context,
  id: string,
  question: Question,
  terms: Terms,
): OpenQuestion => ({
  id,
  ...question,
  accepts: feedbackTaken(context, question),
  consequences: consequences[question.kind],
  ...terms,
});

interface Wording {
  readonly explanation: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly upThought?: UpThought | undefined;
  readonly upContext?: UpContext | undefined;
}

/** What a question says beyond itself: the output, the action or the effect that it is about. */
export const wordingOf = (question: OpenQuestion, dossier: Dossier): Wording => {
  const action = Object.values(dossier.calls).find(
    ({ id, digest }) => id === question.about || digest === question.about,
  );
  const { plan, draft } = dossier;
  switch (question.kind) {
    case 'plan':
    case 'draft': {
      const output = question.kind === 'plan' ? plan : draft;
      return { explanation: '', payload: {}, ...output };
    }
    case 'approval':
      return {
        explanation: `May ${action?.tool ?? 'this tool'} be called with these arguments?`,
        payload: { action: action ?? null },
      };
    case 'doubt':
      return {
        explanation: `The outcome of ${action?.tool ?? 'a call'} is unknown: did it happen?`,
        payload: { action: action ?? null },
      };
    case 'information':
    case 'help':
    case 'tool':
    case 'followup':
      return { explanation: '', payload: {} };
  }
};
