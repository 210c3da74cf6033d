import * as z from 'zod';
import { readLimits } from './read-json.ts';

const Code = z.string().regex(/^[a-z][a-z\d_]{0,63}$/i);
const Thrown = z.object({ code: Code.optional(), cause: z.object({ code: Code.optional() }).optional() });

/** The address of a service, without a password that errors could show. */
export const Address = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return /^https?:$/.test(url?.protocol ?? '') && url?.username === '' && url.password === '';
}, 'expected an absolute http or https URL without credentials');

/** Returns the code of an error of `fetch`. Its message may contain an address or a header. */
export const because = (error: unknown): string => {
  const thrown = Thrown.safeParse(error).data;
  const code = thrown?.cause?.code ?? thrown?.code;
  return code === undefined ? '' : `: ${code}`;
};

/** Returns the bytes of a response; `null` beyond 1 MiB. */
export const bytesOf = async (response: Response): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > readLimits.bytes) return null; // this cancels the stream
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
