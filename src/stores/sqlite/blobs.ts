import type { BlobStore } from '../../ports/blobs.ts';
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
export const createBlobs = (file: string): BlobStore => {
  const { use, close } = createSession(file, { timeout, migrations, application });
  return {
    put: async (taskId, digest, bytes) =>
      void use('put', (connection) =>
        connection.run(
          'INSERT OR IGNORE INTO blob (taskId, digest, bytes) VALUES (?, ?, ?)',
          taskId,
          digest,
          bytes,
        ),
      ),
    get: async (taskId, digest) => {
      const read = 'SELECT bytes FROM blob WHERE taskId = ? AND digest = ?';
      const [row] = use('get', (connection) => connection.cells(read, taskId, digest));
      return row === undefined ? undefined : new Uint8Array((row as { readonly bytes: ArrayBuffer }).bytes);
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
