import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { definitionError } from '../base/boundary/definition-error.ts';
import { unknownAmong } from '../base/boundary/did-you-mean.ts';
import { isObject } from '../base/boundary/is-object.ts';
import { isOfDigest } from '../base/canonical/blobs.ts';
import { causeOf, CharterError, isCharterError, type Issue } from '../base/errors.ts';
import type { Codec } from '../base/ports/codec.ts';
import { corrupted, unusable } from './shared.ts';

// What a store writes through its codec, and how it tells that from what was written without one.

/** Begins a text that was encoded, in base64: neither JSON nor a pack of steps begins so. */
const textMark = '%e1:';
/** Begins bytes that were encoded. */
const bytesMark = Buffer.from('%b1:');
const markLength = bytesMark.length;
const [firstByte] = bytesMark;

/** How a store writes and reads what has content. What was written without a codec is read as it is. */
export interface Coding {
  /** Whether there is no codec. */
  readonly isPlain: boolean;
  readonly text: (plain: string) => string;
  readonly bytes: (plain: Uint8Array) => Uint8Array;
  /** Throws `task_corrupted` if it was damaged, and `store_unusable` if the codec or its key is missing. */
  readonly textOf: (stored: string, taskId: string, seq: number) => string;
  /** Reads the bytes of a text, or bytes. Throws as `textOf` does. */
  readonly cellOf: (stored: ArrayBuffer, taskId: string, seq: number) => ArrayBuffer;
  /** Throws `store_unusable` if none of what was written last can be read: nothing must be written beside it then. */
  readonly check: (newest: readonly (string | ArrayBuffer)[]) => void;
  /** Reads a large value. Throws `store_unusable`. */
  readonly blobOf: (stored: Uint8Array, taskId: string, digest: string) => Uint8Array;
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const isMarked = (bytes: Buffer): boolean => bytes.subarray(0, markLength).equals(bytesMark);

const checked = (made: unknown, method: keyof Codec): Buffer => {
  if (made instanceof Uint8Array) return bufferOf(made);
  throw new TypeError(`${method} of the codec must return a Uint8Array, and no promise`);
};

/** Returns the bytes that the codec gets: those of an encoded text or of encoded bytes; `null` for what is plain. */
const encodedIn = (cell: Buffer): Buffer | null => {
  if (cell[0] !== firstByte) return null;
  if (isMarked(cell)) return cell.subarray(markLength);
  const isText = cell.toString('latin1', 0, markLength) === textMark;
  return isText ? Buffer.from(cell.toString('latin1', markLength), 'base64') : null;
};

const ofTask = (taskId: string, seq: number) => (reason: string, cause: unknown) =>
  corrupted(taskId, seq, reason, cause);

const remedy = 'open it with the option `codec`; commands take its keys from AGENTCHARTER_STORE_KEYS';

/** How many of the newest records are looked at when a store is opened: a damaged one among them keeps nobody out. */
export const newestChecked = 8;

/** Returns the coding of a store by its codec; `store` is its name in errors. */
export const codingOf = (codec: Codec | undefined, store: string): Coding => {
  const decoded = (encoded: Uint8Array, damaged: (reason: string, cause: unknown) => Error): Buffer => {
    if (codec === undefined) throw unusable(store, 'it is encoded', remedy);
    let made: unknown;
    try {
      made = codec.decode(encoded);
    } catch (cause) {
      if (!isCharterError(cause))
        throw damaged(`it cannot be decoded: ${causeOf(cause).replace(/^Error: /, '')}`, cause);
      const { message } = cause;
      throw new CharterError('store_unusable', `${store}: ${message}`, { store, reason: message }, { cause });
    }
    return checked(made, 'decode');
  };
  const read = {
    textOf: (stored: string, taskId: string, seq: number) =>
      stored.startsWith(textMark)
        ? decoded(Buffer.from(stored.slice(markLength), 'base64'), ofTask(taskId, seq)).toString()
        : stored,
    cellOf: (stored: ArrayBuffer, taskId: string, seq: number) => {
      const encoded = encodedIn(Buffer.from(stored));
      return encoded === null ? stored : new Uint8Array(decoded(encoded, ofTask(taskId, seq))).buffer;
    },
    blobOf: (stored: Uint8Array, taskId: string, digest: string) => {
      const cell = bufferOf(stored);
      // a large value may begin with anything: one that was kept plain has its digest
      if (!isMarked(cell) || isOfDigest(cell, digest)) return stored;
      const damaged = (reason: string, cause: unknown): Error =>
        unusable(store, `${digest} of task ${taskId}: ${reason}`, 'restore a backup', { cause });
      return new Uint8Array(decoded(cell.subarray(markLength), damaged));
    },
  };
  const check = (newest: readonly (string | ArrayBuffer)[]): void => {
    const faults = newest.map((cell) => {
      try {
        return void (typeof cell === 'string' ? read.textOf(cell, '', 0) : read.cellOf(cell, '', 0));
      } catch (error) {
        return error;
      }
    });
    const [first] = faults;
    if (first === undefined || faults.includes(undefined)) return;
    if (!isCharterError(first, 'task_corrupted')) throw first;
    const reason = `of what was written last, ${first.details.reason}`;
    throw unusable(store, reason, 'open it with the keys that it was written with', { cause: first });
  };
  if (codec === undefined)
    return { isPlain: true, text: (plain) => plain, bytes: (plain) => plain, check, ...read };
  return {
    isPlain: false,
    check,
    text: (plain) => textMark + checked(codec.encode(Buffer.from(plain)), 'encode').toString('base64'),
    bytes: (plain) => Buffer.concat([bytesMark, checked(codec.encode(plain), 'encode')]),
    ...read,
  };
};

/** Returns what is read; `null` if it was damaged, which loading the task reports. */
export const unlessDamaged = <Value>(read: () => Value): Value | null => {
  try {
    return read();
  } catch (error) {
    if (isCharterError(error) && error.code === 'task_corrupted') return null;
    throw error;
  }
};

/** What is wrong with an option that should be a codec; `null` for nothing. */
export const codecFault = (value: unknown): string | null =>
  value === undefined ||
  (isObject(value) && typeof value['encode'] === 'function' && typeof value['decode'] === 'function')
    ? null
    : "must have encode and decode, such as aesCodec({ keys, current }) of 'agentcharter/stores'";

const cipher = 'aes-256-gcm';
const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16];
const namePattern = /^[\w.-]{1,32}$/;
const base64Pattern = /^[\w+/-]{43}=?$/;

