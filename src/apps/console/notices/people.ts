import * as z from 'zod';
import { markedLines, oneLine, visibleValue } from '../../../base/text/foreign-text.ts';
import { warnWithout } from '../../../base/boundary/warn-of-error.ts';
import { Callable, checkDefinition } from '../../../base/define/definition.ts';
import { rfc3339 } from '../../../core/kernel/now.ts';
import { systemClock } from '../../../core/shell/clock.ts';
import { createSlots } from '../../../core/shell/slots.ts';
import type { OrchestratorEvents } from '../../../core/shell/events.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { hostSignal, WorkAbort } from '../../../core/shell/work-signal.ts';
import type { Clock } from '../../../base/ports/clock.ts';
import type { StuckTask } from '../../../core/shell/operator-surface.ts';
import type { Notice, Notifier, QuestionNotice, SettledNotice, StuckNotice } from './notifier.ts';

/** Options of `notifyPeople`. */
export interface NotifyOptions {
  /** Whether a notice quotes the message of its question. By default, no payload leaves the process. */
  readonly withContent?: boolean;
  /** Called with a notice that could not be sent. The orchestrator is not affected. By default, a Node.js warning. */
  readonly onError?: (error: unknown, notice: Notice) => void;
  /**
   * Milliseconds between two looks for stuck tasks, such as 60,000: each is notified once. By default no one looks. Of several processes on a
   * store with leases, let one look.
   */
  readonly stuckEvery?: number;
  readonly clock?: Clock;
}

const Given = z.object({
  orchestrator: z.object({ on: Callable }, 'expected an orchestrator, such as `guard.orchestrator`'),
  notifier: z.object({ notify: Callable }, 'expected a notifier: { notify: async (notice, signal) => … }'),
});

/** The maximum of concurrent notices. */
const atOnce = 4;

type Heard<Name extends 'question' | 'settled'> = OrchestratorEvents[Name];

const questionNotice = (
  { taskId, taskClass, message, question }: Heard<'question'>,
  withContent: boolean,
): Omit<QuestionNotice, 'at'> => {
  const { kind, accepts, deadline, summary, reasons } = question;
  const { messageId, explanation, payload } = message;
  const asked = {
    id: messageId,
    event: 'question',
    taskId,
    taskClass,
    messageId,
    kind,
    accepts,
    deadline,
  } as const;
  if (!withContent) return { ...asked, summary: `${taskClass} waits for an answer: ${kind}` };
  return {
    ...asked,
    summary: oneLine(summary ?? explanation),
    content: {
      ...(reasons !== undefined && { reasons: reasons.map((why) => markedLines(why)) }),
      explanation: markedLines(explanation),
      payload: visibleValue(payload),
    },
  };
};

const settledNotice = ({
  taskId,
  taskClass,
  state,
  outcome,
}: Heard<'settled'>): Omit<SettledNotice, 'at'> => ({
  id: taskId,
  event: 'settled',
  taskId,
  taskClass,
  summary: `${taskClass}: ${state.split('.')[0]}`,
  state,
  outcome,
});

const stuckNotice = ({ taskId, taskClass, since, reason, message }: StuckTask): Omit<StuckNotice, 'at'> => ({
  id: `${taskId}@${since}`,
  event: 'stuck',
  taskId,
  taskClass,
  summary: oneLine(`${taskClass} is stuck: ${message}`),
  reason,
});

/** Looks for stuck tasks now and then, and calls `found` with each that was not stuck at the look before. Returns a function that stops it. */
const lookForStuck = (
  orchestrator: Pick<Orchestrator, 'stuck'>,
  clock: Clock,
  every: number,
  found: (notice: Omit<StuckNotice, 'at'>) => void,
): (() => void) => {
  let told = new Set<string>();
  let cancel: (() => void) | null = null;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const notices = (await orchestrator.stuck({ limit: 1_000 })).map(stuckNotice);
    for (const notice of notices) if (!told.has(notice.id) && !isStopped) found(notice);
    told = new Set(notices.map(({ id }) => id));
  };
  const wind = (): void => {
    if (!isStopped)
      cancel = clock.wakeAt(
        clock.now() + every,
        () =>
          void look()
            .catch(() => {})
            .finally(wind),
      ); // the next look finds the same
  };
  wind();
  return () => {
    isStopped = true;
    cancel?.();
  };
};

/**
 * Notifies people of each new question and each settled task. Returns a function that stops it and aborts pending notices.
 *
 * Throws `definition_invalid` if either is something else. Of several processes on a store with leases, the one that recorded the question or the end notifies: call it in each.
 */
export const notifyPeople = (
  orchestrator: Orchestrator,
  notifier: Notifier,
  {
    withContent = false,
    onError = warnWithout('a person was not notified'),
    clock = systemClock,
    stuckEvery,
  }: NotifyOptions = {},
): (() => void) => {
  checkDefinition('notifyPeople', null, Given, { orchestrator, notifier });
  const stopped = new WorkAbort();
  const signal = hostSignal(stopped);
  const slots = createSlots(atOnce);

  const notify = (
    of: Omit<QuestionNotice, 'at'> | Omit<SettledNotice, 'at'> | Omit<StuckNotice, 'at'>,
  ): void => {
    const notice: Notice = { ...of, at: rfc3339(clock.now()) };
    slots(() => notifier.notify(notice, signal), stopped).catch((error: unknown) => {
      if (!stopped.aborted) onError(error, notice);
    });
  };

  const leave = [
    orchestrator.on('question', (asked) => {
      if (!asked.isForeign) notify(questionNotice(asked, withContent));
    }),
    orchestrator.on('settled', (settled) => {
      if (!settled.isForeign) notify(settledNotice(settled));
    }),
    ...(stuckEvery === undefined ? [] : [lookForStuck(orchestrator, clock, stuckEvery, notify)]),
  ];
  return () => {
    for (const stop of leave) stop();
    stopped.abort(undefined);
  };
};
