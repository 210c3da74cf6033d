import type { BlobStore } from '../../base/ports/blobs.ts';
import type { Codec } from '../../base/ports/codec.ts';
import { createSession, gather } from './session.ts';

/** The SQLite application id of files of large values: `AgCb`. */
const application = 0x41_67_43_62;

const migrations = [
  `CREATE TABLE blob (
  id INTEGER PRIMARY KEY,
  taskId TEXT NOT NULL,
  digest TEXT NOT NULL,
  bytes BLOB NOT NULL,
  UNIQUE (taskId, digest)
);`,
];

/** Milliseconds to wait for writes of other processes. */
const timeout = 5000;

/** Creates a store of large values in a file that was checked. */
export const createBlobs = (file: string, codec: Codec | undefined): BlobStore => {
  const { use, close } = createSession(file, { timeout, migrations, application, codec });
  return {
    put: async (taskId, digest, bytes) =>
      void use('put', (connection) =>
        connection.run(
          'INSERT OR IGNORE INTO blob (taskId, digest, bytes) VALUES (?, ?, ?)',
          taskId,
          digest,
          connection.coding.bytes(bytes),
        ),
      ),
    get: async (taskId, digest) => {
      const read = 'SELECT bytes FROM blob WHERE taskId = ? AND digest = ?';
      return use('get', (connection) => {
        const [row] = connection.cells(read, taskId, digest) as readonly { readonly bytes: ArrayBuffer }[];
        return row && connection.coding.blobOf(new Uint8Array(row.bytes), taskId, digest);
      });
    },
    erase: async (taskId, digests) =>
      use('erase', (connection) => {
        const remove = 'DELETE FROM blob WHERE taskId = ? AND digest = ?';
        connection.transaction('IMMEDIATE', () =>
          digests.forEach((digest) => connection.run(remove, taskId, digest)),
        );
        gather(connection);
      }),
    close: async () => close(),
  };
};
