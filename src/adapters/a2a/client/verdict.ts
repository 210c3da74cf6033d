import { TaskState, type Message, type Part, type Task } from '@a2a-js/sdk';
import * as z from 'zod';
import { UpFormatMessage } from '../../../../schema/index.ts';
import { contentOf } from '../parts.ts';
import { meaningOf } from '../states.ts';

/** A question of a remote agent. */
export interface RemoteQuestion {
  readonly messageId: string;
  /** Its UpFormat message; `null` for an agent without our extension. */
  readonly message: UpFormatMessage | null;
  readonly text: string;
  /** Whether it requires credentials, which no answer can carry. */
  readonly needsToken: boolean;
}

/** The local meaning of a remote task. */
export type Verdict =
  | { readonly is: 'works' }
  | { readonly is: 'asks'; readonly asked: RemoteQuestion }
  | { readonly is: 'done'; readonly parts: readonly unknown[] }
  | { readonly is: 'failed'; readonly isUndone: boolean; readonly explanation: string };

const plain = ({ content }: Part): unknown => {
  switch (content?.$case) {
    case 'raw':
      return { raw: content.value.toString('base64') };
    case 'text':
    case 'url':
    case 'data':
      return { [content.$case]: content.value ?? null };
    case undefined:
      return {};
  }
};

const contentIn = (message: Message | undefined) => contentOf(message?.parts ?? []);

const upFormatIn = (message: Message | undefined): UpFormatMessage | null =>
  UpFormatMessage.safeParse(contentIn(message).marked('UpFormatMessage')[0]).data ?? null;

const Failed = z.object({ reasonCodes: z.array(z.string()).max(100) });
const doubtful = ['EFFECT_IN_DOUBT', 'ROLLBACK_REQUIRED'];

/**
 * Returns the failure of a task. It had no effect only if the agent gives reason codes, none of them of doubt
 * (UAICP 4.3).
 */
const failureOf = ({ status }: Task): Verdict => {
  const message = upFormatIn(status?.message);
  const codes = Failed.safeParse(message?.payload).data?.reasonCodes ?? null;
  const isRejected = status?.state === TaskState.TASK_STATE_REJECTED;
  const isUndone = isRejected || (codes !== null && !codes.some((code) => doubtful.includes(code)));
  const words = message?.explanation ?? contentIn(status?.message).texts.join(' ');
  const state = TaskState[status?.state ?? TaskState.UNRECOGNIZED];
  return { is: 'failed', isUndone, explanation: `${state}: ${words}`.slice(0, 500) };
};

const askedIn = ({ id, status }: Task): RemoteQuestion => ({
  messageId: upFormatIn(status?.message)?.messageId ?? status?.message?.messageId ?? id,
  message: upFormatIn(status?.message),
  text: contentIn(status?.message).texts.join('\n'),
  needsToken: status?.state === TaskState.TASK_STATE_AUTH_REQUIRED,
});

/** Returns the meaning of a remote task, by its state and never by its text. Its payload is untrusted. */
export const verdictOn = (task: Task): Verdict => {
  switch (meaningOf(task.status?.state)) {
    case 'works':
      return { is: 'works' };
    case 'asks':
      return { is: 'asks', asked: askedIn(task) };
    case 'completed': {
      const delivered = task.artifacts.flatMap(({ parts }) => parts);
      const parts = delivered.length > 0 ? delivered : (task.status?.message?.parts ?? []);
      return { is: 'done', parts: parts.map(plain) };
    }
    case 'failed':
      return failureOf(task);
  }
};

/** Returns the parts of a message that replaces a task: an immediate result (A2A 3.1.1). */
export const partsIn = ({ parts }: Message): readonly unknown[] => parts.map(plain);
