import type { BlobStore } from '../../base/ports/blobs.ts';

/** Creates a store of large values that lasts as long as its process, for tests and experiments. */
export const memoryBlobs = (): BlobStore => {
  const tasks = new Map<string, Map<string, Uint8Array>>();
  return {
    put: async (taskId, digest, bytes) => {
      const blobs = tasks.get(taskId) ?? new Map<string, Uint8Array>();
      tasks.set(taskId, blobs.set(digest, Uint8Array.from(bytes)));
    },
    get: async (taskId, digest) => {
      const bytes = tasks.get(taskId)?.get(digest);
      return bytes && Uint8Array.from(bytes);
    },
    erase: async (taskId, digests) => {
      for (const digest of digests) tasks.get(taskId)?.delete(digest);
    },
    close: async () => {},
  };
};
