import type { FactType } from 'agentcharter/machines';
import { describe, expect, it, test } from 'vitest';
import { files, imported, specifiers } from './sources.ts';
import { impureIn, saidIn, type Said } from './syntax.ts';

/** The rooms that know nothing of a task. */
const leaves = 'schema text errors canonical boundary';

/** What each room may import, besides itself. Imports point one way: a line names only rooms of the lines above it. */
const rooms: ReadonlyMap<string, readonly string[]> = new Map(
  `schema:
   machines: schema
   text:
   errors: schema text
   canonical: text errors
   boundary: schema machines text errors canonical
   ports: schema machines errors
   trace: ports
   feedback: ${leaves}
   lineage: ${leaves}
   server: ${leaves}
   verification: ${leaves} machines ports
   stores: ${leaves} ports
   define: ${leaves} machines ports feedback
   streaming: ${leaves} ports define
   approvals: ${leaves} ports define
   evidence: ${leaves} machines feedback define
   origins: ${leaves} machines ports feedback define evidence
   policies: ${leaves} machines ports define origins
   semantics: ${leaves} ports define
   telemetry: ${leaves} ports trace define
   kernel: ${leaves} machines ports feedback define approvals evidence origins
   ledger: ${leaves} machines ports trace verification define approvals evidence origins kernel
   shell: ${leaves} machines ports trace feedback verification stores define streaming approvals evidence origins semantics kernel ledger
   cluster: errors shell
   upgrade: ${leaves} machines ports kernel ledger shell
   mediation: ${leaves} ports define kernel shell
   participants: ${leaves} machines ports feedback kernel shell
   orchestrator: ${leaves} define shell cluster upgrade mediation participants
   guard: ${leaves} machines ports feedback define origins kernel ledger shell orchestrator
   adapters: ${leaves} ports trace feedback server define origins kernel ledger shell guard
   render: ${leaves} lineage
   testing: ${leaves} machines ports feedback stores define kernel ledger shell orchestrator guard render
   inspect: ${leaves} machines ports server define kernel ledger shell render
   console: ${leaves} machines ports feedback lineage server define kernel ledger shell
   gateway: ${leaves} machines ports feedback server stores define policies guard adapters console
   cli: ${leaves} machines ports lineage stores define approvals kernel ledger shell upgrade orchestrator render testing inspect console gateway
   packing: console
   types: machines ports feedback define kernel shell
   index: machines errors ports define kernel shell orchestrator types
   examples:`
    .split('\n')
    .map((line) => line.split(':'))
    .map(([room = '', may = '']) => [room.trim(), may.split(' ').filter((name) => name !== '')]),
);

/** Rooms that use no packages but these. */
const packages = new Map<string, readonly string[]>([
  ['schema', ['zod']],
  ['machines', ['zod', 'xstate']],
  ['kernel', ['zod', 'xstate', 'node:util']],
]);

/** The floors of the house: a folder of the product or below src. Imports point to the floors before. */
const floors = 'schema machines base gates stores optional core guard adapters testing apps packing'.split(
  ' ',
);

const floorOf = (file: string): string => /^(?:src\/)?([^/.]+)/.exec(file)?.[1] ?? file;

/** Returns the room of a file: a folder of a floor that has several, or the floor. */
const roomOf = (file: string): string =>
  /^(?:src\/(?:(?:base|gates|optional|core|apps)\/)?|docs\/(?=examples\/))?([^/.]+)/.exec(file)?.[1] ?? file;

/** Returns whether an import leads from a store to another, or from an adapter to another; stores share two files. */
const isAcross = (from: string, to: string): boolean => {
  const [of, its] = [from, to].map((file) => /^src\/(?:stores|adapters)\/([^/.]+)/.exec(file)?.[1]);
  return roomOf(from) === roomOf(to) && of !== its && !/^src\/stores\/(?:shared|codec)\.ts$/.test(to);
};

