import type { InspectionEvent } from 'xstate';
import { isObject } from '../../base/boundary/is-object.ts';
import { isSameSecret } from '../../base/boundary/secret.ts';
import { Audience } from '../../optional/server/audience.ts';
import { eventOf, eventStream } from '../../optional/server/events.ts';
import { basePathOf, createFace, type App, type Face } from '../../optional/server/face.ts';
import { createPageGate } from '../../optional/server/page-gate.ts';
import { asset, pageHeaders } from '../../optional/server/pages.ts';
import { text } from '../../optional/server/problem.ts';
import { chartsOf, ownChart } from './chart.ts';
import { readOptions, refused, type InspectorOptions } from './options.ts';
import { pagesOf } from './page.ts';
import { Pins } from './pins.ts';
import { watchTasks, type Watch, type Watched } from './tasks.ts';
import { machineOf, wireOf } from './wire.ts';
import { replacing } from './written.ts';

const tokenBytes = 24;

/**
 * The maximum of unread characters of a viewer. Beyond it the viewer is disconnected; it reconnects and gets
 * a snapshot.
 */
const backlog = 64 * 1024 * 1024;

/** Shows running actors and tasks in a browser. It is read-only. */
export interface Inspector extends Face {
  /**
   * The address to open in a browser on this machine. Its token admits anyone who has it. With `port: null`,
   * only the path and the token.
   */
  readonly url: string;
  /** The option for an actor: `createActor(machine, { inspect: inspector.inspect })`. */
  readonly inspect: (event: InspectionEvent) => void;
  /**
   * Shows the open and the future tasks of an orchestrator and the newest settled ones, each replayed from its
   * ledger. Returns a function that stops it. Throws what the orchestrator throws.
   */
  readonly watch: (orchestrator: Watched) => Promise<() => void>;
}

/** Returns a token. Throws if `randomBytes` returns none, because an empty token admits everyone. */
const tokenOf = (randomBytes: (size: number) => Uint8Array): string => {
  const bytes = randomBytes(tokenBytes);
  if (bytes instanceof Uint8Array && bytes.length === tokenBytes)
    return Buffer.from(bytes).toString('base64url');
  const message = `expected a function that returns as many bytes as it is asked for, here ${tokenBytes}`;
  throw refused([{ path: '/randomBytes', message }]);
};

/** Returns an error of `listen`, with the port named if it is in use. */
const portRefused = (port: number, cause: unknown): unknown => {
  if (!isObject(cause) || cause['syscall'] !== 'listen') return cause;
  const { code } = cause;
  const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${String(code)})`;
  const message = `${port} on 127.0.0.1 ${why}; expected another, or 0 for one that is free`;
  return refused([{ path: '/port', message }], { cause });
};

const help = 'Open the address that createInspector() gave.\n';

/** The dependencies of the routes. */
interface Parts {
  readonly pins: Pins;
  readonly viewers: Audience;
  readonly pages: ReturnType<typeof pagesOf>;
  readonly chartOf: ReturnType<typeof chartsOf>;
  /** Returns the event with the number of tasks that are not shown. */
  readonly unshown: () => string;
}

const addRoutes = (app: App, { pins, viewers, pages, chartOf, unshown }: Parts): void => {
  const greeting = (): string =>
    `retry: 1000\n\n${pins
      .messages()
      .map((message) => eventOf(message))
      .join('')}${unshown()}`;
  const drawn = async (sessionId: string): Promise<string | undefined> => {
    const actor = pins.actor(sessionId);
    const machine = actor && machineOf(actor);
    return machine && chartOf(machine);
  };
  for (const [path, { type, text: body }] of Object.entries(pages)) app.get(path, () => asset(type, body));
  app.get('/events', ({ env: { link } }) => eventStream(viewers.join(greeting, link), link, () => {}));
  app.get('/chart', async ({ req }) => {
    const svg = await drawn(req.query('actor') ?? '');
    return svg === undefined ? text(404, 'it has no picture') : asset('image/svg+xml', svg);
  });
  app.notFound(() => text(404, 'there is no such page'));
};

/**
 * Creates a local bridge on 127.0.0.1 from your actors to the Stately inspector, with a built-in chart as a
 * fallback.
 *
 * The viewer page is loaded from the network: hide data with `redact`, or pass `viewer: null`. Keeps the
 * process alive until `close()`. Throws `definition_invalid` for an invalid option or a port that is in use.
 */
export const createInspector = async (options: InspectorOptions = {}): Promise<Inspector> => {
  const read = readOptions(options);
  const { port, viewer, patience, redact, actors, chart = ownChart, randomBytes, hosts, basePath } = read;
  const viewers = new Audience(backlog);
  const wire = wireOf(replacing(redact));
  const pins = new Pins(wire, viewers, actors);
  const pages = pagesOf({ viewer, patience, actors });
  const watches = new Set<Watch>();
  const unshown = (): string => {
    const count = [...watches].reduce((sum, watch) => sum + watch.unshown, 0);
    return eventOf(String(count), { event: 'unshown' });
  };
  const parts = { pins, viewers, pages, chartOf: chartsOf(chart), unshown };
  const token = tokenOf(randomBytes);
  const use = (given: string): boolean => isSameSecret(given, token);
  const gate = createPageGate({
    hosts,
    use,
    secret: tokenOf(randomBytes),
    help: { none: help, wrong: help },
  });
  const ended = new AbortController();

  const addTo = (app: App): void => {
    app.use(async ({ req: { raw }, env }, next) => {
      if (raw.method !== 'GET') return text(405, 'only GET is answered');
      return gate(raw, env.given) ?? next();
    });
    addRoutes(app, parts);
  };

  const face = createFace({
    name: 'inspector',
    addTo,
    readiness: async () => ({ isReady: true, reasons: [] }),
    headers: pageHeaders(`frame-src ${viewer === null ? "'none'" : new URL(viewer).origin}`),
    onError: () => {}, // an inspector must not disturb the process
    basePath,
    beforeClose: () => viewers.end(eventOf(wire.end)),
  });
  const address = `${basePathOf(basePath)}/?token=${token}`;
  const listen = async (at = 0): Promise<string> => {
    try {
      return `${await face.listen(at)}${address}`;
    } catch (cause) {
      throw portRefused(at, cause);
    }
  };
  const close = async (): Promise<void> => {
    ended.abort();
    await face.close();
  };
  const inspect = (event: InspectionEvent): void => {
    if (!ended.signal.aborted) pins.take(event);
  };
  const watch = async (orchestrator: Watched): Promise<() => void> => {
    const begun = await watchTasks(orchestrator, inspect, ended.signal, actors);
    watches.add(begun);
    viewers.send(unshown);
    return () => {
      begun.stop();
      watches.delete(begun);
      viewers.send(unshown);
    };
  };
  return {
    ...face,
    url: port === null ? address : await listen(port),
    listen,
    inspect,
    watch,
    close,
    [Symbol.asyncDispose]: close,
  };
};
