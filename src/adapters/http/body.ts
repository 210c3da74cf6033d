import type { IncomingMessage } from 'node:http';
import { bytesOf } from '../../boundary/read-body.ts';
import { readJson, readLimits } from '../../boundary/read-json.ts';
import { problem } from './problem.ts';
import type { Text } from './reply.ts';

const isJson = (type: string): boolean =>
  /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type);

/** What a request brings, or the refusal of it. */
export type Body = { readonly value: unknown } | { readonly refusal: Text };

const tooLarge: Body = {
  refusal: problem('body_too_large', `Expected at most ${readLimits.bytes} bytes.`),
};

/** The value that a request brings as JSON. What is too large is not kept. Throws `input_unreadable`. */
export const readBody = async (request: IncomingMessage): Promise<Body> => {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!isJson(type) || encoding !== 'identity')
    return { refusal: problem('media_refused', 'Expected application/json in UTF-8, not encoded.') };
  if (Number(request.headers['content-length'] ?? 0) > readLimits.bytes) return tooLarge;
  const bytes = await bytesOf(request);
  return bytes === null ? tooLarge : { value: readJson('request', bytes) };
};
