/** What people outside the console are told: that something waits for them, or is over. */
export interface Notice {
  /** The same when it is told again. */
  readonly id: string;
  readonly event: 'question' | 'settled';
  readonly taskId: string;
  /** RFC 3339. */
  readonly at: string;
  /** Of a question: the message that feedback names, what kind it is, what it accepts, and until when. */
  readonly messageId?: string;
  readonly kind?: string;
  readonly accepts?: readonly string[];
  readonly deadline?: string | null;
  /** What the message says; only where it is asked for. */
  readonly content?: unknown;
}

/** Tells people outside the console: a webhook, mail, a chat. Rejects where they could not be told. */
export interface Notifier {
  readonly notify: (notice: Notice, signal: AbortSignal) => Promise<void>;
}
