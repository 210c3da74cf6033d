import type { InspectionEvent } from 'xstate';
import { chartsOf, ownChart } from './chart.ts';
import { readOptions, refused, type InspectorOptions } from './options.ts';
import { pagesOf } from './page.ts';
import { Pins } from './pins.ts';
import { answer, serve, type Page } from './server.ts';
import { watchTasks, type Watched } from './tasks.ts';
import { Viewers } from './viewers.ts';
import { machineOf, wireOf } from './wire.ts';
import { replacing } from './written.ts';

const tokenBytes = 24;

/** Shows actors and tasks in a browser, as they run; it sees all and changes nothing. */
export interface Inspector extends AsyncDisposable {
  /** The address to open in a browser on this machine; the token in it lets in whoever has it. */
  readonly url: string;
  /** What an actor is created with: `createActor(machine, { inspect: inspector.inspect })`. */
  readonly inspect: (event: InspectionEvent) => void;
  /**
   * Shows the tasks of an orchestrator that are not settled, and those to come, each as its ledger tells it to the chart.
   * Returns what ends that; throws what the orchestrator throws.
   */
  readonly watch: (orchestrator: Watched) => Promise<() => void>;
  /** Tells the viewers, and lets go of the port. */
  readonly close: () => Promise<void>;
}

/** A token lets in whoever has it: one of no bytes would let in everyone. */
const tokenOf = (randomBytes: (size: number) => Uint8Array): string => {
  const bytes = randomBytes(tokenBytes);
  if (bytes instanceof Uint8Array && bytes.length === tokenBytes)
    return Buffer.from(bytes).toString('base64url');
  const message = `expected a function that returns as many bytes as it is asked for, here ${tokenBytes}`;
  throw refused([{ path: '/randomBytes', message }]);
};

/**
 * A bridge on 127.0.0.1 from the actors of this process to the Stately inspector, and a live chart of our own without it.
 *
 * What it shows goes to a page from the network, in the browser: `redact` what may not, or give `viewer: null`. It keeps
 * no process alive. Throws `definition_invalid`: for an option, and for a port that is taken.
 */
export const createInspector = async (options: InspectorOptions = {}): Promise<Inspector> => {
  const { port, viewer, patience, redact, actors, chart = ownChart, randomBytes } = readOptions(options);
  const viewers = new Viewers();
  const wire = wireOf(replacing(redact));
  const pins = new Pins(wire, viewers, actors);
  const chartOf = chartsOf(chart);

  const drawn = async (sessionId: string): Promise<string | undefined> => {
    const actor = pins.actor(sessionId);
    const machine = actor && machineOf(actor);
    return machine && chartOf(machine);
  };
  const pages: Record<string, Page> = {
    ...pagesOf({ viewer, patience, actors }),
    '/events': (_url, response) => viewers.admit(response, pins.messages()),
    '/chart': (url, response) =>
      void drawn(url.searchParams.get('actor') ?? '').then((svg) =>
        svg === undefined
          ? answer(response, 404, 'it has no picture')
          : answer(response, 200, svg, 'image/svg+xml'),
      ),
  };
  const token = tokenOf(randomBytes);
  const framed = viewer === null ? "'none'" : new URL(viewer).origin;
  const served = await serve({ port, token, pages, framed });

  const ended = new AbortController();
  const inspect = (event: InspectionEvent): void => {
    if (!ended.signal.aborted) pins.take(event);
  };
  const close = async (): Promise<void> => {
    if (ended.signal.aborted) return;
    ended.abort();
    viewers.end(wire.end);
    await served.close();
  };
  return {
    url: served.url,
    inspect,
    watch: (orchestrator) => watchTasks(orchestrator, inspect, ended.signal),
    close,
    [Symbol.asyncDispose]: close,
  };
};
