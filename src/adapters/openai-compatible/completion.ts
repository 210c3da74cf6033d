import * as z from 'zod';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { readJson } from '../../base/boundary/read-json.ts';
import { unreadable } from '../../base/canonical/unreadable.ts';
import { isCharterError } from '../../base/errors.ts';
import type { Turn } from '../../base/ports/model.ts';

const Choice = z.object({
  finish_reason: z.string().nullish(),
  message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
});
const Completion = z.object({ choices: z.tuple([Choice], z.unknown()) });
const Wrapped = z.strictObject({ answer: z.json() });

/** Parses a completion. Its error has no excerpt, because a server may echo the request. */
const readCompletion = (source: Uint8Array): unknown => {
  try {
    return readJson('chat completion', source);
  } catch (error) {
    if (!isCharterError(error, 'input_unreadable')) throw error;
    throw unreadable('chat completion', [], error.details.reason, 'a JSON object (RFC 8259)');
  }
};

/** Returns a model's refusal as an output that cannot proceed. The chart decides what follows. */
const refusalOf = (asks: Turn['asks'], explanation: string) => {
  if (asks === 'correction') return { choice: 'beyondCapability', explanation };
  const output = { canProceed: false, confidence: 0, explanation };
  return asks === 'plan' ? { ...output, calls: [] } : { ...output, payload: {} };
};

/** Returns the content as JSON, or as text. A closed schema rejects text and returns it for correction. */
const parsedContent = (content: string): unknown => {
  let value: unknown;
  try {
    value = readJson('answer', content);
  } catch {
    return content;
  }
  const wrapped = Wrapped.safeParse(value);
  return wrapped.success ? wrapped.data.answer : value;
};

/**
 * Returns a chat completion's answer to a turn.
 *
 * Throws `input_unreadable` and `document_invalid` for an invalid completion, and an error for one that is
 * truncated, filtered or empty.
 */
export const answerIn = (source: Uint8Array, asks: Turn['asks']): unknown => {
  const { choices } = parseDocument('chat completion', Completion, readCompletion(source));
  const [{ finish_reason: end, message }] = choices;
  const { content, refusal } = message;
  if (refusal) return refusalOf(asks, refusal);
  if (end === 'length') throw new Error('the answer of the model was truncated: allow more tokens');
  if (end === 'content_filter') throw new Error('the answer of the model was withheld by a content filter');
  if (!content) throw new Error('the model answered without a content');
  return parsedContent(content);
};
