import type { Context, Fact } from '../../machines/index.ts';
import type { UpFormatMessage } from '../../schema/index.ts';
import { digest } from '../canonical/digest.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import type { Emission } from '../ports/emission.ts';
import type { LedgerEntry } from '../ports/ledger.ts';
import { termsOf } from './deadlines.ts';
import { emissionsOf } from './documents.ts';
import { answeredBy, type Dossier } from './dossier.ts';
import type { Environment } from './environment.ts';
import type { OpenQuestion } from './questions.ts';

/** What a task has said, and what it asked. */
export class Thread {
  readonly messages: UpFormatMessage[] = [];
  /** By `messageId`: what a person's feedback may answer. */
  readonly asked = new Map<string, OpenQuestion>();
  readonly #taskId: string;
  readonly #taskClass: DefinedTaskClass;
  readonly #environment: Environment;

  constructor(taskId: string, taskClass: DefinedTaskClass, environment: Environment) {
    this.#taskId = taskId;
    this.#taskClass = taskClass;
    this.#environment = environment;
  }

  /** The message that asked a question; the last one, where it was asked again. */
  messageAsking(question: string): string | undefined {
    return [...this.asked].findLast(([, { id }]) => id === question)?.[0];
  }

  /** The documents that one step gives cause to emit. */
  emissionsOf(
    record: LedgerEntry,
    before: Context | null,
    after: Context,
    dossier: Dossier,
  ): readonly Emission[] {
    const { clock, ids, policy } = this.#environment;
    return emissionsOf({
      before,
      after,
      record,
      dossier,
      uuid: ids.uuid,
      terms: termsOf(this.#taskClass, clock.now(), record.brought.payload),
      policyVersion: policy.version ?? null,
      last: this.messages.at(-1)?.messageId ?? dossier.request.parentMessageId,
      answered: this.#answered(record.fact),
    });
  }

  /** Tells those who listen, and keeps what was said and asked. */
  tell(emission: Emission): void {
    const { emit, children } = this.#environment;
    const taskId = this.#taskId;
    emit('document', { ...emission, taskId });
    if (emission.name !== 'UpFormatMessage') return;
    const message = emission.document;
    this.messages.push(message);
    if (message.state !== 'needsHumanDecision' && message.state !== 'followup') return;
    const question = message.payload['question'] as OpenQuestion; // made by `emissionsOf`, a moment ago
    this.asked.set(message.messageId, question);
    emit('question', { taskId, path: children.pathOf(taskId), question, message });
  }

  /** What was said in a message of this digest is said no more. */
  forget(erased: string): void {
    this.messages.forEach((message, at) => {
      if (digest(message) !== erased) return;
      const { messageId, threadId, parentMessageId, timestamp, state } = message;
      this.messages[at] = {
        messageId,
        threadId,
        ...(parentMessageId !== undefined && { parentMessageId }),
        timestamp,
        state,
        payload: {},
        explanation: 'This message was erased.',
      };
    });
  }

  #answered(fact: Fact | null): string | undefined {
    const question = answeredBy(fact);
    return question === undefined ? undefined : this.messageAsking(question);
  }
}
