import type { Step } from '../../ports/store.ts';
import { asText, type Connection } from './connection.ts';
import { bytesOfName, textOfBytes } from './names.ts';
import { pack, type Beside, type StepBody } from './pack.ts';

/** The maximum number of steps in a pack. */
const maxSteps = 32;

/**
 * Whether the steps of a task are packed with this one: it waits, or has ended, or has made many steps. Until then each
 * step has a row, with all that is stored beside the records.
 */
export const isPacked = ({ indexEntry, record }: Step): boolean =>
  !indexEntry.isOwed || record.seq % maxSteps === maxSteps - 1;

/** The longest text that is read to be packed, in bytes. */
const maxBytes = 2 ** 17;

interface Row {
  readonly seq: number;
  /** `null` for a pack, and for a step that is too long. */
  readonly body: ArrayBuffer | null;
  readonly snapshot: ArrayBuffer | null;
}

/** The steps before this one that are not packed yet, newest first. */
const before = `SELECT seq, CASE WHEN typeof(body) = 'text' AND length(body) <= ${maxBytes} THEN CAST(body AS BLOB) END
  AS body, ${asText('snapshot')} FROM record WHERE task = (SELECT id FROM task WHERE taskId = ?)
  ORDER BY seq DESC LIMIT ${maxSteps - 1}`;

interface Loose {
  readonly texts: readonly string[];
  readonly snapshot: string | null;
}

/** Returns the last steps that have rows of their own, oldest first, up to this length together. */
const looseSteps = (connection: Connection, { taskId, record }: Step): Loose => {
  const texts: string[] = [];
  let [bytes, last]: [number, ArrayBuffer | null] = [0, null];
  for (const { seq, body, snapshot } of connection.cells(before, bytesOfName(taskId)) as readonly Row[]) {
    bytes += body?.byteLength ?? 0;
    if (body === null || bytes > maxBytes || seq !== record.seq - 1 - texts.length) break;
    texts.push(textOfBytes(body));
    last ??= snapshot;
  }
  return { texts: texts.toReversed(), snapshot: last && textOfBytes(last) };
};

/** A pack, and the number of its first step. */
export interface Packed {
  readonly pack: Uint8Array;
  readonly from: number;
}

/**
 * Packs a step with those before it that have rows of their own, and with what is stored beside the records. Returns
 * `null` if that is too much at once, or if a stored step was damaged, which loading the task reports.
 */
export const packOf = (connection: Connection, step: Step, beside: Beside): Packed | null => {
  const { texts, snapshot } = looseSteps(connection, step);
  try {
    const earlier = texts.map((text) => JSON.parse(text) as StepBody);
    const bodies = [...earlier, { record: step.record, emissions: step.emissions }];
    const made = pack(bodies, { ...beside, snapshot: beside.snapshot ?? snapshot });
    return made && { pack: made, from: step.record.seq - texts.length };
  } catch {
    return null;
  }
};
