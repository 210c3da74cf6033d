/** 0: done, and nothing is wrong. 1: it was looked at, and the answer is no. 2: it could not be looked at. */
export type ExitCode = 0 | 1 | 2;

/** Ends a command; its message is for the person who called it. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly code: ExitCode;

  constructor(code: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A call that cannot be carried out as it stands: `message` says what is wrong, and what would be accepted. */
export const usage = (message: string, options?: ErrorOptions): Stop => new Stop(2, message, options);
