import type { Step, StoredStep } from '../../base/ports/store.ts';
import type { Coding } from '../codec.ts';
import { asText, type Connection } from './connection.ts';
import { bytesOfName, nameOfBytes, textOfBytes } from './names.ts';
import { maxLength, pack, type Beside } from './pack.ts';

// A step is committed as a row of its own. The steps of a task become packs later, when the task rests.

/** The maximum number of steps in a pack. */
const maxSteps = 32;

/** The maximum number of parts of a task that are packed, or tried, in one turn of the event loop. */
const maxParts = 2;

/** Whether steps can be packed after this one: the task waits, or has ended, or has made many steps. */
export const canBePacked = ({ indexEntry, record }: Step): boolean =>
  !indexEntry.isOwed || record.seq % maxSteps === maxSteps - 1;

interface TaskRow {
  readonly task: number;
  readonly size: number;
  readonly isOwed: number;
}

/** Between joined texts: neither JSON as we write it nor an encoded text has a line break. */
const separator = ',\n';

/** Some steps of a task that follow each other and have rows of their own. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** In characters, as SQLite counts them. */
  readonly length: number;
  /** Their texts, with separators between. */
  readonly bodies: ArrayBuffer;
}

/** The number of the last step that is in a pack. */
const packedUntil = `SELECT coalesce((
  SELECT seq FROM record WHERE task = ? AND typeof(body) = 'blob' ORDER BY seq DESC LIMIT 1), -1) AS seq`;

/** The first steps after a number that are not too long, joined to one text: a row for each would take longer to read. */
const stepsAfter = `SELECT min(seq) AS "from", max(seq) AS "to", count(*) AS count, sum(length(body)) AS length,
  ${asText(`group_concat(body, '${separator}' ORDER BY seq)`, 'bodies')}
  FROM (SELECT seq, body FROM record WHERE task = ? AND seq > ? AND typeof(body) = 'text' AND length(body) <= ${maxLength}
    ORDER BY seq LIMIT ?)
  HAVING count(*) > 0`;

/** Returns the next part after a step: fewer steps if they do not follow each other, or are too long together. */
const nextPart = (connection: Connection, task: number, after: number, limit = maxSteps): Part | null => {
  const [part] = connection.cells(stepsAfter, task, after, limit) as readonly Part[];
  if (part === undefined) return null;
  const { from, to, count, length } = part;
  if (count === to - from + 1 && length <= maxLength) return part;
  return nextPart(connection, task, after, count >> 1);
};

const besides = ['summary', 'intents', 'deadlines'].map((name) => asText(name)).join(', ');

/** What is stored beside a step, with the last snapshot up to it, and whether the head there is the given one. */
const besideAt = `SELECT ${besides}, head = ? AS isHead, (
    SELECT CAST(snapshot AS BLOB) FROM record WHERE task = last.task AND seq BETWEEN ? AND last.seq AND snapshot IS NOT NULL
    ORDER BY seq DESC LIMIT 1) AS snapshot
  FROM record AS last WHERE task = ? AND seq = ? AND summary IS NOT NULL`;

/** A pack that takes the place of the rows of some steps of a task. */
export interface Packed {
  readonly pack: Uint8Array;
  readonly task: number;
  /** The number of records of the task when the steps were read. */
  readonly size: number;
  /** The numbers of its first and last step. */
  readonly from: number;
  readonly to: number;
}

interface BesideRow extends Beside {
  readonly isHead: number | null;
}

/** Returns joined texts as they were before they were encoded. */
const decodedJoined = ({ isPlain, textOf }: Coding, joined: string): string =>
  isPlain
    ? joined
    : joined
        .split(separator)
        .map((text) => textOf(text, '', 0))
        .join(separator);

const decodedBeside = ({ isPlain, textOf }: Coding, beside: Beside): Beside =>
  isPlain
    ? beside
    : {
        summary: textOf(beside.summary, '', 0),
        intents: textOf(beside.intents, '', 0),
        deadlines: textOf(beside.deadlines, '', 0),
        snapshot: beside.snapshot === null ? null : textOf(beside.snapshot, '', 0),
      };

/**
 * Returns the pack of a part; `null` if it is too much at once, or was damaged, which loading the task reports. A pack
 * has no head beside its records: one that differs from the hash of the last record is damage, too.
 */