const isOffence = (from: string, specifier: string): boolean => {
  const room = roomOf(from);
  if (!specifier.startsWith('.')) return packages.get(room)?.includes(specifier) === false;
  const to = imported(from, specifier);
  return room === roomOf(to) ? isAcross(from, to) : rooms.get(room)?.includes(roomOf(to)) !== true;
};

const offences = (sources: ReadonlyMap<string, string>): readonly string[] =>
  [...sources].flatMap(([file, source]) =>
    specifiers(source).flatMap((specifier) =>
      isOffence(file, specifier) ? [`${file} imports ${specifier}`] : [],
    ),
  );

describe('Imports', () => {
  it('lead from a room only to those that it may import', () => {
    expect(offences(files)).toEqual([]);
  });

  it('point one way: each room may import only rooms that stand above it', () => {
    const order = [...rooms.keys()];
    const upward = [...rooms].filter(([room, may]) =>
      may.some((other) => !order.slice(0, order.indexOf(room)).includes(other)),
    );
    expect(upward).toEqual([]);
  });

  it('point down: a floor imports only the floors below it, and there are at most ten in src', () => {
    const named = [...files.keys()].filter((file) => /^(?:schema|machines|src\/[^/]+)\//.test(file));
    expect([...new Set(named.map(floorOf))].toSorted()).toEqual(floors.toSorted());
    expect(floors.length - 2).toBeLessThanOrEqual(10);
    const upward = named.flatMap((file) =>
      specifiers(files.get(file) ?? '')
        .filter((specifier) => specifier.startsWith('.'))
        .filter(
          (specifier) => floors.indexOf(floorOf(imported(file, specifier))) > floors.indexOf(floorOf(file)),
        )
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(upward).toEqual([]);
  });

  it('were seen, of each room', () => {
    const seen = new Set([...files.keys()].map(roomOf));
    expect([...seen].toSorted()).toEqual([...rooms.keys()].toSorted());
    expect([...files.values()].flatMap(specifiers).length).toBeGreaterThan(4_000);
  });

  test.each([
    ['schema/bridge.ts', '../machines/index.ts'],
    ['schema/bridge.ts', 'xstate'],
    ['machines/gates.ts', '../../src/base/errors.ts'],
    ['machines/gates.ts', 'node:crypto'],
    ['src/base/errors.ts', './canonical/deep-freeze.ts'],
    ['src/base/canonical/unreadable.ts', '../boundary/is-object.ts'],
    ['src/base/define/unknown-members.ts', '../../gates/origins/referable.ts'],
    ['src/base/ports/store.ts', '../../stores/memory.ts'],
    ['src/core/shell/orchestrator.ts', '../../testing/index.ts'],
    ['src/core/shell/orchestrator.ts', '../../index.ts'],
    ['src/core/kernel/step.ts', '../shell/worker.ts'],
    ['src/core/kernel/step.ts', 'uuid'],
    ['src/stores/sqlite.ts', './memory.ts'],
    ['src/stores/memory.ts', '../core/shell/orchestrator.ts'],
    ['src/adapters/mcp/index.ts', '../langchain/index.ts'],
    ['src/testing/index.ts', '../apps/console/index.ts'],
    ['src/core/shell/orchestrator.ts', '../../../test/schema/arbitraries.ts'],
    ['docs/examples/first.ts', '../../src/index.ts'],
  ])('planted the wrong way, from %s to %s, are caught', (file, specifier) => {
    expect(offences(new Map([[file, `import { planted } from '${specifier}';`]]))).toEqual([
      `${file} imports ${specifier}`,
    ]);
  });

  test.each([
    ['machines/gates.ts', './owed.ts'],
    ['src/core/shell/orchestrator.ts', '../../gates/evidence/gate.ts'],
    ['src/stores/sqlite.ts', '../base/ports/store.ts'],
    ['src/stores/sqlite/write.ts', './driver.ts'],
    ['src/apps/cli/main.ts', '../../testing/index.ts'],
    ['docs/examples/first.ts', 'agentcharter/testing'],
  ])('planted the right way, from %s to %s, are let through', (file, specifier) => {
    expect(offences(new Map([[file, `import('${specifier}')`]]))).toEqual([]);
  });
});

describe('The machines and the kernel', () => {
  it('wait for nothing, tell no time and draw no number', () => {
    const pure = [...files].filter(([file]) => /^(?:machines|src\/core\/kernel)\//.test(file));
    expect(pure.length).toBeGreaterThan(20);
    expect(pure.flatMap(([file, source]) => impureIn(file, source))).toEqual([]);
  });

  test.each([
    ['async', 'const f = async () => {};'],
    ['async', 'class One { async f() {} }'],
    ['await', 'export const f = await g;'],
    ['for await', 'async () => { for await (const one of all) f(one); };'],
    ['Promise', 'type Later = Promise<string>;'],
    ['Promise', 'Promise.resolve();'],
    ['Date.now', 'Date.now();'],
    ['Date()', 'new Date();'],
    ['performance', 'performance.now();'],
    ['setTimeout', 'setTimeout(f, 1);'],
    ['Math.random', 'Math.random();'],
    ['randomUUID', "import { randomUUID } from 'node:crypto';"],
    ['crypto', 'crypto.subtle;'],
  ])('are seen to use a planted %s: %s', (what, source) => {
    expect(impureIn('one.ts', `\n${source}`)).toContain(`one.ts:2 ${what}`);
  });

  it('may use the same words for other things', () => {
    const source = `const duty = { await: 1, setTimeout: 2 };
      duty.await + duty.setTimeout; // await Promise
      type Later = PromiseLike<{ performance: 'Promise' }>;
      new Date(0).getTime();`;
    expect(impureIn('one.ts', source)).toEqual([]);
  });
});

/** Returns how a performer reaches what records: it looks at a task, and states what is to be recorded. */
const recordersIn = (sources: ReadonlyMap<string, string>): readonly string[] =>
  [...sources].flatMap(([file, source]) =>
    file.startsWith('src/core/shell/duties/')
      ? specifiers(source).filter((specifier) => /\/(?:task|steps|task-cache)\.ts$/.test(specifier))
      : [],
  );

describe('A performer', () => {
  it('never sees the task, nor what records its steps', () => {
    expect([...files.keys()].filter((file) => file.startsWith('src/core/shell/duties/'))).not.toEqual([]);
    expect(recordersIn(files)).toEqual([]);
  });

  it('is seen if it does', () => {
    const planted = "import type { Task } from '../task.ts';";
    expect(recordersIn(new Map([['src/core/shell/duties/planted.ts', planted]]))).toEqual(['../task.ts']);
  });
});

const product = [...files].filter(([file]) => !file.startsWith('docs/'));
const said = new Map(product.map(([file, source]) => [file, saidIn(file, source)]));

/** A number for each file; what a budget limits is their sum. */
type Count = (said: Said, source: string) => number;

const countedIn = (place: RegExp, count: Count): ReadonlyMap<string, number> =>
  new Map(
    product.flatMap(([file, source]) => {
      const number = place.test(file) ? count(said.get(file)!, source) : 0;
      return number === 0 ? [] : [[file, number] as const];
    }),
  );

const sumOf = (counted: ReadonlyMap<string, number>): number =>
  [...counted.values()].reduce((sum, number) => sum + number, 0);

const linesIn = (place: RegExp): ReadonlyMap<string, number> =>
  countedIn(place, (_, source) => source.split('\n').length - 1);

/** The files of the product for which something holds. */
const filesWhere = (holds: (said: Said) => boolean): ReadonlyMap<string, number> =>
  countedIn(/^/, (one) => Number(holds(one)));

/** The files that name something: in an identifier, such as `held` in `isHeld`, or as a text that is nothing else. */
const filesNaming = (word: string): ReadonlyMap<string, number> => {
  const within = new RegExp(`(?:^${word}|${word[0]?.toUpperCase()}${word.slice(1)})(?![a-z])`);
  return filesWhere(({ names, texts }) => texts.has(word) || [...names].some((name) => within.test(name)));
};

/** Facts of four families. */
const someFacts: readonly FactType[] = [
  'call.cleared',
  'recovery.started',
  'followup.offered',
  'taskClass.changed',
];

/** Of these facts, the one that most files name. */
const filesNamingAFact = (): ReadonlyMap<string, number> =>
  someFacts
    .map((fact) => filesWhere(({ texts }) => texts.has(fact)))
    .reduce((most, counted) => (counted.size > most.size ? counted : most));

interface Budget {
  readonly thing: string;
  readonly most: number;
  readonly counted: ReadonlyMap<string, number>;
}

/** To raise a number is a decision: its record says what a user gets for it. To lower one needs none. */
const budgets: readonly Budget[] = [
  { thing: 'lines of machines', most: 4_782, counted: linesIn(/^machines\//) },
  { thing: 'lines of the kernel', most: 4_298, counted: linesIn(/^src\/core\/kernel\//) },
  { thing: 'files of the kernel', most: 30, counted: countedIn(/^src\/core\/kernel\//, () => 1) },
  { thing: 'lines of the shell', most: 13_624, counted: linesIn(/^src\/core\/shell\//) },
  { thing: 'lines of the product', most: 91_175, counted: linesIn(/^/) },
  {
    thing: 'optional members of object types',
    most: 803,
    counted: countedIn(/^(?:src|machines)\//, ({ optional }) => optional),
  },
  {
    thing: 'conditional spreads',
    most: 414,
    counted: countedIn(/^(?:src|machines)\//, (one) => one.conditional),
  },
  { thing: 'files that name one fact', most: 9, counted: filesNamingAFact() },
  { thing: 'files that name origins', most: 26, counted: filesNaming('origins') },
  { thing: 'files that name labels', most: 31, counted: filesNaming('labels') },
  { thing: 'files that name a fence', most: 28, counted: filesNaming('fence') },
  {
    thing: 'files that name the carry-over',
    most: 24,
    counted: filesWhere(({ names }) => [...names].some((name) => /carried|carryOver|upgrade/i.test(name))),
  },
  { thing: 'files that name a mapping', most: 12, counted: filesNaming('mapping') },
  { thing: 'files that name a doubt', most: 55, counted: filesNaming('doubt') },
  { thing: 'files that name what is held', most: 80, counted: filesNaming('held') },
  { thing: 'files that name consumed approvals', most: 11, counted: filesNaming('consumedApprovals') },
  { thing: 'files that name the state of an agent', most: 11, counted: filesNaming('agentState') },
];

/** Returns why a budget is exceeded, with the files that count most; `null` if it is kept. */
const excess = ({ thing, most, counted }: Budget): string | null => {
  const sum = sumOf(counted);
  if (sum <= most) return null;
  const first = [...counted].toSorted(([, one], [, other]) => other - one).slice(0, 60);
  const rest = counted.size > first.length ? `\n  and ${counted.size - first.length} more` : '';
  return `${thing}: ${sum}, budget ${most}\n${first.map(([file, number]) => `  ${number} ${file}`).join('\n')}${rest}`;
};

describe('The house keeps its budget of', () => {
  test.each(budgets.map((budget) => [budget.thing, budget] as const))('%s', (_, budget) => {
    expect(excess(budget)).toBeNull();
  });

  test('each thing: a file more, or a line, is caught by name', () => {
    for (const budget of budgets) {
      const sum = sumOf(budget.counted);
      expect(sum).toBeGreaterThan(0); // what is gone needs no budget
      expect(excess({ ...budget, most: sum - 1 })).toContain(`${budget.thing}: ${sum}, budget ${sum - 1}`);
    }
  });
});
