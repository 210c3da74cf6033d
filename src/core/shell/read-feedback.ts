import { JsonObject, UpFeedback, Uuid } from '../../../schema/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { invalidText, parseDocument } from '../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';
import { CharterError } from '../../base/errors.ts';
import { filledIn } from '../../base/feedback/feedback.ts';
import type { OpenQuestion } from '../../base/ports/open-question.ts';
import { shownNames } from '../../base/text/foreign-text.ts';
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

/** Reads feedback: frozen and redacted. */
export const readFeedback = (value: unknown, { redact }: Pick<Environment, 'redact'>): UpFeedback => {
  const copy = frozenCopy(filledIn(value), 'UpFeedback');
  checkTarget(copy);
  const { type, target, ...rest } = parseDocument('UpFeedback', UpFeedback, copy);
  const kept = parseDocument('feedback', JsonObject, redact(rest, 'feedback'));
  return parseDocument('UpFeedback', UpFeedback, { ...kept, type, target });
};

/** Returns the members of an approval's content that have no effect: an approval changes nothing. */
const ineffective = (content: UpFeedback['content'], kind: OpenQuestion['kind']): readonly string[] => {
  if (Array.isArray(content)) return ['a ranking'];
  const effective = ['text', 'annotations', ...(kind === 'approval' ? ['endorses'] : [])];
  return isObject(content) ? Object.keys(content).filter((name) => !effective.includes(name)) : [];
};

/** Returns why feedback cannot answer a question; `null` if it can. */
export const obstacle = (
  { accepts, kind }: Pick<OpenQuestion, 'accepts' | 'kind'>,
  { type, content }: UpFeedback,
  part: string,
): string | null => {
  if (!accepts.includes(type)) return `${type} does not answer it`;
  if (type === 'approve' && part !== '') return 'a part of it cannot be approved alone';
  const without = type === 'approve' ? ineffective(content, kind) : [];
  if (without.length > 0)
    return `an approval changes nothing, so that its content ${shownNames(without)} has no effect: leave it out, or send an edit`;
  if (content === undefined && type === 'edit')
    return 'an edit needs `content`: an object with one of value, edits, diff';
  if (content === undefined && type === 'instruction')
    return 'an instruction needs `content`: what the agent is told';
  return null;
};
