import { causeOf, isCharterError } from '../errors.ts';
import { oneLine } from '../text/foreign-text.ts';

/** Returns where an error was thrown. Its message, which may quote what others wrote, is not in it. */
const framesOf = (error: unknown): string => {
  try {
    if (!(error instanceof Error)) return '';
    if (error.cause instanceof Error) return framesOf(error.cause);
    const { stack = '', message } = error;
    return stack
      .slice(Math.max(0, stack.indexOf(message)) + message.length)
      .split('\n')
      .filter((line) => /^ {4}at /.test(line))
      .map((line) => `    ${oneLine(line.trim())}`)
      .join('\n');
  } catch {
    return ''; // a getter may throw
  }
};

/** Returns what an error says; ours need no name before it. */
const textOf = (error: unknown): string =>
  isCharterError(error) ? oneLine(error.message.slice(0, 1_000)) : causeOf(error);

/** Warns of an error that the host does not handle, by a Node.js warning, and says how to handle it. */
export const warnOfError = (what: string, remedy: string, error: unknown): void =>
  process.emitWarning(`${what}: ${textOf(error)}; ${remedy}`, {
    type: 'AgentCharterWarning',
    code: 'AGENTCHARTER_ERROR',
    detail: framesOf(error),
  });

/** Returns the handler of errors for a host that gave no `onError`. */
export const warnWithout =
  (what: string) =>
  (error: unknown): void =>
    warnOfError(what, 'pass `onError` to handle this', error);
