import type { BlobStore } from '../../base/ports/blobs.ts';
import { createSession, type Opening } from './session.ts';

/** The schema of large values, unless another one is named. */
export const blobSchema = 'agentcharter_blobs';

const migrations = [
  (schema: string): string => `CREATE TABLE "${schema}".blob (
  task_id text NOT NULL,
  digest text NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (task_id, digest)
)`,
];

/** Creates a store of large values in a schema of its own. */
export const createBlobs = (opening: Opening): BlobStore => {
  const { rows, coding, close } = createSession({ ...opening, migrations });
  const table = `"${opening.schema}".blob`;
  return {
    put: async (taskId, digest, bytes) => {
      const kept = coding.bytes(bytes);
      await rows('put', {
        text: `INSERT INTO ${table} (task_id, digest, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
        values: [taskId, digest, Buffer.from(kept.buffer, kept.byteOffset, kept.length)],
      });
    },
    get: async (taskId, digest) => {
      const text = `SELECT bytes FROM ${table} WHERE task_id = $1 AND digest = $2`;
      const [row] = await rows('get', { text, values: [taskId, digest] });
      return row && coding.blobOf(new Uint8Array((row as { readonly bytes: Buffer }).bytes), taskId, digest);
    },
    erase: async (taskId, digests) =>
      void (await rows('erase', {
        text: `DELETE FROM ${table} WHERE task_id = $1 AND digest = ANY ($2)`,
        values: [taskId, digests],
      })),
    close,
  };
};
