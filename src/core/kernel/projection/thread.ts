import type { Fact } from '../../../../machines/index.ts';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import type { Emission } from '../../../base/ports/emission.ts';
import type { Review } from '../../../base/ports/model.ts';
import type { OpenQuestion } from '../../../base/ports/open-question.ts';
import { answeredBy } from './facts.ts';
import type { Asked, Projection } from './projection.ts';

/** Returns the question that a document asks; `undefined` for none. */
export const askedIn = ({ name, document }: Emission): Asked | undefined =>
  name === 'UpFormatMessage' && (document.state === 'needsHumanDecision' || document.state === 'followup')
    ? { question: document.payload['question'] as OpenQuestion, message: document } // the engine stored it
    : undefined;

/** Returns the messages that the task itself sent. */
export const messagesIn = (emissions: readonly Emission[]): readonly UpFormatMessage[] =>
  emissions.flatMap((one) => (one.name === 'UpFormatMessage' ? [one.document] : []));

/** Returns the messages of the task, and those that it received. */
export const threadIn = (emissions: readonly Emission[]): readonly UpFormatMessage[] =>
  emissions.flatMap((one) =>
    one.name === 'UpFormatMessage' || one.name === 'ReceivedMessage' ? [one.document] : [],
  );

/** Returns the messages of a task's emissions, its own and all. */
export const threadsIn = (emissions: readonly Emission[]): Pick<Projection, 'messages' | 'thread'> => ({
  messages: messagesIn(emissions),
  thread: threadIn(emissions),
});

/** A message, and the time at which it entered its task: a received one at that of the message before it. */
interface Placed {
  readonly message: UpFormatMessage;
  readonly at: number;
}

/** Returns the messages of a task's thread with their times; what another participant says of its own is not one. */
export const placedIn = ({
  messages,
  thread,
}: Pick<Projection, 'messages' | 'thread'>): readonly Placed[] => {
  const own = new Set(messages);
  let at = Number.NEGATIVE_INFINITY;
  return thread.map((message) => {
    if (own.has(message)) at = Date.parse(message.timestamp);
    return { message, at };
  });
};

/** Returns the projection after emissions, which add messages and questions. */
export const projectEmissions = (projection: Projection, emissions: readonly Emission[]): Projection => {
  const thread = threadIn(emissions);
  if (thread.length === 0) return projection;
  const asked = emissions.flatMap((one) => askedIn(one) ?? []);
  return {
    ...projection,
    messages: [...projection.messages, ...messagesIn(emissions)],
    thread: [...projection.thread, ...thread],
    asked: [...projection.asked, ...asked],
  };
};

/** Returns the reviews of other agents, in order. */
export const reviewsIn = ({ messages, thread }: Projection): readonly Review[] => {
  if (thread.length === messages.length) return [];
  const own = new Set(messages);
  return thread.flatMap((message) => {
    const { agentId: by = '', upFeedback: feedback } = message;
    return feedback === undefined || own.has(message) ? [] : [{ by, feedback, message }];
  });
};

/** Returns the id of the message that asked a question; the last one, if it was asked again. */
export const messageAsking = ({ asked }: Projection, question: string): string | undefined =>
  asked.findLast((one) => one.question.id === question)?.message.messageId;

/** Returns the id of the message that asked the answered question. */
export const answeredMessage = (projection: Projection, fact: Fact | null): string | undefined => {
  const question = answeredBy(fact);
  return question === undefined ? undefined : messageAsking(projection, question);
};

/** Returns the question of a message; `undefined` for none. */
export const askedBy = ({ asked }: Projection, messageId: string): Asked | undefined =>
  asked.findLast(({ message }) => message.messageId === messageId);
