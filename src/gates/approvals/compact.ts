import * as z from 'zod';
import { Identifier } from '../../../schema/index.ts';
import { jose } from '../../base/boundary/jose.ts';
import { readJson } from '../../base/boundary/read-json.ts';
import { bytesOf, isBase64url } from './base64url.ts';
import type { PinnedKey } from './keys.ts';

/** The maximum length of a token, in bytes. */
const longest = 8_192;

/** Closed, so that `crit`, an embedded key or a link to a key is refused. */
const Header = z.strictObject({ alg: z.string(), typ: z.string().optional(), kid: Identifier.optional() });
export type Header = z.infer<typeof Header>;

/** Parses bytes as JSON with a schema; returns `null` if they do not fit. */
export const readAs = <Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
): z.output<Schema> | null => {
  try {
    return schema.parse(readJson('approval', bytes));
  } catch {
    return null;
  }
};

/**
 * Returns the unverified protected header of a compact JWS (RFC 7515, section 7.1); `null` if it is malformed or
 * exceeds 8 KiB.
 */
export const headerOf = (token: unknown): Header | null => {
  if (typeof token !== 'string' || token.length > longest) return null;
  const [header, ...rest] = token.split('.', 4);
  if (header === undefined || rest.length !== 2 || ![header, ...rest].every(isBase64url)) return null;
  return readAs(Header, bytesOf(header));
};

/** Returns the payload of a compact JWS that `key` signed; `null` for any other. */
export const verifySignature = async (
  token: string,
  { jwk, algorithms }: PinnedKey,
): Promise<Uint8Array | null> => {
  const { compactVerify } = await jose();
  try {
    return (await compactVerify(token, jwk, { algorithms: [...algorithms] })).payload;
  } catch {
    return null;
  }
};
