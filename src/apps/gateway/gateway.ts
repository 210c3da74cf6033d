import { mkdir } from 'node:fs/promises';
import type { JsonObject } from '../../../schema/index.ts';
import { createConsole } from '../console/index.ts';
import { causeOf, CharterError, isCharterError } from '../../base/errors.ts';
import { createGuard } from '../../guard/index.ts';
import type { Clock } from '../../base/ports/clock.ts';
import { acceptWith, bindServer, changedIn, type BoundServer } from './bound-server.ts';
import type { ServerTerms } from './charter-file.ts';
import type { Office } from './open-tasks.ts';
import { openDesks } from './desks.ts';
import { innerServer, type Surroundings } from './inner-server.ts';
import { partsOf } from './names.ts';
import { folderOf, optionsFor, pinsIn, recordsIn } from './options.ts';
import { readPins, writePins } from './pins.ts';
import { oneLine } from '../../base/text/foreign-text.ts';
import type { Reply } from './replies.ts';
import { checkNamed } from './rules.ts';
import type { Asking, Caller } from './seat.ts';
import { checkClashes, offersOf, passedOn, type PassedOn, type Seen } from './passed-on.ts';
import { noTool, seenBy, servedTools, unknownTool, type Listing } from './served-tools.ts';

/** What a client of the gateway may do. */
export interface Served {
  readonly list: () => readonly Listing[];
  readonly call: (name: string, given: JsonObject, caller: Caller) => Promise<Reply | Asking>;
  /** The person who sits at it; `null` for no one. */
  readonly asks: string | null;
  /** Whether it sees what a server passes on besides tools: all, or of the servers that its `tools` name as a whole. */
  readonly seesAllOf: Seen;
}

/** A running gateway. */
export interface Gateway {
  /** Returns what a client of the file sees, by its name. */
  readonly served: (client: string) => Served;
  /** What the servers pass on besides tools. */
  readonly others: PassedOn;
  readonly readiness: ReturnType<typeof createGuard>['orchestrator']['readiness'];
  readonly close: () => Promise<void>;
}

/** The client over stdio of a file that names none. */
export const local = 'local';

/** What people read before a gateway begins whose policy stops nothing. */
const stopsNothing =
  'SHADOW: the policy stops nothing, and writes are made without a person, also high-risk ones. Schemas, limits and flows hold. Start without --shadow to enforce the policy.';

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
    const isDown = (server: string): boolean =>
      made.some((one) => one.server.name === server && one.failure !== null);
    checkNamed(charter, tools, isDown, around.policy);
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

/** Does work each time that so many milliseconds have passed. Returns a function that ends it. */
const repeatedly = (clock: Clock, milliseconds: number, work: () => void): (() => void) => {
  const wait = (): (() => void) =>
    clock.wakeAt(clock.now() + milliseconds, () => {
      cancel = wait();
      work();
    });
  let cancel = wait();
  return () => cancel();
};

const passesOn = (server: ServerTerms | undefined): boolean =>
  server?.resources === true || server?.prompts === true;

/** Starts a gateway: servers, guard, and a console for each person. By default its records are in SQLite. */
export const startGateway = async (around: Surroundings, records = recordsIn): Promise<Gateway> => {
  const { charter, say, isShadow, clock, ids } = around;
  const { terms } = charter;
  if (isShadow) say(stopsNothing);
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
  const changed = changedIn(charter, bound);
  for (const words of changed.values()) say(words);
  const all = servedTools(exposed, unknown, terms.prefix, changed);
  const servers = bound.map(({ server }) => server);
  const running = bound.flatMap(({ server, failure }) => (failure === null ? [server] : []));
  const others = passedOn(charter, servers, say);
  const { store, blobs } = records(folder);
  const guard = createGuard({
    ...optionsFor(charter, tools, store, around),
    clock,
    ids,
    blobs: { store: blobs },
  });
  const { orchestrator } = guard;
  for (const { results } of servers) results.follow(orchestrator);
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
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    checkClashes(
      charter,
      await offersOf(
        running.filter(({ name }) => passesOn(terms.servers[name])),
        say,
      ),
    );
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
        acceptWith: (name) => acceptWith(charter, name),
      },
      owner: terms.owner,
      prefix: terms.prefix,
      limits: terms.limits,
      say,
      isShadow,
      clock,
      ids,
    };
    const desks = await openDesks(office);
    const sweeps = Math.min(terms.limits.idle, 1) * 60_000;
    const cancelSweep = repeatedly(clock, sweeps, () => void desks.sweep());
    return {
      served: (client) => {
        const { tools: only, asks = null } = terms.clients.find(({ name }) => name === client) ?? {};
        const seen = seenBy(all, only);
        return {
          list: () => [...seen.values()].map(({ listing }) => listing),
          call: async (name, given, caller) =>
            seen.get(name)?.call(desks.of({ client, session: caller.session }), given, caller) ??
            noTool(name, seen),
          asks,
          seesAllOf: (server) => only?.includes(`${server}.*`) ?? true,
        };
      },
      others,
      readiness: orchestrator.readiness,
      close: async () => {
        cancelSweep();
        await desks.leave();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
};
