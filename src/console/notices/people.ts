import { markedLines, visibleValue } from '../../boundary/foreign-text.ts';
import { randomIds, rfc3339, systemClock } from '../../orchestrator/clock.ts';
import { createSlots } from '../../orchestrator/slots.ts';
import type { InboxEntry } from '../../orchestrator/summary.ts';
import type { Orchestrator } from '../../orchestrator/surface.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Notice, Notifier } from './notifier.ts';

/** How people are told; what is left out is the quiet choice. */
export interface NotifyOptions {
  /** Whether a notice quotes the message that asks; no payload leaves the process where left out. */
  readonly withContent?: boolean;
  /** Told of a notice that reached nobody; the orchestrator is never disturbed. */
  readonly onError?: (error: unknown, notice: Notice) => void;
  readonly clock?: Clock;
}

/** Notices that are on their way at once. */
const atOnce = 4;

const asked = ({ message, question }: InboxEntry, withContent: boolean): Partial<Notice> => ({
  messageId: message.messageId,
  kind: question.kind,
  accepts: question.accepts,
  deadline: question.deadline,
  ...(withContent && {
    content: {
      explanation: markedLines(message.explanation),
      payload: visibleValue(message.payload),
    },
  }),
});

/**
 * Tells people through a notifier of each question that opens and each task that settles, from now on; what is returned
 * ends it, and aborts what is on its way.
 */
export const notifyPeople = (
  orchestrator: Orchestrator,
  notifier: Notifier,
  { withContent = false, onError = () => {}, clock = systemClock }: NotifyOptions = {},
): (() => void) => {
  const stopped = new AbortController();
  const slots = createSlots(atOnce);

  const notify = (event: Notice['event'], taskId: string, more: Partial<Notice> = {}): void => {
    const notice: Notice = { id: randomIds.uuid(), event, taskId, at: rfc3339(clock.now()), ...more };
    slots(() => notifier.notify(notice, stopped.signal), stopped.signal).catch((error: unknown) => {
      if (!stopped.signal.aborted) onError(error, notice);
    });
  };

  const leave = [
    orchestrator.on('question', (entry) => notify('question', entry.taskId, asked(entry, withContent))),
    orchestrator.on('settled', ({ taskId }) => notify('settled', taskId)),
  ];
  return () => {
    for (const stop of leave) stop();
    stopped.abort();
  };
};
