import type { IncomingMessage } from 'node:http';
import { bytesOf } from '../../boundary/read-body.ts';
import { readJson, readLimits } from '../../boundary/read-json.ts';
import { CharterError } from '../../errors.ts';

/** The value that a request brings as JSON; throws `input_unreadable`. */
export const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const bytes = await bytesOf(request);
  if (bytes !== null) return readJson('request', bytes);
  const reason = `it has more than ${readLimits.bytes} bytes`;
  throw new CharterError('input_unreadable', `request: ${reason}`, { document: 'request', path: '', reason });
};