const issuesOf = (options: unknown): readonly Issue[] => {
  if (!isObject(options)) return [{ path: '', message: 'must be an object: { keys, current }' }];
  const { keys, current } = options;
  const unknown = unknownAmong(Object.keys(options), ['keys', 'current']);
  if (unknown.length > 0)
    return unknown.map(({ name, hint }) => ({ path: `/${name}`, message: `is unknown${hint}` }));
  if (!isObject(keys))
    return [{ path: '/keys', message: 'must be an object of keys, such as { k1: randomBytes(32) }' }];
  const issues = Object.entries(keys).flatMap(([name, key]) => [
    ...(namePattern.test(name)
      ? []
      : [{ path: '/keys', message: 'must have names of 1 to 32 letters, digits, "_", "-" and "."' }]),
    ...((key instanceof Uint8Array && key.length === keyBytes) ||
    (typeof key === 'string' && base64Pattern.test(key))
      ? []
      : [{ path: `/keys/${name}`, message: 'must have 32 bytes: a Uint8Array, or their base64' }]),
  ]);
  const isKnown = typeof current === 'string' && Object.hasOwn(keys, current);
  return isKnown ? issues : [...issues, { path: '/current', message: 'must be the name of one of the keys' }];
};

/**
 * Creates a codec of AES-256-GCM. `keys` has by name 32 bytes each, or their base64; `current` names the one that encodes. Each value has
 * a random nonce, and the name of its key in front of it. To rotate, add a key and make it `current`: what the others encoded is still
 * read, and `agentcharter store copy` writes all of it under the current one. Use a key for at most 2^32 values.
 *
 * Throws `definition_invalid` for the options. `decode` throws `store_unusable` for a key that is missing, and an error for a wrong
 * one or for bytes that were changed, which the store reports.
 */
export const aesCodec = (options: {
  readonly keys: Readonly<Record<string, Uint8Array | string>>;
  readonly current: string;
}): Codec => {
  const issues = issuesOf(options);
  if (issues.length > 0) throw definitionError('aes codec', issues);
  const { current } = options;
  const keys = new Map<string, KeyObject>(
    Object.entries(options.keys).map(([name, key]) => [
      name,
      createSecretKey(typeof key === 'string' ? Buffer.from(key, 'base64') : key),
    ]),
  );
  const keyOf = (name: string): KeyObject => {
    const key = keys.get(name);
    if (key !== undefined) return key;
    const known = [...keys.keys()].join(', ');
    throw unusable('aes codec', `key "${name}" is missing, it has ${known}`, 'add that key to `keys`');
  };
  const currentKey = keyOf(current);
  const header = Buffer.from(`${String.fromCharCode(current.length)}${current}`);
  return {
    encode: (plain) => {
      const nonce = randomBytes(nonceBytes);
      const writer = createCipheriv(cipher, currentKey, nonce, { authTagLength: tagBytes }).setAAD(header);
      return Buffer.concat([header, nonce, writer.update(plain), writer.final(), writer.getAuthTag()]);
    },
    decode: (stored) => {
      const bytes = bufferOf(stored);
      const begin = 1 + (bytes[0] ?? 0);
      const name = bytes.toString('latin1', 1, begin);
      const [from, to] = [begin + nonceBytes, bytes.length - tagBytes];
      if (!namePattern.test(name) || to < from) throw new Error('it was changed or cut');
      const nonce = bytes.subarray(begin, from);
      const reader = createDecipheriv(cipher, keyOf(name), nonce, { authTagLength: tagBytes })
        .setAAD(bytes.subarray(0, begin))
        .setAuthTag(bytes.subarray(to));
      try {
        return Buffer.concat([reader.update(bytes.subarray(from, to)), reader.final()]);
      } catch (cause) {
        const message = `key "${name}" is not the one that encoded it, or it was changed`;
        throw new Error(message, { cause });
      }
    },
  };
};
