import type { Deadline, Intent, Store, StoredStep, StoredTask } from '../../base/ports/store.ts';
import type { Statement } from './driver.ts';
import { bytesOfName, nameOfBytes } from './names.ts';
import type { Coding } from '../codec.ts';
import { corrupted, firstOf, parsed, stepOf } from '../shared.ts';
import { entryColumns, entryIn, type IndexRow } from './task-index.ts';

interface TaskRow extends IndexRow {
  readonly seq: -1;
  /** The snapshot. */
  readonly body: string;
  readonly due: number | null;
  readonly deadlines: string;
  readonly intents: string;
}

export interface StepRow {
  readonly seq: number;
  readonly body: string;
}

const beside = ['due', 'deadlines', 'intents'];
const nothing = [...entryColumns, ...beside].map(() => 'NULL').join(', ');

/** Returns the statement that reads a task in one snapshot: its row, then its steps. */
export const loadStatement = (schema: string, taskId: string): Statement => ({
  text: `WITH found AS MATERIALIZED (SELECT * FROM "${schema}".task WHERE task_id = $1)
    SELECT -1 AS seq, snapshot AS body, ${[...entryColumns, ...beside].join(', ')} FROM found
    UNION ALL SELECT seq, body, ${nothing} FROM "${schema}".record WHERE task = (SELECT id FROM found) ORDER BY seq`,
  values: [bytesOfName(taskId)],
});

/** Returns the step of a row. Throws `task_corrupted`. */
export const stepIn = ({ body, seq }: StepRow, taskId: string, { textOf }: Coding): StoredStep =>
  stepOf(parsed(textOf(body, taskId, seq), taskId, seq), taskId, seq);

const listIn = (text: string, taskId: string, seq: number): readonly unknown[] => {
  const list = parsed(text, taskId, seq);
  if (!Array.isArray(list)) throw corrupted(taskId, seq, 'what is stored is not a list');
  return list;
};

/** Returns the task of a `loadStatement`. Throws `task_corrupted`. */
export const taskIn = (rows: readonly object[], taskId: string, coding: Coding): StoredTask | undefined => {
  const [task, ...steps] = rows as readonly [TaskRow, ...StepRow[]];
  if (rows.length === 0) return undefined;
  const last = task.size - 1;
  const decoded = (stored: string): string => coding.textOf(stored, taskId, last);
  const deadlines = listIn(decoded(task.deadlines), taskId, last) as readonly Deadline[];
  if (firstOf(deadlines) !== task.due)
    throw corrupted(taskId, last, 'its deadlines are not those that it is found by');
  const bodies = steps.map((step) => stepIn(step, taskId, coding));
  return {
    indexEntry: entryIn(task, decoded(task.summary)),
    snapshot: decoded(task.body),
    records: bodies.map(({ record }) => record),
    emissions: bodies.flatMap(({ emissions }) => emissions.filter((emission) => emission !== null)),
    deadlines,
    intents: listIn(decoded(task.intents), taskId, last) as readonly Intent[],
  };
};

/** SQL for the name of a task by its place, also of a pruned one. */
export const ownerOf = (schema: string, place: string): string =>
  `coalesce((SELECT task_id FROM "${schema}".task WHERE id = ${place}), (SELECT task_id FROM "${schema}".pruned WHERE id = ${place}))`;

/** Returns the statement that finds a record. */
export const placeStatement = (schema: string, by: Parameters<Store['find']>[0]): Statement => {
  const [from, name] =
    'key' in by
      ? [`"${schema}".step_key AS found WHERE found."key" = $1`, by.key]
      : [`"${schema}".message AS found WHERE found.id = $1 ORDER BY found.place`, by.message];
  return {
    text: `SELECT ${ownerOf(schema, 'found.task')} AS task_id, seq FROM ${from} LIMIT 1`,
    values: [bytesOfName(name)],
  };
};

/** Returns the place of a `placeStatement`. */
export const placeIn = (rows: readonly object[]): Awaited<ReturnType<Store['find']>> => {
  const [found] = rows as readonly { readonly task_id: Buffer; readonly seq: number }[];
  return found && { taskId: nameOfBytes(found.task_id), seq: found.seq };
};

interface DueRow {
  readonly task_id: Buffer | null;
  readonly deadlines: string | null;
  readonly due: number | null;
  readonly id: number | null;
}

/** Returns the statement that finds the due tasks, then the next deadline of the others. */
export const dueStatement = (schema: string, until: number): Statement => ({
  text: `SELECT task_id, deadlines, due, id::float8 AS id FROM "${schema}".task WHERE due <= $1
    UNION ALL SELECT NULL, NULL, (SELECT min(due) FROM "${schema}".task WHERE due > $1), NULL ORDER BY due, id`,
  values: [until],
});

/** Returns the times of all deadlines of a due task; none if it was damaged, which loading it reports. */
const timesOf = ({ deadlines }: DueRow, { textOf }: Coding): readonly number[] => {
  try {
    return (JSON.parse(textOf(deadlines ?? '[]', '', 0)) as readonly Deadline[]).map(({ at }) => at);
  } catch {
    return [];
  }
};

/** Returns the due tasks of a `dueStatement`. */
export const dueIn = (
  rows: readonly object[],
  until: number,
  coding: Coding,
): Awaited<ReturnType<Store['due']>> => {
  const found = rows as readonly DueRow[];
  const due = found.filter((row) => row.task_id !== null);
  const later = found.find((row) => row.task_id === null)?.due ?? Infinity;
  const times = due.flatMap((row) => timesOf(row, coding)).filter((at) => at > until);
  const next = Math.min(later, ...times);
  return {
    taskIds: due.flatMap(({ task_id: taskId }) => (taskId === null ? [] : [nameOfBytes(taskId)])),
    next: next === Infinity ? null : next,
  };
};
