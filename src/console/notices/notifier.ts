/** A notice for people outside the console: a question is open, or a task has settled. */
export interface Notice {
  /** The id, which stays the same in a retry: that of the message that asks, or of the settled task. */
  readonly id: string;
  readonly event: 'question' | 'settled';
  readonly taskId: string;
  /** RFC 3339. */
  readonly at: string;
  /** Of a question: the id of its message, its kind, the accepted feedback, and its deadline. */
  readonly messageId?: string;
  readonly kind?: string;
  readonly accepts?: readonly string[];
  readonly deadline?: string | null;
  /**
   * What the call does and why a person is asked (`summary`, `reasons`; of a question about a call), then the
   * message's `explanation` and `payload`; with `withContent` only.
   */
  readonly content?: unknown;
}

/** Notifies people outside the console, by webhook, mail or chat. Rejects if that failed. */
export interface Notifier {
  readonly notify: (notice: Notice, signal: AbortSignal) => Promise<void>;
}
