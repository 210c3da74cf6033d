import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../../schema/index.ts';
import { createConsole } from '../console/index.ts';
import { causeOf, CharterError, isCharterError } from '../../base/errors.ts';
import { createGuard } from '../../guard/index.ts';
import { sqliteBlobs } from '../../stores/sqlite.ts';
import { bindServer, type BoundServer } from './bound-server.ts';
import { clientTasks, openTasks, type ClientTasks, type Office } from './client-tasks.ts';
import { innerServer, type Surroundings } from './inner-server.ts';
import { partsOf } from './names.ts';
import { folderOf, optionsFor, pinsIn } from './options.ts';
import { readPins, writePins } from './pins.ts';
import { oneLine } from '../../base/text/foreign-text.ts';
import type { Reply } from './replies.ts';
import { checkNamed } from './rules.ts';
import { noTool, seenBy, servedTools, unknownTool, type Listing } from './served-tools.ts';

/** What a client of the gateway may do. */
export interface Served {
  readonly list: () => readonly Listing[];
  readonly call: (name: string, given: JsonObject, signal: AbortSignal) => Promise<Reply>;
}

/** A running gateway. */
export interface Gateway {
  /** Returns what a client of the file sees, by its name. */
  readonly served: (client: string) => Served;
  readonly readiness: ReturnType<typeof createGuard>['orchestrator']['readiness'];
  readonly close: () => Promise<void>;
}

/** The client over stdio of a file that names none. */
export const local = 'local';

/** Milliseconds in which calls under way may end when the gateway stops. */
const drain = 5_000;

/** Starts the servers of a file and binds their tools. Definitions that were not seen before are accepted. */
export const bindServers = async (around: Surroundings): Promise<readonly BoundServer[]> => {
  const { charter } = around;
  const pins = await readPins(pinsIn(charter));
  const servers = Object.entries(charter.terms.servers).map(([name, terms]) =>
    innerServer(name, terms, around),
  );
  const bound = await Promise.allSettled(servers.map((server) => bindServer(server, charter, pins)));
  try {
    const made = bound.map((one) => {
      if (one.status === 'fulfilled') return one.value;
      throw one.reason;
    });
    const tools = made.flatMap(({ exposed }) => exposed.map(({ tool }) => tool));
    checkNamed(charter, tools, (server) =>
      made.some((one) => one.server.name === server && one.failure !== null),
    );
    const fresh = Object.assign({}, ...made.map(({ seen }) => seen), pins);
    if (Object.keys(fresh).length > Object.keys(pins).length) await writePins(pinsIn(charter), fresh);
    return made;
  } catch (error) {
    await Promise.all(servers.map(({ close }) => close()));
    throw error;
  }
};

/** Accepts the definition of a tool as its server lists it now. Returns it with the one that was accepted before. */
export const acceptTool = async (around: Surroundings, name: string) => {
  const { charter } = around;
  const pins = await readPins(pinsIn(charter));
  const bound = await bindServers(around);
  await Promise.all(bound.map(({ server }) => server.close()));
  const now = bound.flatMap(({ seen }) => seen[name] ?? [])[0];
  if (now !== undefined)
    await writePins(pinsIn(charter), { ...(await readPins(pinsIn(charter))), [name]: now });
  return {
    before: pins[name]?.definition ?? null,
    now: now?.definition ?? null,
    known: bound.flatMap(({ seen }) => Object.keys(seen)),
  };
};

/** Opens the store of a gateway. Throws `store_owned`, with what to do, while another process has it. */
const recovered = async (folder: string, recover: () => Promise<unknown>): Promise<void> => {
  try {
    await recover();
  } catch (cause) {
    if (!isCharterError(cause, 'store_owned')) throw cause;
    const words = `another gateway uses ${folder}. Let its clients share one with --http, or set another \`store\` in the file`;
    throw new CharterError('store_owned', words, { store: folder }, { cause });
  }
};

