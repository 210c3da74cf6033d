import { createHash } from 'node:crypto';
import { canonicalize } from '../canonical/canonicalize.ts';
import { digest } from '../canonical/digest.ts';
import { chunkBytes, chunkCount, streamBytes } from './limits.ts';

/** What a stream came to: how many chunks, and the hash over their contents (UAICP 4.2). */
export interface StreamSum {
  readonly chunks: number;
  readonly hash: string;
}

/** The hash of a stream: the digest (SHA-256 over RFC 8785) of the array of its contents, in order. */
export const hashOfStream = (contents: readonly string[]): string => digest(contents, 'stream');

const loneSurrogate = /\p{Surrogate}/u;

/** Counts and hashes a stream as it grows, and says what is wrong with the chunk that wants to come next. */
export const createTally = () => {
  const hash = createHash('sha256').update('[');
  let chunks = 0;
  let bytes = 0;
  let text = '';
  return {
    /** Chunks so far, which is the index of the next. */
    chunks: () => chunks,
    /** Why a chunk is not the next of its stream; `null` where it is. */
    faultOf: (index: number, content: string): string | null => {
      if (index < chunks) return 'a chunk of this index came before';
      if (index > chunks) return 'a chunk before it is missing';
      if (chunks === chunkCount) return `its stream holds ${chunkCount} chunks already`;
      const size = Buffer.byteLength(content);
      if (size > chunkBytes) return `it holds ${size} bytes: at most ${chunkBytes} are taken`;
      if (bytes + size > streamBytes) return `its stream would hold more than ${streamBytes} bytes`;
      return loneSurrogate.test(content) ? 'it has a lone surrogate' : null;
    },
    /** Takes a chunk that has no fault. */
    add: (content: string): void => {
      hash.update(`${chunks === 0 ? '' : ','}${canonicalize(content, 'chunk')}`);
      chunks += 1;
      bytes += Buffer.byteLength(content);
      text += content;
    },
    /** Everything so far. */
    text: () => text,
    sum: (): StreamSum => ({ chunks, hash: `sha256:${hash.copy().update(']').digest('hex')}` }),
  };
};

export type Tally = ReturnType<typeof createTally>;
