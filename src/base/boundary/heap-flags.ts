import { setFlagsFromString } from 'node:v8';

const names = ['max-semi-space-size', 'min-semi-space-size', 'max-old-space-size', 'max-heap-size'] as const;

const unset = names.map((name) => `--${name}=0`);

/** Those that the process was started with. In a thread they outweigh `resourceLimits`. */
const given =
  `${process.env['NODE_OPTIONS'] ?? ''} ${process.execArgv.join(' ')}`.match(
    /--(?:m(?:ax|in)[-_]semi[-_]space|max[-_]old[-_]space|max[-_]heap)[-_]size[= ]\d+/g,
  ) ?? [];

let starting = 0;

const set = (flags: readonly string[]): void => {
  for (const flag of flags) setFlagsFromString(flag.replace(' ', '='));
};

/**
 * Starts a thread without the flags of the process for the sizes of the heap, and restores them for other threads.
 *
 * With a large old generation the thread has no bound. Where it fills its memory, Node.js reserves 16 MB to end it
 * alone: a large young generation, which moves at once, needs more, and V8 then ends the process.
 */
export const withoutHeapFlags = async <Result>(start: () => Promise<Result>): Promise<Result> => {
  if (given.length === 0) return start();
  starting += 1;
  set(unset);
  try {
    return await start();
  } finally {
    starting -= 1;
    if (starting === 0) set(given);
  }
};
