import * as z from 'zod';
import { Identifier } from '../../../schema/index.ts';
import { checkIsObject } from '../../base/boundary/check-given.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { parseDocument, refusal } from '../../base/boundary/parse-document.ts';
import { digest } from '../../base/canonical/digest.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';
import { CharterError, isCharterError } from '../../base/errors.ts';
import type { Actor, LedgerRecord, Person } from '../../base/ports/ledger.ts';
import type { Store } from '../../base/ports/store.ts';
import type { By } from './by.ts';
import { taskPruned } from './task-errors.ts';
import type { Keyed } from './surface.ts';

const kind = z.enum(['system', 'agent', 'human']).default('human');
const Name = Identifier.refine((name) => !/^ +$/.test(name), 'must not be blank');
const Named = z.looseObject({ by: Name, kind });
const Acting = z.looseObject({ kind });
const Known = z.looseObject({ by: z.looseObject({ id: Name }), kind });

/** Returns the authenticated person with all claims, frozen. Throws `document_invalid` or `input_unreadable`. */
const personOf = (who: By): Person => {
  if (!isObject(who))
    throw refusal('By', [{ path: '', message: "expected an object, such as { by: 'dana' }" }]);
  const { by } = who;
  if (!isObject(by)) return Object.freeze({ id: parseDocument('By', Named, { by }).by });
  const copy = frozenCopy(by, 'By');
  parseDocument('By', Known, { by: copy });
  return copy as Person; // the original, not zod's output, which is not frozen
};

const Answering = z.looseObject({
  kind: z.literal('human', { error: 'must be "human" or omitted, because only a person answers' }).optional(),
});

/** Returns the person who answers, as `personOf` does. Throws `document_invalid` also for a `kind` other than `human`. */
export const answererOf = (who: By): Person => {
  const person = personOf(who);
  parseDocument('By', Answering, who);
  return person;
};

/** Returns the actor of a record. Throws `document_invalid` or `input_unreadable`. */
export const actorOf = (who: By): Actor => ({
  id: personOf(who).id,
  kind: parseDocument('By', Acting, who).kind,
});

/** Returns the key of options, if any. Throws `document_invalid` for options of another type, such as a key alone. */
export const keyIn = (operation: string, keyed: Keyed | undefined): string | undefined => {
  if (keyed === undefined) return undefined;
  checkIsObject(operation, keyed, "options such as { key: 'order-7' }");
  return keyed.key;
};

/** A send with an idempotency key. */
export interface KeyedSend<Result> {
  readonly key: string | undefined;
  /** The key for an error, as its sender wrote it. */
  readonly name: string | undefined;
  /** Returns whether the earlier record of this key has the same content. */
  readonly isSame: (record: LedgerRecord) => boolean;
  readonly send: (key: string | undefined) => Promise<Result>;
  /** Returns the result for a repeated send; it may have been recorded by one that threw. */
  readonly onRepeat: (taskId: string, record: LedgerRecord) => Result | Promise<Result>;
}

const reused = (key: string, taskId: string): CharterError<'key_reused'> =>
  new CharterError(
    'key_reused',
    `key ${JSON.stringify(key)} was sent before with other content: use a new key`,
    { key, taskId },
  );

const sentBefore = async <Result>(
  store: Store,
  key: string,
  { name = key, isSame, onRepeat }: KeyedSend<Result>,
): Promise<{ readonly result: Result } | null> => {
  const found = await store.find({ key });
  const record = found && (await store.load(found.taskId))?.records[found.seq];
  if (record === undefined) {
    const pruned = found && (await store.pruned({ taskId: found.taskId }));
    if (pruned === undefined) return null;
    throw taskPruned(pruned);
  }
  if (!isSame(record)) throw reused(name, record.taskId);
  return { result: await onRepeat(record.taskId, record) };
};

/** Sends at most once for each key. Throws `key_reused` if the key was used for other content. */
export const once = async <Result>(store: Store, sending: KeyedSend<Result>): Promise<Result> => {
  const { key, send } = sending;
  if (key === undefined) return send(undefined);
  const before = await sentBefore(store, key, sending);
  if (before !== null) return before.result;
  try {
    return await send(key);
  } catch (error) {
    if (!mayBeOurs(error)) throw error;
    const meanwhile = await sentBefore(store, key, sending); // another call was faster, or this one was written before the store failed
    if (meanwhile === null) throw error;
    return meanwhile.result;
  }
};

/** Returns whether a send may have been recorded despite this error. */
const mayBeOurs = (error: unknown): boolean =>
  isCharterError(error, 'key_reused') ||
  isCharterError(error, 'feedback_refused') ||
  isCharterError(error, 'fact_refused') ||
  isCharterError(error, 'message_refused') ||
  isCharterError(error, 'store_failed');

/** Returns whether two documents are equal. */
export const isSameAs = (one: unknown, other: unknown): boolean => digest(one) === digest(other);

/** Prefixes a sender's key with its operation. Throws `document_invalid`. */
const keyFor = (operation: string, key: string | undefined): string | undefined =>
  key === undefined ? undefined : `${operation} ${parseDocument('key', Identifier, key)}`;

/** Sends at most once for each key of an operation. Throws `document_invalid`, and the errors of `once`. */
export const sendOnce = <Result>(
  store: Store,
  operation: string,
  key: string | undefined,
  sending: Omit<KeyedSend<Result>, 'key' | 'name'>,
): Promise<Result> => once(store, { ...sending, key: keyFor(operation, key), name: key });
