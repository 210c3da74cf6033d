import { describe, expect, test } from 'vitest';
import { files, imported, specifiers } from './sources.ts';

const runtimeImport = /^(?:import|export)\s+(?!type\b)[^;]*?from\s+'(\.[^']+)'/gms;

/** Every file that loading one loads with it: types are erased, and what is imported at use is not loaded. */
const loadedWith = (entry: string, sources: ReadonlyMap<string, string>): ReadonlySet<string> => {
  const loaded = new Set([entry]);
  for (const file of loaded)
    // a set that grows is walked to its end
    for (const [, specifier = ''] of (sources.get(file) ?? '').matchAll(runtimeImport))
      loaded.add(imported(file, specifier));
  return loaded;
};

const faces = /^src\/(adapters|apps|testing|optional\/(?:lineage|render|semantics|server|telemetry))\//;

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
      if (specifier.startsWith('.')) read.add(imported(file, specifier));
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
      ['src/base/ports/clock.ts', "export { draw } from '../../optional/render/draw.ts';"],
      ['src/base/errors.ts', "import { now } from './ports/clock.ts';\nimport MiniSearch from 'minisearch';"],
    ]);
    expect([...loadedWith('src/index.ts', planted)]).toContain('src/optional/render/draw.ts');
    expect(packagesLoadedWith('src/index.ts', planted)).toContain('minisearch');
  });

  test('is seen to need a planted type', () => {
    const planted = new Map([
      ...files,
      ['src/base/ports/clock.ts', "export type { Drawing } from '../../optional/render/draw.ts';"],
    ]);
    expect([...loadedWith('src/index.ts', planted)]).not.toContain('src/optional/render/draw.ts');
    expect([...readWith('src/index.ts', planted)]).toContain('src/optional/render/draw.ts');
  });
});

describe('A face', () => {
  const served = [...files].filter(([file]) =>
    /^src\/(?:adapters\/http|apps\/(?:console|inspect)|optional\/server)\//.test(file),
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
    expect(
      serverLoads(new Map(planted.map((source, at) => [`src/optional/server/${at}.ts`, source]))),
    ).toEqual([
      'src/optional/server/0.ts loads hono',
      'src/optional/server/1.ts loads node:http',
      'src/optional/server/2.ts loads @hono/node-server',
    ]);
  });
});
