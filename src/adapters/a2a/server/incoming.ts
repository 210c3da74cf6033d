import type { Message } from '@a2a-js/sdk';
import { JsonObject, UpFeedback, UpFormatMessage } from '../../../../schema/index.ts';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import { CharterError } from '../../../base/errors.ts';
import { messageIdOf } from '../../../base/feedback/target.ts';
import type { InboxEntry } from '../../../core/kernel/summary.ts';
import type { Submission } from '../../../core/shell/submission.ts';
import { contentOf, type Marked } from '../parts.ts';

const refuse = (message: string): CharterError =>
  new CharterError('document_invalid', `A2A message is not valid: /parts: ${message}`, {
    document: 'A2A message',
    issues: [{ path: '/parts', message }],
  });

/** Returns the only document of a name in a message; `undefined` for none. */
const onlyOne = (message: Message, name: Marked): unknown => {
  const [first, ...more] = contentOf(message.parts).marked(name);
  if (more.length > 0) throw refuse(`expected at most one ${name}`);
  return first === undefined ? undefined : frozenCopy(first, name);
};

/**
 * Returns the request in a message: its UpFormat message, or its data part and texts.
 *
 * Throws `document_invalid` or `input_unreadable`.
 */
export const requestIn = (message: Message): Pick<Submission, 'payload' | 'explanation'> => {
  const { texts, plain, files, marked } = contentOf(message.parts);
  const given = onlyOne(message, 'UpFormatMessage');
  if (files > 0) throw refuse('expected no files');
  if (marked('UpFeedback').length > 0) throw refuse('feedback cannot begin a task: expected a request');
  if (given !== undefined) {
    const { state, payload, explanation } = parseDocument('UpFormatMessage', UpFormatMessage, given);
    if (state !== 'submitted') throw refuse(`expected an UpFormatMessage of state submitted, not ${state}`);
    return { payload, explanation };
  }
  if (plain.length + texts.length === 0) throw refuse('expected text, a data part or an UpFormatMessage');
  if (plain.length > 1) throw refuse('expected at most one data part');
  const payload = parseDocument('payload', JsonObject, frozenCopy(plain[0] ?? {}, 'payload'));
  return { payload, explanation: texts.join('\n') };
};

/** Returns the feedback in a message; `undefined` for none. */
export const feedbackIn = (message: Message): UpFeedback | undefined => {
  const given = onlyOne(message, 'UpFeedback');
  return given === undefined ? undefined : parseDocument('UpFeedback', UpFeedback, given);
};

/**
 * Returns the answer in a message. Plain text answers a request for information only; it never approves.
 *
 * Throws `document_invalid`, `input_unreadable`, or `not_found` for a target that is not in `asked`.
 */
export const answerIn = (
  message: Message,
  open: readonly InboxEntry[],
  asked: readonly string[],
): UpFeedback => {
  const feedback = feedbackIn(message) ?? inWords(message, open);
  const id = messageIdOf(feedback);
  if (asked.includes(id)) return feedback;
  const known = open.map((entry) => entry.message.messageId);
  throw new CharterError('not_found', `this task asked no question in message ${id}`, {
    kind: 'question',
    id,
    known,
  });
};

const inWords = ({ parts }: Message, open: readonly InboxEntry[]): UpFeedback => {
  const { texts, plain, files } = contentOf(parts);
  const [only, ...more] = open;
  const isText = texts.length > 0 && plain.length === 0 && files === 0;
  if (!isText || only?.question.kind !== 'information' || more.length > 0)
    throw refuse('expected a data part that is marked UpFeedback');
  return { type: 'instruction', target: only.message.messageId, content: texts.join('\n') };
};
