import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The layers of the house, lowest first: a file may import from its own layer and from those below. */
const layers: readonly RegExp[] = [
  /^schema\//,
  /^machines\//,
  /^src\/(errors\.ts$|text\/|boundary\/|canonical\/)/,
  /^src\/ports\//,
  /^src\/(?!index\.ts|build\.ts|testing\/|console\/|cli\/)/,
  /^src\/testing\//,
  /^src\/(console\/|cli\/|build\.ts$)/,
  /^src\/index\.ts$/,
  /^docs\/examples\//,
];
const layerOf = (file: string): number => layers.findIndex((layer) => layer.test(file));

/** Layers that use no packages but these. */
const packages: readonly (readonly string[])[] = [['zod'], ['zod', 'xstate']];

const specifiers = (source: string): readonly string[] =>
  [...source.matchAll(/(?:\bfrom|\bimport\(?)\s*'([^']+)'/g)].map(([, specifier]) => specifier ?? '');

/** Two neighbours below one folder, by the first name below it. */
const isSibling = (folder: string, from: string, to: string): boolean => {
  const name = (file: string) => file.slice(folder.length).split(/[/.]/)[0];
  return from.startsWith(folder) && to.startsWith(folder) && name(from) !== name(to);
};

const offence = (from: string, specifier: string): string | null => {
  const wrong = `${from} imports ${specifier}`;
  const layer = layerOf(from);
  if (!specifier.startsWith('.')) return packages[layer]?.includes(specifier) === false ? wrong : null;
  const to = posix.join(posix.dirname(from), specifier);
  if (from.startsWith('docs/')) return to.startsWith('docs/examples/') ? null : wrong;
  const isKnown = layerOf(to) !== -1;
  const isUpward = layerOf(to) > layer;
  const isAcross =
    (isSibling('src/stores/', from, to) && to !== 'src/stores/shared.ts') ||
    isSibling('src/adapters/', from, to) ||
    (from.startsWith('src/stores/') && layerOf(to) === layer && !to.startsWith('src/stores/'));
  return isKnown && !isUpward && !isAcross ? null : wrong;
};

const offences = (files: ReadonlyMap<string, string>): readonly string[] =>
  [...files].flatMap(([file, source]) =>
    specifiers(source).flatMap((specifier) => offence(file, specifier) ?? []),
  );

const files = new Map(
  ['schema', 'machines', 'src', 'docs/examples'].flatMap((folder) =>
    readdirSync(posix.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => posix.join(folder, file))
      .map((file) => [file, readFileSync(posix.join(root, file), 'utf8')] as const),
  ),
);

const runtimeImport = /^(?:import|export)\s+(?!type\b)[^;]*?from\s+'(\.[^']+)'/gms;

/** Every file that loading one loads with it: types are erased, and what is imported at use is not loaded. */
const loadedWith = (entry: string, sources: ReadonlyMap<string, string>): ReadonlySet<string> => {
  const loaded = new Set([entry]);
  for (const file of loaded)
    // a set that grows is walked to its end
    for (const [, specifier = ''] of (sources.get(file) ?? '').matchAll(runtimeImport))
      loaded.add(posix.join(posix.dirname(file), specifier));
  return loaded;
};

const faces = /^src\/(adapters|cli|console|inspect|lineage|render|semantics|server|telemetry|testing)\//;

