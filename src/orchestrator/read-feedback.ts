import { JsonObject, UpFeedback } from '../../schema/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import type { Environment } from './environment.ts';

/** Reads feedback: frozen and redacted. */
export const readFeedback = (value: unknown, { redact }: Pick<Environment, 'redact'>): UpFeedback => {
  const { type, target, ...rest } = parseDocument('UpFeedback', UpFeedback, frozenCopy(value, 'UpFeedback'));
  const kept = parseDocument('feedback', JsonObject, redact(rest, 'feedback'));
  return parseDocument('UpFeedback', UpFeedback, { ...kept, type, target });
};
