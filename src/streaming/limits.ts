import { readLimits } from '../boundary/read-json.ts';

/** Bytes of UTF-8 that one chunk may hold: 64 KiB. */
export const chunkBytes = 65_536;

/** Chunks that one stream may hold. */
export const chunkCount = 10_000;

/** Bytes of UTF-8 that one stream may hold: as many as the draft that it is a part of, 1 MiB. */
export const streamBytes = readLimits.bytes;
