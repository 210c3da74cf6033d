import * as z from 'zod';
import { Identifier } from '../../schema/index.ts';
import { isObject } from '../boundary/is-object.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { digest } from '../canonical/digest.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { CharterError, isCharterError } from '../errors.ts';
import type { Actor, LedgerRecord, Person } from '../ports/ledger.ts';
import type { Store } from '../ports/store.ts';
import type { By } from './surface.ts';

const kind = z.enum(['system', 'agent', 'human']).default('human');
const Named = z.looseObject({ by: Identifier, kind });
const Known = z.looseObject({ by: z.looseObject({ id: Identifier }), kind });

/** Returns all that is known of whom the host has authenticated, frozen. Throws `document_invalid` or `input_unreadable`. */
export const personOf = ({ by }: By): Person => {
  if (!isObject(by)) return Object.freeze({ id: parseDocument('By', Named, { by }).by });
  const copy = frozenCopy(by, 'By');
  parseDocument('By', Known, { by: copy });
  return copy as Person; // what was read, and not what zod makes of it: that is not frozen
};

/** Returns who acts, as a record names them. Throws `document_invalid` or `input_unreadable`. */
export const actorOf = (who: By): Actor => ({
  kind: parseDocument('By', z.looseObject({ kind }), who).kind,
  id: personOf(who).id,
});

/** A send that its sender may repeat: the key, and how what was sent first is told from anything else. */
export interface Sending<Result> {
  readonly key: string | undefined;
  /** Whether the record that was written under this key holds the same. */
  readonly isSame: (record: LedgerRecord) => boolean;
  readonly send: (key: string | undefined) => Promise<Result>;
  /** What is answered where it was sent before. */
  readonly again: (taskId: string, record: LedgerRecord) => Result;
}

const reused = (key: string, taskId: string): CharterError<'key_reused'> =>
  new CharterError(
    'key_reused',
    `key ${JSON.stringify(key)} was sent before with something else: expected a key of its own`,
    { key, taskId },
  );

const sentBefore = async <Result>(
  store: Store,
  key: string,
  { isSame, again }: Sending<Result>,
): Promise<{ readonly result: Result } | null> => {
  const found = await store.find({ key });
  const record = found && (await store.load(found.taskId))?.records[found.seq];
  if (record === undefined) return null;
  if (!isSame(record)) throw reused(key, record.taskId);
  return { result: again(record.taskId, record) };
};

/** Sends once, however often it is asked to under one key. Throws `key_reused` where the key was sent with something else. */
export const once = async <Result>(store: Store, sending: Sending<Result>): Promise<Result> => {
  const { key, send } = sending;
  if (key === undefined) return send(undefined);
  const before = await sentBefore(store, key, sending);
  if (before !== null) return before.result;
  try {
    return await send(key);
  } catch (error) {
    if (!mayBeOurs(error)) throw error;
    const meanwhile = await sentBefore(store, key, sending); // by another, at the same moment, or by this, and then the store broke
    if (meanwhile === null) throw error;
    return meanwhile.result;
  }
};

/** What a send throws of which another, or it itself, was recorded all the same. */
const mayBeOurs = (error: unknown): boolean =>
  isCharterError(error, 'key_reused') ||
  isCharterError(error, 'feedback_refused') ||
  isCharterError(error, 'fact_refused') ||
  isCharterError(error, 'message_refused') ||
  isCharterError(error, 'store_failed');

/** Whether two documents say the same. */
export const isSameAs = (one: unknown, other: unknown): boolean => digest(one) === digest(other);

/** A sender's key, kept apart from those of other operations. Throws `document_invalid`. */
const keyFor = (operation: string, key: string | undefined): string | undefined =>
  key === undefined ? undefined : `${operation} ${parseDocument('key', Identifier, key)}`;

/** Sends once, however often it is asked to under a key of the sender. Throws `document_invalid`, and what `once` throws. */
export const sendOnce = <Result>(
  store: Store,
  operation: string,
  key: string | undefined,
  sending: Omit<Sending<Result>, 'key'>,
): Promise<Result> => once(store, { ...sending, key: keyFor(operation, key) });
