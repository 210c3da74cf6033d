import type { Person } from '../ports/ledger.ts';
import type { FetchEnv } from '../server/env.ts';
import type { MountOptions } from '../server/face.ts';

/** What a console is made of beside its orchestrator. */
export interface ConsoleOptions extends MountOptions {
  /**
   * Names the person who looks, as the host authenticated them, or says all that it knows of them: what they answer is
   * answered in this name. By default, and if it returns `null`, no one is named and nothing can be answered. `env` is what
   * the host passed to `fetch`; under a Node server, `env.incoming` is Node's request.
   */
  readonly identity?: (
    request: Request,
    env: FetchEnv,
  ) => string | Person | null | Promise<string | Person | null>;
  /** Told of errors that are not the caller's. */
  readonly onError?: (error: unknown) => void;
}
