import type { Deadline, Intent, Store, StoredTask } from '../../base/ports/store.ts';
import { asText, type Connection } from './connection.ts';
import { bytesOfName, nameOfBytes, textOfBytes } from './names.ts';
import { corrupted, firstOf, parsed, stepOf } from '../shared.ts';
import { besideIn, isPack, unpack, type Beside, type Unpacked } from './pack.ts';
import { entryColumns, entryIn, lastPack, lastRow, type IndexRow } from './task-index.ts';

/**
 * A row of steps: one step, or a pack of several, of which the last has the number of the row. What is stored beside the
 * records is in the columns of the row, or in the pack; that of the last row counts.
 */
export interface StepRow {
  readonly id: number;
  readonly seq: number;
  readonly body: ArrayBuffer;
  readonly summary: ArrayBuffer | null;
  readonly intents: ArrayBuffer | null;
  readonly deadlines: ArrayBuffer | null;
  readonly snapshot: ArrayBuffer | null;
}

const rowColumns = ['body', 'summary', 'intents', 'deadlines', 'snapshot'].map((column) => asText(column));

/** Returns the rows of steps of a task, oldest first. */
export const rowsOf = (connection: Connection, task: number): readonly StepRow[] =>
  connection.cells(
    `SELECT id, seq, ${rowColumns.join(', ')} FROM record WHERE task = ? ORDER BY seq`,
    task,
  ) as readonly StepRow[];

const unpacked = (body: ArrayBuffer, taskId: string, seq: number): Unpacked => {
  try {
    return unpack(body);
  } catch (cause) {
    throw corrupted(taskId, seq, 'what is stored cannot be unpacked', cause);
  }
};

const besideOf = (
  { summary, intents, deadlines, snapshot }: StepRow,
  textOf: (stored: ArrayBuffer) => string,
): Beside | null =>
  summary === null || intents === null || deadlines === null
    ? null
    : {
        summary: textOf(summary),
        intents: textOf(intents),
        deadlines: textOf(deadlines),
        snapshot: snapshot && textOf(snapshot),
      };

/** Reads a row of steps. Throws `task_corrupted` if it was damaged. */
export const stepsIn = ({ coding }: Connection, row: StepRow, taskId: string): Unpacked => {
  const { seq } = row;
  const body = coding.cellOf(row.body, taskId, seq);
  const textOf = (stored: ArrayBuffer): string => textOfBytes(coding.cellOf(stored, taskId, seq));
  const { beside, bodies } = isPack(body)
    ? unpacked(body, taskId, seq)
    : { beside: besideOf(row, textOf), bodies: [parsed(textOfBytes(body), taskId, seq)] };
  return { beside, bodies: bodies.map((one) => stepOf(one, taskId, seq)) };
};

interface TaskRow extends IndexRow {
  readonly task: number;
  readonly due: number | null;
}

/** Loads a task within a transaction. */
export const findTask = (connection: Connection, taskId: string): StoredTask | undefined => {
  const sql = `SELECT task.id AS task, due, ${entryColumns}, NULL AS summary, ${lastPack} FROM task ${lastRow} WHERE taskId = ?`;
  const [row] = connection.cells(sql, bytesOfName(taskId)) as readonly TaskRow[];
  if (row === undefined) return undefined;
  const last = row.size - 1;
  const found = rowsOf(connection, row.task).map((one) => stepsIn(connection, one, taskId));
  const beside = found.at(-1)?.beside ?? null;
  if (beside === null) throw corrupted(taskId, last, 'its summary is missing');
  const bodies = found.flatMap((one) => one.bodies);
  const deadlines = parsed(beside.deadlines, taskId, last) as readonly Deadline[];
  if (!Array.isArray(deadlines) || firstOf(deadlines) !== row.due)
    throw corrupted(taskId, last, 'its deadlines are not those that it is found by');
  return {
    indexEntry: { ...entryIn(connection, row), summary: beside.summary },
    // a step without a change of state has no snapshot
    snapshot: found.findLast((one) => typeof one.beside?.snapshot === 'string')?.beside?.snapshot ?? '',
    records: bodies.map(({ record }) => record),
    emissions: bodies.flatMap(({ emissions }) => emissions.filter((emission) => emission !== null)),
    deadlines,
    intents: parsed(beside.intents, taskId, last) as readonly Intent[],
  };
};

/** Loads a task in one transaction. */
export const loadTask = (connection: Connection, taskId: string): StoredTask | undefined =>
  connection.transaction('DEFERRED', () => findTask(connection, taskId));

/** SQL for the name of a task by its row, also of a pruned one. */
export const ownerOf = (row: string): string =>
  `coalesce((SELECT taskId FROM task WHERE task.id = ${row}), (SELECT taskId FROM pruned WHERE pruned.id = ${row}))`;

export const placeOf = (
  connection: Connection,
  by: Parameters<Store['find']>[0],
): Awaited<ReturnType<Store['find']>> => {
  const [from, name] =
    'key' in by
      ? ['stepKey AS found WHERE "key" = ?', by.key]
      : ['message AS found WHERE id = ?', by.message];
  const order = 'key' in by ? '' : 'ORDER BY record';
  const [found] = connection.cells(
    `SELECT ${ownerOf('found.task')} AS taskId, seq FROM ${from} ${order} LIMIT 1`,
    bytesOfName(name),
  ) as readonly { readonly taskId: ArrayBuffer; readonly seq: number }[];
  return found && { taskId: nameOfBytes(found.taskId), seq: found.seq };
};

interface DueRow {
  readonly taskId: ArrayBuffer;
  readonly deadlines: ArrayBuffer | null;
  readonly pack: ArrayBuffer | null;
}

/** Returns the times of all deadlines of a task that is due; none if it was damaged, which loading it reports. */
const timesOf = ({ coding }: Connection, { deadlines, pack }: DueRow): readonly number[] => {
  const decoded = (stored: ArrayBuffer): ArrayBuffer => coding.cellOf(stored, '', 0);
  try {
    const body = pack && decoded(pack);
    const packed = body !== null && isPack(body) ? besideIn(body)?.deadlines : undefined;
    const text = deadlines === null ? packed : textOfBytes(decoded(deadlines));
    return (JSON.parse(text ?? '[]') as readonly Deadline[]).map(({ at }) => at);
  } catch {
    return [];
  }
};

export const dueBy = (connection: Connection, until: number): Awaited<ReturnType<Store['due']>> =>
  connection.transaction('DEFERRED', () => {
    const due = connection.cells(
      `SELECT taskId, ${asText('last.deadlines', 'deadlines')}, ${lastPack} FROM task ${lastRow} WHERE due <= ?
      ORDER BY due, task.id`,
      until,
    ) as readonly DueRow[];
    const [later] = connection.rows('SELECT min(due) AS at FROM task WHERE due > ?', until) as readonly {
      readonly at: number | null;
    }[];
    const times = due.flatMap((row) => timesOf(connection, row)).filter((at) => at > until);
    const next = Math.min(later?.at ?? Infinity, ...times);
    return {
      taskIds: due.map(({ taskId }) => nameOfBytes(taskId)),
      next: next === Infinity ? null : next,
    };
  });
