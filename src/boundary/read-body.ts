import type { IncomingMessage } from 'node:http';
import { readLimits } from './read-json.ts';

/** The bytes of a request while they are not too many. */
const collected = async (request: IncomingMessage): Promise<Buffer | null> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > readLimits.bytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
};

/** The bytes that a request brings; `null` where they are too many: what is too large is not kept. */
export const bytesOf = async (request: IncomingMessage): Promise<Buffer | null> => {
  const bytes = await collected(request);
  if (bytes === null) request.resume(); // the rest is dropped as it comes, so that its sender hears why
  return bytes;
};
