import type { Context, Fact } from '../../machines/index.ts';
import type { UpFormatMessage } from '../../schema/index.ts';
import { digest } from '../canonical/digest.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import { messageIdOf } from '../feedback/target.ts';
import type { Emission } from '../ports/emission.ts';
import type { LedgerEntry } from '../ports/ledger.ts';
import type { Deadline } from '../ports/store.ts';
import { termsOf } from './deadlines.ts';
import { emissionsOf } from './documents.ts';
import { answeredBy, type TaskDocuments } from './task-documents.ts';
import type { Environment } from './environment.ts';
import type { OpenQuestion } from './open-question.ts';
import { isAsked } from './questions.ts';
import type { TaskSnapshot } from './record.ts';
import { pathOf } from './task-summary.ts';
import type { InboxEntry } from './summary.ts';

/** A question, and the message that asks it. */
interface Asked {
  readonly question: OpenQuestion;
  readonly message: UpFormatMessage;
}

/** The question that a document asks; `undefined` if it asks none. */
export const askedIn = (emission: Emission): Asked | undefined => {
  if (emission.name !== 'UpFormatMessage') return undefined;
  const message = emission.document;
  if (message.state !== 'needsHumanDecision' && message.state !== 'followup') return undefined;
  return { question: message.payload['question'] as OpenQuestion, message }; // made by `emissionsOf`
};

/** What was said in these documents. */
export const messagesIn = (emissions: readonly Emission[]): readonly UpFormatMessage[] =>
  emissions.flatMap((one) => (one.name === 'UpFormatMessage' ? [one.document] : []));

/** The last word on the severity of a question and on its priority, in comments on the message that asked it. */
const weightIn = (
  messages: readonly UpFormatMessage[],
  asking: string,
): Pick<InboxEntry, 'severity' | 'priority'> => {
  const comments = messages.flatMap(({ upFeedback }) =>
    upFeedback !== undefined && messageIdOf(upFeedback) === asking ? [upFeedback.metadata ?? {}] : [],
  );
  const severity = comments.findLast((said) => said.severity !== undefined)?.severity;
  const priority = comments.findLast((said) => said.priority !== undefined)?.priority;
  return { ...(severity !== undefined && { severity }), ...(priority !== undefined && { priority }) };
};

/** What a task has said, and what it asked. */
export class Thread {
  readonly messages: UpFormatMessage[] = [];
  /** By `messageId`: what a person's feedback may answer. */
  readonly asked = new Map<string, Asked>();
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
    return [...this.asked].findLast(([, asked]) => asked.question.id === question)?.[0];
  }

  /** The documents that one step gives cause to emit. */
  emissionsOf(
    record: LedgerEntry,
    before: Context | null,
    after: Context,
    documents: TaskDocuments,
    running: readonly Deadline[],
  ): readonly Emission[] {
    const { ids, policy } = this.#environment;
    return emissionsOf({
      before,
      after,
      record,
      documents,
      uuid: ids.uuid,
      terms: termsOf(this.#taskClass, running, record.brought.payload),
      policyVersion: policy.version ?? null,
      last: this.messages.at(-1)?.messageId ?? documents.request.parentMessageId,
      answered: this.#answered(record.fact),
    });
  }

  /** What a task asks once these were emitted, as the inbox shows it. */
  openAfter(
    emissions: readonly Emission[],
    snapshot: TaskSnapshot,
    documents: TaskDocuments,
  ): readonly InboxEntry[] {
    const { value, context } = snapshot;
    if (value !== 'followup' && Object.keys(context.questions).length === 0) return [];
    const last = new Map<string, Asked>();
    for (const asked of [...this.asked.values(), ...emissions.flatMap((one) => askedIn(one) ?? [])]) {
      last.delete(asked.question.id); // asked again, it stands where it was asked last
      last.set(asked.question.id, asked);
    }
    const path = pathOf(this.#taskId, documents);
    const messages = [...this.messages, ...messagesIn(emissions)];
    return [...last.values()]
      .filter(({ question }) => isAsked(snapshot, question))
      .map((asked) => ({
        taskId: this.#taskId,
        path,
        ...asked,
        ...weightIn(messages, asked.message.messageId),
      }));
  }

  /** Tells those who listen, and keeps what was said and asked. */
  emit(emission: Emission, documents: TaskDocuments): void {
    const { emit } = this.#environment;
    const taskId = this.#taskId;
    emit('document', { ...emission, taskId });
    const asked = this.#keep(emission);
    if (asked !== undefined) emit('question', { taskId, path: pathOf(taskId, documents), ...asked });
  }

  /** Goes on where these end, which were told before. */
  goOn(emissions: readonly Emission[]): void {
    this.messages.length = 0;
    this.asked.clear();
    for (const emission of emissions) this.#keep(emission);
  }

  #keep(emission: Emission): Asked | undefined {
    if (emission.name !== 'UpFormatMessage') return undefined;
    const message = emission.document;
    this.messages.push(message);
    const asked = askedIn(emission);
    if (asked !== undefined) this.asked.set(message.messageId, asked);
    return asked;
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
