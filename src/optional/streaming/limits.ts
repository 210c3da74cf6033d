import { readLimits } from '../../base/boundary/read-json.ts';

/** The maximum size of a chunk in bytes of UTF-8: 64 KiB. */
export const chunkBytes = 65_536;

/** The maximum number of chunks in a stream. */
export const chunkCount = 10_000;

/** The maximum size of a stream in bytes of UTF-8: that of a draft, 1 MiB. */
export const streamBytes = readLimits.bytes;
