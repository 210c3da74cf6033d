import type { Person } from '../../base/ports/ledger.ts';
import type { FetchEnv } from '../../optional/server/env.ts';
import type { MountOptions } from '../../optional/server/face.ts';

/** Options of a console. */
export interface ConsoleOptions extends MountOptions {
  /**
   * Returns the authenticated person, as a name or with attributes. Their answers are recorded under this
   * name. By default, and if it returns `null`, no one can answer. `env` is what your server passed to
   * `fetch`; on Node, `env.incoming` is Node's request.
   */
  readonly identity?: (
    request: Request,
    env: FetchEnv,
  ) => string | Person | null | Promise<string | Person | null>;
  /**
   * Whether a person may let stuck tasks be tried again, skip what they wait for, and cancel them. By default no one may; the list of stuck
   * tasks is shown to everyone.
   */
  readonly operates?: (by: string | Person) => boolean | Promise<boolean>;
  /** Called with errors that the client did not cause. By default, a Node.js warning. */
  readonly onError?: (error: unknown) => void;
}
