import { createHash, type Hash } from 'node:crypto';
import { canonicalize } from '../../base/canonical/canonicalize.ts';
import { digest } from '../../base/canonical/digest.ts';
import { chunkBytes, chunkCount, streamBytes } from './limits.ts';

/** The number of chunks of a stream, and the hash of their contents (UAICP 4.2). */
export interface StreamSum {
  readonly chunks: number;
  readonly hash: string;
}

/** Returns the hash of a stream: the digest (SHA-256 over RFC 8785) of the array of its contents, in order. */
export const hashOfStream = (contents: readonly string[]): string => digest(contents, 'stream');

const loneSurrogate = /\p{Surrogate}/u;

/** Returns the remedy for a refused chunk; `expected` is the next index, if any. */
export const chunkRemedy = (expected: number | null): string =>
  expected === null ? 'send no more chunks of it' : `send chunk ${expected} next`;

/** Creates a running count and hash of a stream, which also checks the next chunk. */
export const createTally = () => {
  let hash: Hash | undefined; // most turns stream nothing
  const begun = (): Hash => (hash ??= createHash('sha256').update('['));
  let chunks = 0;
  let bytes = 0;
  let text = '';
  return {
    /** Returns the number of chunks so far, which is also the next index. */
    chunks: () => chunks,
    /** Returns why a chunk is not the next of its stream; `null` if it is. */
    faultOf: (index: number, content: string): string | null => {
      if (index < chunks) return 'a chunk of this index came before';
      if (index > chunks) return 'a chunk before it is missing';
      if (chunks === chunkCount) return `its stream holds ${chunkCount} chunks already`;
      const size = Buffer.byteLength(content);
      if (size > chunkBytes) return `it holds ${size} bytes: at most ${chunkBytes} are accepted`;
      if (bytes + size > streamBytes) return `its stream would hold more than ${streamBytes} bytes`;
      return loneSurrogate.test(content) ? 'it has a lone surrogate' : null;
    },
    /** Adds a valid chunk. */
    add: (content: string): void => {
      begun().update(`${chunks === 0 ? '' : ','}${canonicalize(content, 'chunk')}`);
      chunks += 1;
      bytes += Buffer.byteLength(content);
      text += content;
    },
    /** Returns the text so far. */
    text: () => text,
    sum: (): StreamSum => ({ chunks, hash: `sha256:${begun().copy().update(']').digest('hex')}` }),
  };
};

export type Tally = ReturnType<typeof createTally>;
