import type { InspectionEvent } from 'xstate';
import { isObject } from '../boundary/is-object.ts';
import { isSameSecret } from '../boundary/secret.ts';
import { Audience } from '../server/audience.ts';
import { eventOf, eventStream } from '../server/events.ts';
import { basePathOf, createFace, type App, type Face } from '../server/face.ts';
import { createPageGate } from '../server/page-gate.ts';
import { asset, pageHeaders } from '../server/pages.ts';
import { text } from '../server/problem.ts';
import { chartsOf, ownChart } from './chart.ts';
import { readOptions, refused, type InspectorOptions } from './options.ts';
import { pagesOf } from './page.ts';
import { Pins } from './pins.ts';
import { watchTasks, type Watched } from './tasks.ts';
import { machineOf, wireOf } from './wire.ts';
import { replacing } from './written.ts';

const tokenBytes = 24;

/** Characters that may wait for a viewer that does not read; then it is let go, comes back, and is shown how all stands. */
const backlog = 64 * 1024 * 1024;

/** Shows actors and tasks in a browser, as they run; it sees all and changes nothing. */
export interface Inspector extends Face {
  /**
   * The address to open in a browser on this machine; the token in it lets in whoever has it. With `port: null` it is the
   * path and the token, for the place where you mount it.
   */
  readonly url: string;
  /** What an actor is created with: `createActor(machine, { inspect: inspector.inspect })`. */
  readonly inspect: (event: InspectionEvent) => void;
  /**
   * Shows the tasks of an orchestrator that are not settled, and those to come, each as its ledger tells it to the chart.
   * Returns what ends that; throws what the orchestrator throws.
   */
  readonly watch: (orchestrator: Watched) => Promise<() => void>;
}

/** A token lets in whoever has it: one of no bytes would let in everyone. */
const tokenOf = (randomBytes: (size: number) => Uint8Array): string => {
  const bytes = randomBytes(tokenBytes);
  if (bytes instanceof Uint8Array && bytes.length === tokenBytes)
    return Buffer.from(bytes).toString('base64url');
  const message = `expected a function that returns as many bytes as it is asked for, here ${tokenBytes}`;
  throw refused([{ path: '/randomBytes', message }]);
};

/** What `listen` threw, with its port named if that is why. */
const portRefused = (port: number, cause: unknown): unknown => {
  if (!isObject(cause) || cause['syscall'] !== 'listen') return cause;
  const { code } = cause;
  const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${String(code)})`;
  const message = `${port} on 127.0.0.1 ${why}; expected another, or 0 for one that is free`;
  return refused([{ path: '/port', message }], { cause });
};

const help = 'Open the address that createInspector() gave.\n';

/** What its routes are answered from. */
interface Parts {
  readonly pins: Pins;
  readonly viewers: Audience;
  readonly pages: ReturnType<typeof pagesOf>;
  readonly chartOf: ReturnType<typeof chartsOf>;
}

const addRoutes = (app: App, { pins, viewers, pages, chartOf }: Parts): void => {
  const greeting = (): string =>
    `retry: 1000\n\n${pins
      .messages()
      .map((message) => eventOf(message))
      .join('')}`;
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
 * A bridge on 127.0.0.1 from the actors of this process to the Stately inspector, and a live chart of our own without it.
 *
 * What it shows goes to a page from the network, in the browser: `redact` what may not, or give `viewer: null`. It keeps
 * no process alive. Throws `definition_invalid`: for an option, and for a port that is taken.
 */
export const createInspector = async (options: InspectorOptions = {}): Promise<Inspector> => {
  const read = readOptions(options);
  const { port, viewer, patience, redact, actors, chart = ownChart, randomBytes, hosts, basePath } = read;
  const viewers = new Audience(backlog);
  const wire = wireOf(replacing(redact));
  const pins = new Pins(wire, viewers, actors);
  const pages = pagesOf({ viewer, patience, actors });
  const parts = { pins, viewers, pages, chartOf: chartsOf(chart) };
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
    headers: pageHeaders(`frame-src ${viewer === null ? "'none'" : new URL(viewer).origin}`),
    onError: () => {}, // it sees all and changes nothing: who is inspected hears nothing of it
    basePath,
    farewell: () => viewers.end(eventOf(wire.end)),
    isUnref: true,
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
  return {
    ...face,
    url: port === null ? address : await listen(port),
    listen,
    inspect,
    watch: (orchestrator) => watchTasks(orchestrator, inspect, ended.signal),
    close,
    [Symbol.asyncDispose]: close,
  };
};
