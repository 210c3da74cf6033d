import { dirname, join, resolve } from 'node:path';
import type { RequirementsDefinition } from '../../base/define/evidence.ts';
import { defineTaskClass } from '../../base/define/task-class.ts';
import { tablePolicy } from '../../gates/policies/index.ts';
import type { Tool } from '../../base/ports/tool.ts';
import { sqliteStore } from '../../stores/sqlite.ts';
import { bindPinned } from './bound-server.ts';
import { innerServer } from './inner-server.ts';
import { readPins } from './pins.ts';
import { readCharter, type Charter } from './read-charter.ts';
import { rulesFor } from './rules.ts';

/** The task class of calls that belong to no task of the client's own. */
export const session = 'session';
/** The task class of what a client began. */
export const task = 'task';

/** Returns the folder of the records of a gateway. */
export const folderOf = ({ file, terms }: Charter): string => resolve(dirname(file), terms.store);

export const pinsIn = (charter: Charter): string => join(folderOf(charter), 'pins.json');

const day = 86_400_000;

const taskClassesOf = ({ terms: { limits, beforeDeliver } }: Charter, tools: readonly string[]) => {
  const most = limits.calls * 2;
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
export const optionsFor = (charter: Charter, tools: readonly Tool[]) => ({
  tools,
  taskClasses: taskClassesOf(
    charter,
    tools.map(({ name }) => name),
  ),
  policy: tablePolicy({ rules: rulesFor(charter, tools) }),
  store: sqliteStore(join(folderOf(charter), 'tasks.db')),
  mayRespond: (person: string) => charter.terms.people.includes(person),
});

/** Returns the options of a guest of a gateway's store, such as `agentcharter decide`. It starts no server. */
export const guestOptionsOf = async (file: string) => {
  const charter = await readCharter(file);
  const pins = await readPins(pinsIn(charter));
  const around = { charter, variables: {}, say: () => {} };
  const servers = Object.entries(charter.terms.servers).map(([name, terms]) =>
    innerServer(name, terms, around),
  );
  const exposed = await Promise.all(servers.map((server) => bindPinned(server, charter, pins)));
  return optionsFor(
    charter,
    exposed.flat().map(({ tool }) => tool),
  );
};
