import type { FeedbackType } from '../../../../../schema/index.ts';
import type { InboxEntry } from '../../../../core/kernel/summary.ts';
import { nameOfAnswer } from './offered.ts';

/** Returns the consequence of an answer, as the question states it. A comment decides nothing. */
export const consequence = ({ question }: InboxEntry, type: FeedbackType): string =>
  question.consequences[type] ?? 'The comment is recorded; the question stays open.';

interface Given {
  entry: InboxEntry;
  type: FeedbackType;
  /** Whether its fields are shown; `null` if it has none. */
  isOpen: boolean | null;
  isDisabled: boolean;
  press: () => void;
}

/** An answer as a button, with its consequence. */
export const Choice = ({ entry, type, isOpen, isDisabled, press }: Given) => (
  <button
    type="button"
    class={`choice ${type}`}
    value={type}
    disabled={isDisabled}
    aria-pressed={isOpen ?? undefined}
    onClick={press}
  >
    <strong>{nameOfAnswer(entry, type)}</strong> <span class="consequence">{consequence(entry, type)}</span>
  </button>
);
