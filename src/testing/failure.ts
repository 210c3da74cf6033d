import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Returns a stack without the frames of this kit, so that the line of the test comes first. */
const withoutOwnFrames = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => !/^ +at /.test(line) || !line.includes(here))
    .join('\n');

/**
 * A test that failed. Test runners show its message, which says what was expected, what happened, and how it came to
 * that.
 */
export class TestFailure extends Error {
  /** The name that test runners know a failed expectation by. */
  override readonly name = 'AssertionError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    if (this.stack !== undefined) this.stack = withoutOwnFrames(this.stack);
  }
}

/** Returns lines of text as a numbered list. */
export const numbered = (lines: readonly string[]): string =>
  lines.map((line, at) => `${String(at + 1).padStart(3)}. ${line}`).join('\n');
