import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** The same key makes the same messages, so that a mail server recognizes a repetition. */
  readonly idempotencyKey: string;
}

export interface Receipt {
  /** In the order of the recipients. */
  readonly messageIds: readonly string[];
  readonly accepted: readonly string[];
  /** Refused permanently by the server. A temporary refusal is an error, which is retried under the same key. */
  readonly rejected: readonly string[];
}

export interface Mailer {
  send(mail: Mail, signal?: AbortSignal): Promise<Receipt>;
  close(): void;
}

/** The Message-ID (RFC 5322) of the message to one recipient under an idempotency key. */
export function messageIdOf(idempotencyKey: string, recipient: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([idempotencyKey, recipient]))
    .digest('hex');
  return `<${idempotencyKey.replace(/[^\w-]/g, '_').slice(0, 64)}_${digest.slice(0, 16)}@shortlisting.example>`;
}

const refusesRecipient = (error: unknown): boolean =>
  error instanceof Error &&
  'command' in error &&
  error.command === 'RCPT TO' &&
  'permanent' in error &&
  error.permanent === true;

/** Sends mail through an SMTP server: one message per recipient, so that no one sees the other recipients. */
export function createMailer(url: string, from = 'Recruiting <recruiting@shortlisting.example>'): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  return {
    async send({ to, subject, text, idempotencyKey }, signal) {
      const messageIds: string[] = [];
      const accepted: string[] = [];
      const rejected: string[] = [];
      for (const address of to) {
        const messageId = messageIdOf(idempotencyKey, address);
        messageIds.push(messageId);
        try {
          // As an object: as a string, "a@example.com, b@example.com" would be two recipients.
          await transport.sendMail({ from, to: { name: '', address }, subject, text, messageId, signal });
          accepted.push(address);
        } catch (error) {
          if (!refusesRecipient(error)) throw error;
          rejected.push(address);
        }
      }
      return { messageIds, accepted, rejected };
    },
    close: () => transport.close(),
  };
}
