import type { IncomingMessage } from 'node:http';
import { readJson, readLimits } from '../../boundary/read-json.ts';
import { CharterError } from '../../errors.ts';

/** The value that a request brings as JSON; throws `input_unreadable`. */
export const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > readLimits.bytes) {
      const reason = `it has more than ${readLimits.bytes} bytes`;
      const details = { document: 'request', path: '', reason };
      throw new CharterError('input_unreadable', `request: ${reason}`, details);
    }
    parts.push(part);
  }
  return readJson('request', Buffer.concat(parts));
};
