export { streamOf } from './envelopes.ts';
export { chunkBytes, chunkCount, streamBytes } from './limits.ts';
export { createStreamReader } from './reader.ts';
export type { StreamProgress, StreamReader } from './reader.ts';
export { hashOfStream } from './tally.ts';
export type { StreamSum } from './tally.ts';
