import { warnWithout } from '../../base/boundary/warn-of-error.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import { basePathOf, createFace, type App, type Face } from '../../optional/server/face.ts';
import { createLinks, randomSecret } from '../../optional/server/links.ts';
import { createPageGate } from '../../optional/server/page-gate.ts';
import { pageHeaders } from '../../optional/server/pages.ts';
import { text } from '../../optional/server/problem.ts';
import { createChanges } from './changes.ts';
import type { ConsoleOptions } from './options.ts';
import { addRoutes } from './routes.ts';

/**
 * A console for one orchestrator: tasks, threads, ledgers, evidence and the inbox. If mounted, open it as
 * `path/?token=`. `listen` returns a single-use URL. Closing it does not close the orchestrator.
 */
export interface TaskConsole extends Face {
  /** Returns a token that opens the console once, as `?token=`. After that, a cookie admits the browser. */
  readonly newToken: () => string;
}

const howToOpen = [
  'For a new link, press Enter in the terminal where "agentcharter console" runs, or run the command again. A gateway prints one with each question.',
  'A program that serves the console creates one with newToken().\n',
].join('\n');

const help = {
  none: `Open the console with a link. Each link works once.\n${howToOpen}`,
  wrong: `This link is not valid. Each link works once.\n${howToOpen}`,
} as const;

/** Trusted Types prevent scripts from parsing text as HTML. */
const headers = pageHeaders("img-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'");

/**
 * Creates a console. It is read-only unless `identity` names the person. It loads nothing from other hosts.
 */
export const createConsole = (orchestrator: Orchestrator, options: ConsoleOptions = {}): TaskConsole => {
  const {
    identity = () => null,
    operates = () => false,
    hosts,
    basePath,
    onError = warnWithout('the console failed'),
  } = options;
  const links = createLinks();
  const gate = createPageGate({ hosts, use: links.use, secret: randomSecret(), help });
  const changes = createChanges(orchestrator);

  const addTo = (app: App): void => {
    app.use(async ({ req: { raw }, env }, next) => gate(raw, env.given) ?? next());
    addRoutes(app, { orchestrator, identity, operates, changes, onError });
    app.notFound(() => text(404, 'Not found.\n'));
  };

  const beforeClose = changes.close;
  const face = createFace({
    name: 'console',
    addTo,
    readiness: orchestrator.readiness,
    headers,
    onError,
    basePath,
    beforeClose,
  });
  return {
    ...face,
    newToken: links.make,
    listen: async (port) => `${await face.listen(port)}${basePathOf(basePath)}/?token=${links.make()}`,
  };
};
