import type { IncomingMessage } from 'node:http';
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

/** The bytes of a request; `null` where they are too many. */
const collect = async (request: IncomingMessage): Promise<Buffer | null> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > readLimits.bytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
};

/** The value that a request brings as JSON. What is too large is not kept. Throws `input_unreadable`. */
export const readBody = async (request: IncomingMessage): Promise<Body> => {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!isJson(type) || encoding !== 'identity')
    return { refusal: problem('media_refused', 'Expected application/json in UTF-8, not encoded.') };
  if (Number(request.headers['content-length'] ?? 0) > readLimits.bytes) return tooLarge;
  const bytes = await collect(request);
  if (bytes !== null) return { value: readJson('request', bytes) };
  request.resume(); // the rest is dropped as it comes, so that its sender hears why
  return tooLarge;
};