const packOf = (connection: Connection, { task, size }: TaskRow, part: Part): Packed | null => {
  const { from, to, count } = part;
  const { coding } = connection;
  try {
    const texts = decodedJoined(coding, textOfBytes(part.bodies));
    const bodies = JSON.parse(`[${texts}]`) as readonly StoredStep[];
    const head = bytesOfName(bodies.at(-1)?.record.hash ?? '');
    const [beside] = connection.rows(besideAt, head, from, task, to) as readonly BesideRow[];
    if (bodies.length !== count || (beside !== undefined && beside.isHead !== 1)) return null;
    const made = pack(bodies, beside === undefined ? null : decodedBeside(coding, beside));
    return made && { pack: coding.bytes(made), task, size, from, to };
  } catch {
    return null;
  }
};

interface Tried {
  readonly pack: Packed | null;
  /** The last of the steps. */
  readonly to: number;
}

/** Packs a part; fewer of its steps if they are too much together with what is stored beside them. */
const packPart = (connection: Connection, row: TaskRow, part: Part): Tried => {
  const made = packOf(connection, row, part);
  const fewer =
    made === null && part.count > 1 ? nextPart(connection, row.task, part.from - 1, part.count >> 1) : null;
  return fewer === null ? { pack: made, to: part.to } : packPart(connection, row, fewer);
};

/** What can be packed of a task in one turn, and the step after which to go on; `null` if there is no more. */
export interface Packable {
  readonly packs: readonly Packed[];
  readonly more: number | null;
}

const nothing: Packable = { packs: [], more: null };

/** Packs the steps of a task after a number: all if it rests, and each 32 if it goes on. Writes nothing. */
export const packsOf = (connection: Connection, taskId: string, begin = -1): Packable => {
  const sql = 'SELECT id AS task, size, isOwed FROM task WHERE taskId = ?';
  const [row] = connection.rows(sql, bytesOfName(taskId)) as readonly TaskRow[];
  if (row === undefined) return nothing;
  const [end] = connection.rows(packedUntil, row.task) as readonly { readonly seq: number }[];
  const packs: Packed[] = [];
  let after = Math.max(begin, end?.seq ?? -1);
  for (let parts = 0; parts < maxParts; parts += 1) {
    const part = nextPart(connection, row.task, after);
    if (part === null || (row.isOwed === 1 && part.count < maxSteps)) return { packs, more: null };
    const { pack, to } = packPart(connection, row, part);
    if (pack !== null) packs.push(pack);
    after = to;
  }
  return { packs, more: packs.length > 0 ? begin : after };
};

/**
 * Writes packs in place of the rows of their steps, within a transaction; returns the ids of their rows. A task that
 * moved on, was erased from, or was packed by another process since it was read is left as it is.
 *
 * The rows get new ids, at the end of the table, so that packs are stored side by side and fill their pages: in their
 * old places each would stand among the gaps that its other steps left. It costs that other processes, which find what is
 * new by its id, are told of the task once more.
 */
export const writePacks = (connection: Connection, packs: readonly Packed[]): readonly number[] => {
  const [last] = connection.rows('SELECT max(id) AS id FROM record') as readonly { readonly id: number }[];
  let id = last?.id ?? 0;
  return packs.flatMap(({ pack, task, size, from, to }) => {
    const changed = connection.run(
      `UPDATE record SET id = ?, body = ?, head = NULL, summary = NULL, intents = NULL, deadlines = NULL, snapshot = NULL
      WHERE task = ? AND seq = ? AND typeof(body) = 'text' AND (SELECT size FROM task WHERE id = record.task) = ?`,
      id + 1,
      pack,
      task,
      to,
      size,
    );
    if (changed === 0) return [];
    if (from < to)
      connection.run('DELETE FROM record WHERE task = ? AND seq >= ? AND seq < ?', task, from, to);
    id += 1;
    return [id];
  });
};

/** The span of ids, up to the largest one, in which tasks are looked for that a crash left unpacked. */
const lookedAt = 2_048;

/** Returns the tasks at rest whose last steps have one of the newest ids and are not packed. */
export const restingTasks = (connection: Connection): readonly string[] => {
  const found = connection.cells(
    `SELECT taskId FROM record JOIN task ON task.id = record.task AND task.size = record.seq + 1
    WHERE record.id > (SELECT max(id) FROM record) - ${lookedAt} AND summary IS NOT NULL AND isOwed = 0`,
  ) as readonly { readonly taskId: ArrayBuffer }[];
  return found.map(({ taskId }) => nameOfBytes(taskId));
};
