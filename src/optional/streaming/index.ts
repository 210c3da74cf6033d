export { streamOf } from './envelopes.ts';
export { chunkBytes, chunkCount, streamBytes } from './limits.ts';
export { createStreamReader } from './reader.ts';
export type { StreamProgress, StreamReader, StreamSource } from './reader.ts';
export { streamKey } from './sign.ts';
export { hashOfStream } from './tally.ts';
export type { StreamSum } from './tally.ts';
export type { Chunk, StreamChunk } from '../../base/ports/model.ts';
