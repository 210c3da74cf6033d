import { definitionError } from '../../base/boundary/definition-error.ts';
import { readJson, readLimits } from '../../base/boundary/read-json.ts';
import type { CharterError } from '../../base/errors.ts';
import type { FetchEnv } from './env.ts';
import { problem } from './problem.ts';

const isJson = (type: string): boolean =>
  /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type);

/** The body of a request, or the response that refuses it. */
export type Body = { readonly value: unknown } | { readonly refusal: Response };

const tooLarge = (): Body => ({
  refusal: problem('body_too_large', `Expected at most ${readLimits.bytes} bytes.`),
});

/** Returns the bytes of a body; `null` if it exceeds the limit. */
const collected = async (body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array | null> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = body.getReader(); // no cancel: Node would close the connection before the response is sent
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.byteLength;
    if (size > readLimits.bytes) return null;
    parts.push(value);
  }
};

const readEarlier = (): CharterError => {
  const message = 'the body was already read: mount this before a body parser, such as express.json()';
  return definitionError('request', [{ path: '', message }]);
};

/** Reads the JSON value of a request. Refuses a body that is too large. Throws `input_unreadable`. */
export const readBody = async (request: Request, { incoming }: FetchEnv): Promise<Body> => {
  const { headers } = request;
  if (
    !isJson(headers.get('content-type') ?? '') ||
    (headers.get('content-encoding') ?? 'identity') !== 'identity'
  )
    return { refusal: problem('media_refused', 'Expected application/json in UTF-8, not encoded.') };
  if (Number(headers.get('content-length') ?? 0) > readLimits.bytes) return tooLarge();
  if (request.bodyUsed || incoming?.readableDidRead === true) throw readEarlier();
  let bytes: Uint8Array | null;
  try {
    bytes = request.body === null ? new Uint8Array() : await collected(request.body);
  } catch {
    return { refusal: problem('input_unreadable', 'The connection ended in the middle of the body.') };
  }
  return bytes === null ? tooLarge() : { value: readJson('request', bytes) };
};
