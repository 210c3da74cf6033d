import { dirname, join, resolve } from 'node:path';
import type { RequirementsDefinition } from '../../base/define/evidence.ts';
import { defineTaskClass } from '../../base/define/task-class.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { BlobStore } from '../../base/ports/blobs.ts';
import type { Store } from '../../base/ports/store.ts';
import { sqliteBlobs, sqliteStore } from '../../stores/sqlite.ts';
import { bindPinned } from './bound-server.ts';
import { innerServer, type Surroundings } from './inner-server.ts';
import { policyFor, readPolicy } from './policy.ts';
import { readPins } from './pins.ts';
import { readCharter, type Charter } from './read-charter.ts';

/** The task class of calls that belong to no task of the client's own. */
export const session = 'session';
/** The task class of what a client began. */
export const task = 'task';

/** Returns the folder of the records of a gateway. */
export const folderOf = ({ file, terms }: Charter): string => resolve(dirname(file), terms.store);

const tasksAt = (folder: string): string => join(folder, 'tasks.db');

/** Returns the store of the tasks. */
export const tasksIn = (charter: Charter): string => tasksAt(folderOf(charter));

export const pinsIn = (charter: Charter): string => join(folderOf(charter), 'pins.json');

/** What decides, and whether it stops nothing. */
type Mode = Pick<Surroundings, 'isShadow' | 'policy' | 'clock' | 'say'>;

/** Where the records of a gateway are. */
export interface Records {
  readonly store: Store;
  readonly blobs: BlobStore;
}

const storeIn = (folder: string): Store => sqliteStore(tasksAt(folder));

export const recordsIn = (folder: string): Records => ({
  store: storeIn(folder),
  blobs: sqliteBlobs(join(folder, 'blobs.db')),
});

const day = 86_400_000;

const taskClassesOf = (
  { terms: { limits, beforeDeliver } }: Charter,
  tools: readonly string[],
  { isShadow }: Pick<Surroundings, 'isShadow'>,
) => {
  const most = limits.calls * 10; // no other task begins where one that the client began is full
  const shared = {
    tools,
    limits: {
      calls: most,
      rounds: most,
      modelCalls: most,
      pauses: most,
      failures: most,
      repairs: 20,
      corrections: 20,
    },
    // in the shadow the policy approves high-risk writes, in a name of its own; what began so is not approved so later
    authorities: isShadow ? (['human', 'system'] as const) : (['human'] as const),
    deadlines: { host: 8 * day }, // longer than a question may be open
    defaults: { approval: 'refuse' as const }, // a write that no one approves is not made; the others stay
  };
  return [
    defineTaskClass({ id: session, ...shared }),
    // the same schema read it
    defineTaskClass({ id: task, ...shared, beforeDeliver: beforeDeliver as RequirementsDefinition }),
  ];
};

/** Returns what a guard, or a guest of its store, takes from a file. */
export const optionsFor = (charter: Charter, tools: readonly Tool[], store: Store, mode: Mode) => ({
  tools,
  taskClasses: taskClassesOf(
    charter,
    tools.map(({ name }) => name),
    mode,
  ),
  policy: policyFor(charter, tools, mode),
  store,
  mayRespond: (person: string) => charter.terms.people.includes(person),
});

/** Returns the options of a guest of a gateway's store, such as `agentcharter decide`. It starts no server. */
export const guestOptionsOf = async (file: string, time: Pick<Surroundings, 'clock' | 'ids'>) => {
  const charter = await readCharter(file);
  const pins = await readPins(pinsIn(charter));
  const policy = await readPolicy(charter);
  const around = { charter, variables: {}, say: () => {}, isShadow: false, policy, ...time };
  const servers = Object.entries(charter.terms.servers).map(([name, terms]) =>
    innerServer(name, terms, around),
  );
  const exposed = await Promise.all(servers.map((server) => bindPinned(server, charter, pins)));
  return optionsFor(
    charter,
    exposed.flat().map(({ tool }) => tool),
    storeIn(folderOf(charter)),
    around,
  );
};
