import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program of the machine that some tests need. */
interface Program {
  /** What it is called here. */
  readonly name: string;
  /** Where it is; `null` if it is missing. */
  readonly find: () => string | null;
  /** What brings it to a Debian machine. */
  readonly install: string;
}

/** Other programs are called spin too: each must name itself. */
const named = (name: string, ask: string, says: RegExp, install: string): Program => ({
  name,
  find: () => (says.test(spawnSync(name, [ask], { encoding: 'utf8' }).stdout ?? '') ? name : null),
  install,
});

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** What only the programs of docs/embed/queues.md import: too heavy for every clone. */
const queues = fileURLToPath(new URL('docs/queues', import.meta.url));

/** MCP clients of others: too heavy for every clone. */
const clients = fileURLToPath(new URL('src/apps/gateway/clients', import.meta.url));

const rareNode = fileURLToPath(new URL('rare/node_modules/node-22/bin/node', import.meta.url));

/** Debian keeps the programs of a server of PostgreSQL out of the path. */
const debianServers = '/usr/lib/postgresql';

const serverFolders = (): readonly string[] => [
  ...(existsSync(debianServers) ? readdirSync(debianServers) : [])
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(debianServers, version, 'bin')),
  ...(process.env['PATH'] ?? '').split(delimiter),
];

const programs = {
  spin: named('spin', '-V', /^Spin Version/, 'apt-get install spin'),
  gcc: named('gcc', '--version', /gcc|clang/i, 'apt-get install gcc libc6-dev'),
  python: named('python3', '--version', /^Python 3/, 'apt-get install python3'),
  mypy: named('mypy', '--version', /^mypy /, 'apt-get install mypy'),
  postgres: {
    name: 'PostgreSQL',
    find: () => serverFolders().find((folder) => existsSync(join(folder, 'initdb'))) ?? null,
    install: 'apt-get install postgresql',
  },
  pgbouncer: {
    name: 'PgBouncer',
    find: () =>
      [...serverFolders(), '/usr/sbin']
        .map((folder) => join(folder, 'pgbouncer'))
        .find((path) => existsSync(path)) ?? null,
    install: 'apt-get install pgbouncer',
  },
  chromium: {
    name: 'Chromium',
    find: () => browsers.find((path) => existsSync(path)) ?? null,
    install: 'apt-get install chromium',
  },
  queues: {
    name: 'the packages of test/docs/queues',
    find: () => (existsSync(join(queues, 'node_modules/@temporalio')) ? queues : null),
    install: 'npm ci --prefix test/docs/queues',
  },
  clients: {
    name: 'the packages of test/src/apps/gateway/clients',
    find: () => (existsSync(join(clients, 'node_modules/@ai-sdk/mcp')) ? clients : null),
    install: 'npm ci --prefix test/src/apps/gateway/clients --ignore-scripts',
  },
  node22: {
    name: 'Node.js 22',
    find: () => {
      if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath;
      return existsSync(rareNode) ? rareNode : null;
    },
    install: 'npm ci --prefix test/rare',
  },
} as const satisfies Readonly<Record<string, Program>>;

/** What a test may need of its machine. */
export type Need = keyof typeof programs;

/** Where a program is; `null` if it is missing. */
export const whereIs = (need: Need): string | null => programs[need].find();

/** What is missing of the machine, and how to get it, in one line; `null` if nothing is. */
export const missingOf = (
  needs: readonly Need[],
  find: (need: Need) => string | null = whereIs,
): string | null => {
  const missing = needs.filter((need) => find(need) === null).map((need) => programs[need]);
  if (missing.length === 0) return null;
  const names = missing.map(({ name }) => name).join(' and ');
  return `${names} missing: ${missing.map(({ install }) => install).join(' && ')}`;
};

/**
 * Why tests that need something of the machine are skipped, for `describe.skipIf(reason !== null)`; `null` if they run.
 *
 * Says the reason on the console. With `CI` set nothing is skipped: it throws, so that the test file fails.
 */
export const skipWithout = (
  needs: readonly Need[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  find: (need: Need) => string | null = whereIs,
): string | null => {
  const missing = missingOf(needs, find);
  if (missing === null) return null;
  if ((env['CI'] ?? '') !== '') throw new Error(`With CI set no test is skipped. ${missing}`);
  console.log(`Tests are skipped. ${missing}`);
  return missing;
};
