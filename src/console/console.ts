import type { Person } from '../ports/ledger.ts';
import type { Orchestrator } from '../orchestrator/surface.ts';
import type { FetchEnv } from '../server/env.ts';
import { createFace, type App, type Face, type FaceEnv, type MountOptions } from '../server/face.ts';
import { createLinks, randomSecret } from '../server/links.ts';
import { createPageGate } from '../server/page-gate.ts';
import { pageHeaders } from '../server/page-headers.ts';
import { loadHono } from '../server/peers.ts';
import { text } from '../server/problem.ts';
import { createChanges } from './changes.ts';
import { addRoutes } from './routes.ts';

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

/**
 * A console over one orchestrator: tasks, their threads, ledgers and evidence, and the inbox. Below a path it is opened as
 * `path/?token=`. `listen` returns a URL that opens it once. The orchestrator goes on when it is closed.
 */
export interface TaskConsole extends Face {
  /** Makes a token that opens the console once, as `?token=` behind its address; from then on a cookie does. */
  readonly newToken: () => string;
}

const howToOpen = [
  'For a new one, press Enter in the terminal where "agentcharter console" runs, or run it again.',
  'A program that serves the console gets one from newToken().\n',
].join('\n');

const help = {
  none: `A link opens the console: each link works once.\n${howToOpen}`,
  wrong: `This link does not open the console: each link works once.\n${howToOpen}`,
} as const;

/** Scripts cannot make markup of text. */
const headers = pageHeaders("img-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'");

/** Builds a console; it is read-only unless `identity` names who looks. Nothing it serves loads anything from elsewhere. */
export const createConsole = (orchestrator: Orchestrator, options: ConsoleOptions = {}): TaskConsole => {
  const { identity = () => null, hosts, basePath, onError = () => {} } = options;
  const links = createLinks();
  const gate = createPageGate({ hosts, use: links.use, secret: randomSecret(), help });
  const changes = createChanges(orchestrator);

  const build = async (getPath: (request: Request) => string): Promise<App> => {
    const { Hono } = await loadHono('console');
    const app = new Hono<FaceEnv>({ getPath });
    app.use(async ({ req: { raw }, env }, next) => gate(raw, env) ?? next());
    addRoutes(app, { orchestrator, identity, changes, onError });
    return app.notFound(() => text(404, 'Nothing is here.\n'));
  };

  const farewell = changes.close;
  const face = createFace({ name: 'console', build, headers, onError, basePath, farewell });
  return {
    ...face,
    newToken: links.make,
    listen: async (port) => `${await face.listen(port)}${basePath ?? ''}/?token=${links.make()}`,
  };
};
