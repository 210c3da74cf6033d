import { types } from 'node:util';
import { UpFormatMessage } from '../../../schema/index.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { digest } from '../../base/canonical/digest.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';
import { isCharterError } from '../../base/errors.ts';
import type { LineageFinding } from './findings.ts';

/** A parsed message, with its index in the input and its time in milliseconds since 1970. */
export interface PlacedMessage {
  readonly message: UpFormatMessage;
  readonly index: number;
  readonly at: number;
}

/** Messages by `idOf` their messageId, in input order, and the problems of the others. */
export interface Read {
  readonly placed: ReadonlyMap<string, PlacedMessage>;
  readonly findings: readonly LineageFinding[];
}

/** Returns a UUID for comparison; case does not matter (RFC 9562, section 4). */
export const idOf = (uuid: string): string => uuid.toLowerCase();

/** Returns a frozen copy of a message. Throws `input_unreadable` or `document_invalid`. */
const readMessage = (value: unknown, index: number): UpFormatMessage => {
  if (types.isNativeError(value) && isCharterError(value)) throw value; // a line that `fromJsonLines` could not read
  const document = `message ${index + 1}`;
  const copy = frozenCopy(value, document);
  parseDocument(document, UpFormatMessage, copy);
  return copy as UpFormatMessage; // the original, not zod's output
};

const readOrReason = (value: unknown, index: number): UpFormatMessage | string => {
  try {
    return readMessage(value, index);
  } catch (error) {
    if (!isCharterError(error)) throw error;
    return error.message;
  }
};

/** Reads messages. Of several with one messageId, the first counts. */
export const readMessages = (values: readonly unknown[]): Read => {
  const placed = new Map<string, PlacedMessage>();
  const digests = new Map<PlacedMessage, string>(); // cached for repeated messages
  const findings: LineageFinding[] = [];

  const digestOf = (one: PlacedMessage): string => {
    const known = digests.get(one) ?? digest(one.message);
    digests.set(one, known);
    return known;
  };

  for (const [index, value] of values.entries()) {
    const message = readOrReason(value, index);
    if (typeof message === 'string') {
      findings.push({ code: 'unreadable', index, messageId: null, message });
      continue;
    }
    const { messageId, timestamp } = message;
    const first = placed.get(idOf(messageId));
    if (first === undefined) {
      placed.set(idOf(messageId), { message, index, at: Date.parse(timestamp) });
      continue;
    }
    const isSame = digestOf(first) === digest(message);
    findings.push({
      code: isSame ? 'repeated' : 'duplicate',
      index,
      messageId,
      message: isSame
        ? `message ${index + 1} repeats message ${first.index + 1}`
        : `message ${index + 1} has the messageId of message ${first.index + 1}, and other content`,
    });
  }
  return { placed, findings };
};
