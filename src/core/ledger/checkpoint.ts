import type { JWK } from 'jose';
import * as z from 'zod';
import { definitionError } from '../../base/boundary/definition-error.ts';
import { DateTime } from '../../../schema/index.ts';
import { headerOf, readAs, verifySignature } from '../../gates/approvals/compact.ts';
import { SigningKey, keyUnder, type KeySet } from '../../gates/approvals/keys.ts';
import { checkIsObject } from '../../base/boundary/check-given.ts';
import { jose } from '../../base/boundary/jose.ts';
import { parseDocument, refusal } from '../../base/boundary/parse-document.ts';
import type { CharterError } from '../../base/errors.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import { Digest } from './record-schema.ts';

/** The last record of a ledger; its hash covers all earlier ones. */
export interface Head {
  readonly taskId: string;
  readonly seq: number;
  readonly hash: string;
}

/**
 * The content of a checkpoint: the size and last hash of a ledger. Keep it elsewhere, where it cannot be rewritten.
 */
export const Checkpoint = z.strictObject({
  taskId: z.string(),
  size: z.int().positive(),
  hash: Digest,
  timestamp: DateTime,
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** The token type, so that a token for another use is not accepted as a checkpoint (RFC 8725, section 3.11). */
const checkpointType = 'checkpoint+jwt';

/** The input of a checkpoint. */
export interface CheckpointToSign {
  /** The last record of the ledger, or all records. */
  readonly head?: Head;
  readonly records?: readonly LedgerRecord[];
  /** A private JWK of Ed25519 or P-256 with a `kid`. */
  readonly key: Readonly<JWK>;
  /** RFC 3339. */
  readonly timestamp: string;
}

// The JWS library's message could quote the key.
const keyRefusal = (): CharterError =>
  definitionError('checkpoint key', [
    { path: '', message: 'expected a private JWK of Ed25519 or P-256 with a kid' },
  ]);

/**
 * Signs a checkpoint of a ledger, as a compact JWS of type `checkpoint+jwt` (RFC 7515). It reads only the last record:
 * verify the ledger first.
 *
 * Rejects with `document_invalid` without a record, and with `definition_invalid` for an unusable key.
 */
export const signCheckpoint = async (given: CheckpointToSign): Promise<string> => {
  checkIsObject('signCheckpoint', given, 'an object such as { records, key, timestamp }');
  const { head, records, key, timestamp } = given;
  if (records !== undefined && !Array.isArray(records))
    throw refusal('signCheckpoint()', [{ path: '/records', message: 'expected an array of records' }]);
  const last = head ?? records?.at(-1);
  const checkpoint = parseDocument('checkpoint', Checkpoint, {
    taskId: last?.taskId,
    size: last === undefined ? 0 : last.seq + 1,
    hash: last?.hash,
    timestamp,
  });
  const signing = SigningKey.safeParse(key);
  if (!signing.success) throw keyRefusal();
  const { algorithms, kid, jwk, d } = signing.data;
  const { CompactSign } = await jose();
  const token = await new CompactSign(Buffer.from(JSON.stringify(checkpoint)))
    .setProtectedHeader({ alg: algorithms[0], typ: checkpointType, kid })
    .sign({ ...jwk, d })
    .catch(() => null);
  if (token === null || (await verifySignature(token, signing.data)) === null) throw keyRefusal();
  return token;
};

/** Returns the content of a checkpoint, or why it is refused. */
export const readCheckpoint = async (
  token: string,
  keys: KeySet,
): Promise<{ readonly checkpoint: Checkpoint } | { readonly refused: string }> => {
  const header = headerOf(token);
  if (header?.kid === undefined) return { refused: 'it is not a compact JWS that names its key' };
  if (header.typ !== checkpointType) return { refused: `its type is not ${checkpointType}` };
  const key = keyUnder(keys, header.kid);
  if (key === null) return { refused: 'it names no key that was given' };
  const payload = await verifySignature(token, key);
  if (payload === null) return { refused: 'its signature does not match the key that it names' };
  const checkpoint = readAs(Checkpoint, payload);
  return checkpoint === null ? { refused: 'its payload is not a checkpoint' } : { checkpoint };
};