const packageImport = /^(?:import|export)\s+(?!type\b)[^;]*?from\s+'([^.'][^']*)'/gms;

/** What files load when they are loaded, of what only a server needs. */
const serverLoads = (sources: ReadonlyMap<string, string>): readonly string[] =>
  [...sources].flatMap(([file, source]) =>
    [...source.matchAll(packageImport)].flatMap(([, specifier = '']) =>
      /^(?:node:https?|@?hono)(?:\/|$)/.test(specifier) ? `${file} loads ${specifier}` : [],
    ),
  );

const isPackage = (specifier: string): boolean => /^@?[a-z][\w./-]*$/.test(specifier);

/** The packages that loading a file loads, by name; the modules of Node are none. */
const packagesLoadedWith = (entry: string, sources: ReadonlyMap<string, string>): readonly string[] => {
  const named = [...loadedWith(entry, sources)].flatMap((file) =>
    [...(sources.get(file) ?? '').matchAll(packageImport)].map(([, specifier = '']) => specifier),
  );
  return [...new Set(named.filter(isPackage))].toSorted();
};

/** Every file that a compiler reads to know the types of one: types count, and not what a function body awaits. */
const readWith = (entry: string, sources: ReadonlyMap<string, string>): ReadonlySet<string> => {
  const read = new Set([entry]);
  for (const file of read)
    for (const specifier of specifiers((sources.get(file) ?? '').replaceAll(/\bawait import\(/g, '')))
      if (specifier.startsWith('.')) read.add(posix.join(posix.dirname(file), specifier));
  return read;
};

describe('The root', () => {
  test('loads no console, adapter, renderer or semantics', () => {
    const loaded = [...loadedWith('src/index.ts', files)];
    expect(loaded).toContain('machines/task.ts');
    expect(loaded.filter((file) => faces.test(file))).toEqual([]);
  });

  test('loads three packages: signatures are loaded at the first token, and peers with the subpath that needs them', () => {
    expect(packagesLoadedWith('src/index.ts', files)).toEqual(['uuid', 'xstate', 'zod']);
  });

  test('needs no type of a console, adapter, renderer or semantics, and of packages those that it depends on', () => {
    const read = [...readWith('src/index.ts', files)];
    expect(read.length).toBeGreaterThan([...loadedWith('src/index.ts', files)].length);
    expect(read.filter((file) => faces.test(file))).toEqual([]);
    const packages = read.flatMap((file) => specifiers(files.get(file) ?? '').filter(isPackage));
    expect([...new Set(packages)].toSorted()).toEqual(['uuid', 'xstate', 'zod']);
  });

  test('is seen to load a planted one', () => {
    const planted = new Map([
      ...files,
      ['src/ports/clock.ts', "export { draw } from '../render/draw.ts';"],
      ['src/errors.ts', "import { now } from './ports/clock.ts';\nimport MiniSearch from 'minisearch';"],
    ]);
    expect([...loadedWith('src/index.ts', planted)]).toContain('src/render/draw.ts');
    expect(packagesLoadedWith('src/index.ts', planted)).toContain('minisearch');
  });

  test('is seen to need a planted type', () => {
    const planted = new Map([
      ...files,
      ['src/ports/clock.ts', "export type { Drawing } from '../render/draw.ts';"],
    ]);
    expect([...loadedWith('src/index.ts', planted)]).not.toContain('src/render/draw.ts');
    expect([...readWith('src/index.ts', planted)]).toContain('src/render/draw.ts');
  });
});

describe('A face', () => {
  const served = [...files].filter(([file]) =>
    /^src\/(?:adapters\/http|console|inspect|server)\//.test(file),
  );

  test('loads Hono and the server of Node at use: without them it is imported, and says what is missing', () => {
    expect(serverLoads(new Map(served))).toEqual([]);
    expect(served.length).toBeGreaterThan(20);
  });

  test('is seen to load a planted one', () => {
    const planted = [
      "import { Hono } from 'hono';",
      "import type { Hono } from 'hono';\nimport { createServer } from 'node:http';",
      "export {\n  serve,\n} from '@hono/node-server';",
      "import type { Server } from 'node:http';",
    ];
    expect(serverLoads(new Map(planted.map((source, at) => [`src/server/${at}.ts`, source])))).toEqual([
      'src/server/0.ts loads hono',
      'src/server/1.ts loads node:http',
      'src/server/2.ts loads @hono/node-server',
    ]);
  });
});

describe('Imports', () => {
  test('point one way: schema, machines, ports, the orchestrator and its neighbours, testing, the console', () => {
    expect(offences(files)).toEqual([]);
  });

  test('were seen', () => {
    expect(files.size).toBeGreaterThan(40);
    expect([...files.values()].flatMap(specifiers).length).toBeGreaterThan(100);
    expect([...files.keys()].filter((file) => layerOf(file) === -1)).toEqual([]);
  });

  test.each([
    ['schema/bridge.ts', '../machines/index.ts'],
    ['schema/bridge.ts', 'xstate'],
    ['machines/gates.ts', '../../src/errors.ts'],
    ['machines/gates.ts', 'uuid'],
    ['src/errors.ts', './orchestrator/orchestrator.ts'],
    ['src/ports/store.ts', '../stores/memory.ts'],
    ['src/orchestrator/orchestrator.ts', '../testing/index.ts'],
    ['src/orchestrator/orchestrator.ts', '../index.ts'],
    ['src/stores/sqlite.ts', './memory.ts'],
    ['src/stores/memory.ts', '../orchestrator/orchestrator.ts'],
    ['src/adapters/mcp/index.ts', '../langgraph/index.ts'],
    ['src/testing/index.ts', '../console/index.ts'],
    ['src/orchestrator/orchestrator.ts', '../../test/schema/arbitraries.ts'],
    ['docs/examples/first.ts', '../../src/index.ts'],
  ])('planted the wrong way, from %s to %s, are caught', (file, specifier) => {
    expect(offences(new Map([[file, `import { planted } from '${specifier}';`]]))).toEqual([
      `${file} imports ${specifier}`,
    ]);
  });

  test.each([
    ['machines/gates.ts', './owed.ts'],
    ['src/orchestrator/orchestrator.ts', '../evidence/gate.ts'],
    ['src/stores/sqlite.ts', '../ports/store.ts'],
    ['src/cli/main.ts', '../testing/index.ts'],
    ['docs/examples/first.ts', 'agentcharter/testing'],
  ])('planted the right way, from %s to %s, are let through', (file, specifier) => {
    expect(offences(new Map([[file, `import('${specifier}')`]]))).toEqual([]);
  });
});