/** Starts a gateway: servers, guard, and a console for each person. */
export const startGateway = async (around: Surroundings): Promise<Gateway> => {
  const { charter, say } = around;
  const { terms } = charter;
  const folder = folderOf(charter);
  await mkdir(folder, { recursive: true });
  const bound = await bindServers(around);
  for (const { failure } of bound) if (failure !== null) say(`${failure}. The other servers go on.`);
  for (const { name, why } of bound.flatMap(({ leftOut }) => leftOut)) say(`${name} is left out: ${why}`);
  const exposed = bound.flatMap((one) => one.exposed);
  const tools = exposed.map(({ tool }) => tool);
  const unknown = bound.flatMap(({ server, failure, exposed: { length } }) =>
    failure === null || length > 0
      ? []
      : Object.keys(terms.tools).flatMap((name) =>
          partsOf(name)[0] === server.name ? [unknownTool(name, failure)] : [],
        ),
  );
  const all = servedTools(exposed, unknown, terms.prefix);
  const guard = createGuard({
    ...optionsFor(charter, tools),
    blobs: { store: sqliteBlobs(join(folder, 'blobs.db')) },
  });
  const { orchestrator } = guard;
  const consoles = terms.people.map((person) =>
    createConsole(orchestrator, {
      identity: () => person,
      operates: () => true,
      onError: (error) => say(causeOf(error)),
    }),
  );
  const closeAll = async (): Promise<void> => {
    await Promise.all(consoles.map((one) => one.close()));
    await guard.close({ drain });
    await Promise.all(bound.map(({ server }) => server.close()));
  };
  try {
    await recovered(folder, orchestrator.recover);
    const links = await Promise.all(consoles.map((one) => one.listen()));
    const pages = links.map((link) => new URL('/', link).href);
    for (const [at, person] of terms.people.entries()) say(`${person} answers at ${links[at]}`);
    orchestrator.on('question', ({ message }) => {
      for (const [at, one] of consoles.entries())
        say(`${terms.people[at]}: ${message.explanation} Answer at ${pages[at]}?token=${one.newToken()}`);
    });
    orchestrator.on('error', ({ error }) => say(causeOf(error)));
    // what a person has to undo is in the last message
    orchestrator.on('settled', async ({ taskId, outcome }) => {
      if (outcome === 'success') return;
      const { message } = await orchestrator.settled(taskId);
      say(`task ${taskId} was not delivered: ${oneLine(message.explanation)}`);
    });
    const office: Office = {
      guard,
      desk: {
        people: terms.people.join(' or '),
        answerAt: pages.join(' or '),
        acceptWith: (name) =>
          `agentcharter gateway ${charter.file} --accept ${name}, then start the gateway again`,
      },
      owner: terms.owner,
      prefix: terms.prefix,
      limits: terms.limits,
      say,
    };
    const earlier = await openTasks(office);
    const desks = new Map<string, ClientTasks>();
    const tasksOf = (client: string): ClientTasks => {
      const tasks = desks.get(client) ?? clientTasks(client, earlier.get(client) ?? [], office);
      desks.set(client, tasks);
      return tasks;
    };
    for (const client of earlier.keys()) tasksOf(client);
    const each = (work: (tasks: ClientTasks) => Promise<void>) =>
      Promise.all(
        [...desks.values()].map((tasks) => work(tasks).catch((error: unknown) => say(causeOf(error)))),
      );
    const clock = setInterval(
      () => void each(({ sweep }) => sweep()),
      Math.min(terms.limits.idle, 1) * 60_000,
    );
    clock.unref();
    return {
      served: (client) => {
        const seen = seenBy(all, terms.clients.find(({ name }) => name === client)?.tools);
        const tasks = tasksOf(client);
        return {
          list: () => [...seen.values()].map(({ listing }) => listing),
          call: async (name, given, signal) =>
            seen.get(name)?.call(tasks, given, signal) ?? noTool(name, seen),
        };
      },
      readiness: orchestrator.readiness,
      close: async () => {
        clearInterval(clock);
        await each(({ leave }) => leave());
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
};
