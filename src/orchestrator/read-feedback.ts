import { JsonObject, UpFeedback, Uuid } from '../../schema/index.ts';
import { isObject } from '../boundary/is-object.ts';
import { invalidText, parseDocument } from '../boundary/parse-document.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { isPlainContainer } from '../canonical/walk.ts';
import { CharterError } from '../errors.ts';
import type { Environment } from './environment.ts';

/** Throws `document_invalid` for a target that is no id of a message, such as the id of the question itself. */
const checkTarget = (feedback: unknown): void => {
  const target = isObject(feedback) ? feedback['target'] : undefined;
  const id = isObject(target) ? target['messageId'] : target;
  if (typeof id !== 'string' || Uuid.safeParse(id).success) return;
  const path = isObject(target) ? '/target/messageId' : '/target';
  const message = 'must be the `messageId` of the message that asks: `inbox` lists the open ones';
  const issues = [{ path, message }];
  throw new CharterError('document_invalid', invalidText('UpFeedback', issues), {
    document: 'UpFeedback',
    issues,
  });
};

/** Returns feedback without members that are `undefined`, as a form leaves what was not filled in. */
const filledIn = (value: unknown): unknown => {
  if (!isObject(value) || !isPlainContainer(value)) return value;
  const members = Object.entries(Object.getOwnPropertyDescriptors(value));
  const filled = members.filter(([, member]) => member.get !== undefined || member.value !== undefined);
  return Object.defineProperties({}, Object.fromEntries(filled));
};

/** Reads feedback: frozen and redacted. */
export const readFeedback = (value: unknown, { redact }: Pick<Environment, 'redact'>): UpFeedback => {
  const copy = frozenCopy(filledIn(value), 'UpFeedback');
  checkTarget(copy);
  const { type, target, ...rest } = parseDocument('UpFeedback', UpFeedback, copy);
  const kept = parseDocument('feedback', JsonObject, redact(rest, 'feedback'));
  return parseDocument('UpFeedback', UpFeedback, { ...kept, type, target });
};
