import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { aesCodec, type BlobStore, type Codec } from 'agentcharter/stores';
import { postgresBlobs, postgresStore } from 'agentcharter/stores/postgres';
import { sqliteBlobs, sqliteStore } from 'agentcharter/stores/sqlite';
import type { Store } from '../../../../src/base/ports/store.ts';
import { connect } from '../../../../src/stores/sqlite/connection.ts';
import { skipWithout } from '../../../needs.ts';
import { startCluster, type Cluster } from '../../../postgres.ts';
import { folder } from '../folder.ts';

/** A key that is the same in every run, by a number. */
export const keyOf = (seed: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, at) => seed * 40 + at);

/** Keys by name; each is another one. */
export const keys = { k1: keyOf(1), k2: keyOf(2) };

export const first = aesCodec({ keys: { k1: keys.k1 }, current: 'k1' });
export const both = aesCodec({ keys, current: 'k2' });
export const second = aesCodec({ keys: { k2: keys.k2 }, current: 'k2' });

/** An empty place of a store of tasks and one of large values. */
export interface Place {
  /** Opens the store until the test ends. */
  readonly open: (codec?: Codec) => Store;
  readonly openBlobs: (codec?: Codec) => BlobStore;
  /** Returns all that is stored, as it is on the disk or in the rows. */
  readonly raw: () => Promise<Buffer>;
  /** Returns how everything begins that is stored and has content. */
  readonly beginnings: () => Promise<ReadonlySet<string>>;
  /** Changes a character of what is stored in each step. */
  readonly damage: () => Promise<unknown>;
}

let cluster: Cluster | null = null;
let schemas = 0;

/** Starts a server for the tests of a file, if there can be one. */
export const useCluster = (): void => {
  beforeAll(async () => {
    if (skipWithout(['postgres']) === null) cluster = await startCluster();
  });
  afterAll(() => cluster?.remove());
};

const until = <Kept extends Store | BlobStore>(store: Kept): Kept => {
  onTestFinished(() => store.close());
  return store;
};

const options = (codec: Codec | undefined) => (codec === undefined ? {} : { codec });

const bytesOf = (file: string): Buffer => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0));

const sql = async (statement: string): Promise<readonly object[]> => (await cluster?.sql(statement)) ?? [];

const inFile = (): Place => {
  const at = folder();
  const [tasks, blobs] = [join(at, 'tasks.db'), join(at, 'blobs.db')];
  return {
    open: (codec) => until(sqliteStore(tasks, { poll: 50, ...options(codec) })),
    openBlobs: (codec) => until(sqliteBlobs(blobs, options(codec))),
    raw: async () =>
      Buffer.concat([tasks, blobs].flatMap((file) => [file, `${file}-wal`].map((name) => bytesOf(name)))),
    beginnings: async () => {
      const connection = connect(tasks, 1_000);
      const columns = ['body', 'summary', 'intents', 'deadlines', 'snapshot'];
      const selects = columns.map(
        (column) => `SELECT substr(${column}, 1, 4) AS begins FROM record WHERE ${column} IS NOT NULL`,
      );
      const found = connection.rows(selects.join(' UNION ')) as readonly { begins: string }[];
      connection.close();
      return new Set(found.map(({ begins }) => begins));
    },
    damage: async () => {
      const connection = connect(tasks, 1_000);
      const rows = connection.cells('SELECT id, CAST(body AS BLOB) AS body FROM record') as readonly {
        id: number;
        body: ArrayBuffer;
      }[];
      for (const { id, body } of rows) {
        const bytes = Buffer.from(body);
        const at = bytes.length - 9;
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        const isPack = bytes.toString('latin1', 0, 4) === '%b1:';
        connection.run(
          'UPDATE record SET body = ? WHERE id = ?',
          isPack ? bytes : bytes.toString('latin1'),
          id,
        );
      }
      connection.close();
    },
  };
};

/** Returns all rows of a schema as text. */
const rowsOf = async (name: string): Promise<readonly string[]> => {
  const tables = (await sql(
    `SELECT table_name AS "table" FROM information_schema.tables WHERE table_schema = '${name}'`,
  )) as readonly { table: string }[];
  const found = await Promise.all(
    tables.map(({ table }) => sql(`SELECT t::text AS row FROM ${name}.${table} AS t`)),
  );
  return (found.flat() as readonly { row: string }[]).map(({ row }) => row);
};

const onServer = (): Place => {
  const schema = `codec_${(schemas += 1)}`;
  const connectionString = cluster?.url() ?? '';
  return {
    open: (codec) => until(postgresStore({ connectionString, schema, poll: 50, ...options(codec) })),
    openBlobs: (codec) =>
      until(postgresBlobs({ connectionString, schema: `${schema}_blobs`, ...options(codec) })),
    raw: async () => {
      const rows = [...(await rowsOf(schema)), ...(await rowsOf(`${schema}_blobs`))].join('\n');
      const bytes = [...rows.matchAll(/\\x((?:[0-9a-f]{2})+)/g)].map(([, hex = '']) =>
        Buffer.from(hex, 'hex'),
      );
      return Buffer.concat([Buffer.from(rows), ...bytes]);
    },
    beginnings: async () => {
      const columns = ['summary', 'intents', 'deadlines', 'snapshot'];
      const selects = columns.map((column) => `SELECT left(${column}, 4) AS begins FROM ${schema}.task`);
      const bodies = `SELECT left(body, 4) FROM ${schema}.record`;
      const found = (await sql([...selects, bodies].join(' UNION '))) as readonly {
        begins: string;
      }[];
      return new Set(found.map(({ begins }) => begins));
    },
    damage: async () => {
      const changed = "CASE WHEN substr(body, length(body) - 9, 1) = 'A' THEN 'B' ELSE 'A' END";
      await sql(`UPDATE ${schema}.record SET body = overlay(body placing ${changed} from length(body) - 9)`);
    },
  };
};

/** The places of the stores that last. */
export const places: readonly (readonly [string, () => Place])[] = [
  ['SQLite', inFile],
  ...(skipWithout(['postgres']) === null ? [['PostgreSQL', onServer] as const] : []),
];
