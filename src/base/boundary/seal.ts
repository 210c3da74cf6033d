import { KeyObject } from 'node:crypto';
import { unreadable } from '../canonical/unreadable.ts';
import { definitionError } from './definition-error.ts';
import { jose } from './jose.ts';

const leastBytes = 32;

/** The secret of a seal: at least 32 bytes for HS256 (RFC 7518 3.2). */
export type SealKey = Uint8Array | KeyObject;

/** A kind of sealed document. */
export interface SealKind {
  /** The name in error messages. */
  readonly document: string;
  /** The `typ` of the JWS, so that one kind cannot replace another. */
  readonly type: string;
  /** What to supply instead of a changed document, for error messages. */
  readonly accepted: string;
}

const bytesOf = (key: unknown): number => {
  if (key instanceof Uint8Array) return key.byteLength;
  return key instanceof KeyObject ? (key.symmetricKeySize ?? 0) : 0;
};

/** Describes a given key without any of its bytes. */
const kindOf = (key: unknown): string => {
  if (key === undefined || key === null) return 'none';
  if (key instanceof KeyObject && key.type !== 'secret') return `a ${key.type} key`;
  if (key instanceof Uint8Array || key instanceof KeyObject) return `${bytesOf(key)} bytes`;
  return typeof key === 'object' ? 'an object' : `a ${typeof key}`;
};

/** Throws `definition_invalid` if a key is too short or no key. */
export const checkKey = (key: SealKey): void => {
  if (bytesOf(key) < leastBytes)
    throw definitionError('seal', [
      {
        path: '/key',
        message: `got ${kindOf(key)}: expected a Uint8Array or KeyObject of ${leastBytes} bytes or more`,
      },
    ]);
};

/** Seals a JSON text as a compact JWS, which anyone can read (RFC 7515). Throws `definition_invalid` for a weak key. */
export const seal = async ({ type }: SealKind, text: string, key: SealKey): Promise<string> => {
  checkKey(key);
  const { CompactSign } = await jose();
  return new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'HS256', typ: type }).sign(key);
};

const verified = async (
  { document, type, accepted }: SealKind,
  text: string,
  key: SealKey,
): Promise<Uint8Array> => {
  const { compactVerify } = await jose();
  try {
    const { payload, protectedHeader } = await compactVerify(text, key, { algorithms: ['HS256'] });
    if (protectedHeader.typ === type) return payload;
  } catch {
    // the error could quote the key
  }
  throw unreadable(document, [], 'its seal is invalid', accepted);
};

/**
 * Returns the JSON value that was sealed with this key.
 *
 * Throws `input_unreadable` if the seal is invalid, and `definition_invalid` for a weak key.
 */
export const unseal = async (kind: SealKind, text: string, key: SealKey): Promise<unknown> => {
  checkKey(key);
  const bytes = await verified(kind, text, key);
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown; // sealed by this library
};

/** Throws `input_unreadable` if a document was sealed for another task. */
export const checkTask = ({ document }: SealKind, sealedFor: string, taskId: string): void => {
  if (sealedFor !== taskId)
    throw unreadable(document, ['taskId'], 'it is of another task', 'that of this run');
};
