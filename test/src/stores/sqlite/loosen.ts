import Database from 'libsql';
import { bytesOfName } from '../../../../src/stores/sqlite/names.ts';
import { headIn, isPack, unpack } from '../../../../src/stores/sqlite/pack.ts';

interface Row {
  readonly id: number;
  readonly task: number;
  readonly body: ArrayBuffer;
}

/** Gives each step of a pack its own row again, so that SQL can change its texts; a store reads both alike. */
export const loosen = (file: string): void => {
  const database = new Database(file);
  try {
    const rows = database
      .prepare("SELECT id, task, body FROM record WHERE typeof(body) = 'blob'")
      .all() as readonly Row[];
    for (const { id, task, body } of rows.filter((row) => isPack(row.body))) {
      const { beside, bodies } = unpack(body);
      for (const one of bodies.slice(0, -1))
        database
          .prepare('INSERT INTO record (task, seq, body) VALUES (?, ?, ?)')
          .run([task, one.record.seq, JSON.stringify(one)]);
      const texts = [beside?.summary, beside?.intents, beside?.deadlines, beside?.snapshot];
      database
        .prepare(
          'UPDATE record SET body = ?, head = ?, summary = ?, intents = ?, deadlines = ?, snapshot = ? WHERE id = ?',
        )
        .run([
          JSON.stringify(bodies.at(-1)),
          bytesOfName(headIn(body)),
          ...texts.map((text) => text ?? null),
          id,
        ]);
    }
  } finally {
    database.close();
  }
};
