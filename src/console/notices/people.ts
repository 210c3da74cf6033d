import { markedLines, oneLine, visibleValue } from '../../boundary/foreign-text.ts';
import { warnWithout } from '../../boundary/warn-of-error.ts';
import { rfc3339, systemClock } from '../../orchestrator/clock.ts';
import { createSlots } from '../../orchestrator/slots.ts';
import type { InboxEntry } from '../../orchestrator/summary.ts';
import type { Orchestrator } from '../../orchestrator/surface.ts';
import { hostSignal, WorkAbort } from '../../orchestrator/work-signal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Notice, Notifier } from './notifier.ts';

/** Options of `notifyPeople`. */
export interface NotifyOptions {
  /** Whether a notice quotes the message of its question. By default, no payload leaves the process. */
  readonly withContent?: boolean;
  /** Called with a notice that could not be sent. The orchestrator is not affected. By default, a Node.js warning. */
  readonly onError?: (error: unknown, notice: Notice) => void;
  readonly clock?: Clock;
}

/** The maximum of concurrent notices. */
const atOnce = 4;

const asked = ({ message, question }: InboxEntry, withContent: boolean): Partial<Notice> => ({
  messageId: message.messageId,
  kind: question.kind,
  accepts: question.accepts,
  deadline: question.deadline,
  ...(withContent && {
    content: {
      ...(question.summary !== undefined && { summary: oneLine(question.summary) }),
      ...(question.reasons !== undefined && { reasons: question.reasons.map((why) => markedLines(why)) }),
      explanation: markedLines(message.explanation),
      payload: visibleValue(message.payload),
    },
  }),
});

/**
 * Notifies people of each new question and each settled task. Returns a function that stops it and aborts pending notices.
 *
 * Of several processes on a store with leases, the one that recorded the question or the end notifies: call it in each.
 */
export const notifyPeople = (
  orchestrator: Orchestrator,
  notifier: Notifier,
  {
    withContent = false,
    onError = warnWithout('a person was not notified'),
    clock = systemClock,
  }: NotifyOptions = {},
): (() => void) => {
  const stopped = new WorkAbort();
  const signal = hostSignal(stopped);
  const slots = createSlots(atOnce);

  const notify = (event: Notice['event'], id: string, of: Pick<Notice, 'taskId'> & Partial<Notice>): void => {
    const notice: Notice = { id, event, at: rfc3339(clock.now()), ...of };
    slots(() => notifier.notify(notice, signal), stopped).catch((error: unknown) => {
      if (!stopped.aborted) onError(error, notice);
    });
  };

  const leave = [
    orchestrator.on('question', ({ isForeign, ...entry }) => {
      const { taskId, message } = entry;
      if (!isForeign) notify('question', message.messageId, { taskId, ...asked(entry, withContent) });
    }),
    orchestrator.on('settled', ({ taskId, isForeign }) => {
      if (!isForeign) notify('settled', taskId, { taskId });
    }),
  ];
  return () => {
    for (const stop of leave) stop();
    stopped.abort(undefined);
  };
};
