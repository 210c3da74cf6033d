import { setFlagsFromString } from 'node:v8';

/** The flags of the young generation that the process was started with. In a thread they outweigh `resourceLimits`. */
const flags =
  `${process.env['NODE_OPTIONS'] ?? ''} ${process.execArgv.join(' ')}`.match(
    /--m(?:ax|in)[-_]semi[-_]space[-_]size[= ]\d+/g,
  ) ?? [];

let starting = 0;

/**
 * Starts a thread without these flags, and restores them for others.
 *
 * Where a thread fills its memory, Node.js reserves 16 MB to end it alone. A larger young generation, which moves at
 * once, needs more, and V8 then ends the process.
 */
export const withoutYoungFlags = async <Result>(start: () => Promise<Result>): Promise<Result> => {
  if (flags.length === 0) return start();
  starting += 1;
  for (const flag of ['--max-semi-space-size=8', '--min-semi-space-size=0']) setFlagsFromString(flag);
  try {
    return await start();
  } finally {
    starting -= 1;
    if (starting === 0) for (const flag of flags) setFlagsFromString(flag.replace(' ', '='));
  }
};
