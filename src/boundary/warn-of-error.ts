import { causeOf } from '../errors.ts';

/** Returns a handler of errors for hosts that gave none: a Node.js warning, with the stack. */
export const warnOfError =
  (what: string) =>
  (error: unknown): void =>
    process.emitWarning(`${what}: ${causeOf(error)}; pass \`onError\` to handle this`, {
      type: 'AgentCharterWarning',
      code: 'AGENTCHARTER_ERROR',
      ...(error instanceof Error && error.stack !== undefined && { detail: error.stack }),
    });
