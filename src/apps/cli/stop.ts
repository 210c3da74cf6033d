/** Exit codes: 0 success, 1 check failed, 2 usage or environment error. */
export type ExitCode = 0 | 1 | 2;

/** Ends a command with a message for the person at the terminal. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly code: ExitCode;

  constructor(code: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns a usage error: `message` names the mistake and what is accepted. */
export const usage = (message: string, options?: ErrorOptions): Stop => new Stop(2, message, options);
