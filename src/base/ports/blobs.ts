/** Keeps values that are too large for a record beside the ledger, by their digest. The ledger has the digests alone. */
export interface BlobStore {
  /**
   * Keeps bytes for a task, and answers when they survive a crash. `digest` is `sha256:` and their SHA-256 in lower-case hex.
   * The same bytes may be put again.
   */
  readonly put: (taskId: string, digest: string, bytes: Uint8Array) => Promise<void>;
  /** Returns the bytes as they were put; `undefined` if this task has none of this digest. */
  readonly get: (taskId: string, digest: string) => Promise<Uint8Array | undefined>;
  /** Removes the bytes of these digests from a task; unknown ones are ignored. */
  readonly erase: (taskId: string, digests: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Where values go that are too large for a record, and when. */
export interface BlobOptions {
  readonly store: BlobStore;
  /**
   * UTF-16 code units of text in one value, above which its longer texts are kept beside the ledger: 1,048,576 by default, and at
   * most. Binary data always is.
   */
  readonly above?: number;
  /** UTF-16 code units of text, and bytes, of one value in all: 67,108,864 by default. A larger one is replaced by a mark. */
  readonly most?: number;
}
