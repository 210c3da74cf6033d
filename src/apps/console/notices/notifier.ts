import type { Outcome } from '../../../../schema/index.ts';
import type { StuckTask } from '../../../core/shell/operator-surface.ts';
import type { OpenQuestion } from '../../../base/ports/open-question.ts';

/** What every notice has. */
interface Notified {
  /** The id, which stays the same in a retry: that of the message that asks, or of the settled task. */
  readonly id: string;
  readonly taskId: string;
  readonly taskClass: string;
  /** RFC 3339. */
  readonly at: string;
  /**
   * One line for a person. With `withContent` it says what an answer decides, such as "Refund 180 EUR for order o-7.";
   * otherwise it quotes nothing.
   */
  readonly summary: string;
}

/** A notice that a question is open. */
export interface QuestionNotice extends Notified {
  readonly event: 'question';
  /** The target of an answer. */
  readonly messageId: string;
  readonly kind: OpenQuestion['kind'];
  readonly accepts: OpenQuestion['accepts'];
  readonly deadline: string | null;
  /** What a person is asked; with `withContent` only. */
  readonly content?: {
    /** Why a person is asked, of a question about a call. */
    readonly reasons?: readonly string[];
    /** The explanation and the payload of the message. */
    readonly explanation: string;
    readonly payload: unknown;
  };
}

/** A notice that a task has ended. */
export interface SettledNotice extends Notified {
  readonly event: 'settled';
  readonly state: string;
  readonly outcome: Outcome;
}

/** A notice that nothing goes on with a task. Its id has the time of the last record, so that it is one for each time that it gets stuck. */
export interface StuckNotice extends Notified {
  readonly event: 'stuck';
  readonly reason: StuckTask['reason'];
}

/** A notice for people outside the console: a question is open, a task has settled, or nothing goes on with one. */
export type Notice = QuestionNotice | SettledNotice | StuckNotice;

/** Notifies people outside the console, by webhook, mail or chat. Rejects if that failed. */
export interface Notifier {
  readonly notify: (notice: Notice, signal: AbortSignal) => Promise<void>;
}
