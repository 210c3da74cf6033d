import { digest as digestOf } from '../../base/canonical/digest.ts';
import type { Connection } from './connection.ts';
import { bytesOfName } from './names.ts';
import type { StoredStep } from '../../base/ports/store.ts';
import { messagesIn } from '../shared.ts';
import { isPack, pack } from './pack.ts';
import { rowsOf, stepsIn } from './read.ts';
import { rowOf } from './task-index.ts';

/** The layouts before 4 kept no place for an erased emission: the digests of later ones are then at other places. */
const hasDigest = (document: unknown, digest: string): boolean => {
  try {
    return digestOf(document) === digest;
  } catch {
    return false;
  }
};

/** What is left of a step, and the messages that are no longer in it. */
interface Left {
  readonly body: StoredStep;
  readonly seq: number;
  readonly messages: readonly string[];
}

const without = (step: StoredStep, digest: string): Left => {
  const { record, emissions } = step;
  const digests = new Map<string, unknown>(Object.entries(record.documents));
  const rest = Object.entries(record.brought).filter(([name]) => digests.get(name) !== digest);
  const body = {
    record: { ...record, brought: Object.fromEntries(rest) },
    emissions: emissions.map((emission, index) =>
      emission === null || record.emitted[index] === digest || hasDigest(emission.document, digest)
        ? null
        : emission,
    ),
  };
  const still = messagesIn(body);
  const messages = messagesIn(step).filter((message) => !still.includes(message));
  return { body, seq: record.seq, messages };
};

/** Packs steps again. Their text may be longer than that of new steps: the digest of an erased document stays in full. */
const packed = (bodies: readonly StoredStep[]): Uint8Array => {
  const made = pack(bodies, null, Infinity);
  if (made === null) throw new TypeError('steps that were packed cannot be packed again');
  return made;
};

const emptied =
  'UPDATE record SET body = ?, head = NULL, summary = NULL, intents = NULL, deadlines = NULL, snapshot = NULL WHERE id = ?';

/**
 * Removes the documents of this digest from all steps of a task, and what rows before that of the erasure, `last`, have
 * beside the records.
 */
export const eraseFrom = (connection: Connection, taskId: string, digest: string, last: number): void => {
  const { coding } = connection;
  const task = rowOf(connection, taskId);
  if (task === undefined) return;
  for (const row of rowsOf(connection, task)) {
    const stored = coding.cellOf(row.body, taskId, row.seq);
    const left = stepsIn(connection, { ...row, body: stored }, taskId).bodies.map((body) =>
      without(body, digest),
    );
    const bodies = left.map(({ body }) => body);
    const body = isPack(stored) ? coding.bytes(packed(bodies)) : coding.text(JSON.stringify(bodies[0]));
    connection.run(row.id === last ? 'UPDATE record SET body = ? WHERE id = ?' : emptied, body, row.id);
    for (const { seq, messages } of left)
      for (const message of messages) {
        const sql = 'DELETE FROM message WHERE id = ? AND task = ? AND seq = ?';
        connection.run(sql, bytesOfName(message), task, seq);
      }
  }
};
