import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultOf, linksOf } from '../../../docs/links.ts';
import { charter, desk, did, person } from '../gateway/stand.ts';
import { installed, PACKED, ran, root } from './packing.ts';

const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly private?: boolean;
};

/** The files of a folder, each with how many bytes it has. */
const heldIn = async (folder: string): Promise<ReadonlyMap<string, number>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(
        async (file) => [relative(folder, file).replaceAll(sep, '/'), (await stat(file)).size] as const,
      ),
    ),
  );
};

/** The subpaths that load their optional peer when they are imported. */
const wanting = [
  ...['a2a', 'ai-sdk', 'langchain', 'mcp', 'openai-agents'].map((name) => `agentcharter/adapters/${name}`),
  'agentcharter/semantics/shacl',
  'agentcharter/telemetry',
];

describe.runIf(PACKED !== undefined)('The package in an empty folder', () => {
  let above: string;
  let empty: string;
  let tarball: string;
  const npx = (line: string) =>
    ran('npx', ['--offline', '--no', '--', 'agentcharter', ...line.split(' ')], empty);

  beforeAll(async () => {
    ({ above, empty, tarball } = await installed());
  });
  afterAll(() => rm(above, { recursive: true }));

  it('runs the demo by one command, without a key or a network', async () => {
    const { code, stdout, stderr } = await npx('demo');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Using the prepared answers.\n',
    });
    expect(stdout).toContain('Invitations went to rui.tavares@example.org and marta.figueiredo@example.org.');
  });

  it('writes a ledger that it verifies and replays', async () => {
    expect((await npx('demo --out run --json')).code).toBe(0);
    expect((await npx('ledger verify run/invitation.jsonl')).stdout).toContain('intact');
    expect((await npx('ledger replay run/recommendation.jsonl')).stdout).toContain('the same');
  });

  it('checks, explores and renders its own chart', async () => {
    expect((await npx('check task')).stdout).toContain('all hold');
    expect((await npx('render task --format mermaid')).stdout).toContain('stateDiagram-v2');
  });

  it('writes the client for Python', async () => {
    expect(await npx('python client')).toMatchObject({ code: 0, stderr: '' });
    const client = 'src/adapters/http/python/agentcharter.py';
    expect(await readFile(join(empty, 'client/agentcharter.py'), 'utf8')).toBe(
      await readFile(join(root, client), 'utf8'),
    );
  });

  it.each([
    ['demo --store demo.db', 'npm install libsql'],
    ['render task', 'npm install elkjs'],
  ])('names the missing package of %s: %s', async (line, install) => {
    expect(await npx(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(install) });
  });

  it('resolves every subpath to a file, and imports those that need no peer', async () => {
    const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      exports: Record<string, { readonly types: string; readonly default: string } | string>;
    };
    const held = await heldIn(join(empty, 'node_modules/agentcharter'));
    const modules = Object.entries(exports).flatMap(([key, target]) =>
      typeof target === 'string' ? [] : [{ specifier: key.replace('.', 'agentcharter'), ...target }],
    );
    expect(modules.length).toBeGreaterThan(20);
    for (const { types, default: file } of modules)
      expect([...held.keys()]).toEqual(expect.arrayContaining([types.slice(2), file.slice(2)]));
    const lines = modules
      .filter(({ specifier }) => !wanting.includes(specifier))
      .map(({ specifier }) => `await import(${JSON.stringify(specifier)});`);
    const loading = await ran(process.execPath, ['--input-type=module', '-e', lines.join('')], empty);
    expect(loading).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('holds the declarations that its subpaths need, and no others', async () => {
    const folder = join(empty, 'node_modules/agentcharter');
    const held = [...(await heldIn(folder)).keys()].filter((file) => file.endsWith('.d.ts'));
    const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      exports: Record<string, { readonly types?: string } | string>;
    };
    const needed = new Set(
      Object.values(exports).flatMap((target) =>
        typeof target === 'string' ? [] : (target.types?.slice(2) ?? []),
      ),
    );
    for (const file of held)
      for (const [, path = ''] of (await readFile(join(folder, file), 'utf8')).matchAll(
        /\b(?:from |import\()["'](\.[^"']+)\.ts["']/g,
      ))
        needed.add(posix.join(dirname(file), `${path}.d.ts`));
    expect(held.toSorted()).toEqual([...needed].toSorted());
  });

  it('holds its guides and pictures, and none of the sources and tests, in at most 4.16 MB', async () => {
    const held = await heldIn(join(empty, 'node_modules/agentcharter'));
    const files = [...held.keys()];
    for (const file of [
      'dist/src/apps/inspect/task.svg',
      'dist/src/adapters/http/python/agentcharter.py',
      'dist/src/adapters/http/python/pyproject.toml',
      'docs/start.md',
      'docs/embed/guard.md',
      'docs/charts/overview.svg',
    ])
      expect(files).toContain(file);
    expect(
      files.filter((file) => /^(?:src|test|docs\/(?:api|decisions|examples|reference))\//.test(file)),
    ).toEqual([]);
    expect([...held.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(4_160_000);
  });

  it('has in its README and guides no link that leads nowhere', async () => {
    const folder = join(empty, 'node_modules/agentcharter');
    const pages = [...(await heldIn(folder)).keys()].filter((file) => file.endsWith('.md'));
    const links = pages.flatMap((page) => linksOf(folder, page).map((link) => [page, link] as const));
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/recipes.md']));
    expect(links.length).toBeGreaterThan(100);
    expect(
      links.flatMap(([page, link]) => (link.startsWith('https:') ? [] : (faultOf(folder, page, link) ?? []))),
    ).toEqual([]);
  });

  it('has a package.json without what only a clone uses', async () => {
    const text = await readFile(join(empty, 'node_modules/agentcharter/package.json'), 'utf8');
    const { scripts, devDependencies, knip, ...kept } = JSON.parse(
      await readFile(join(root, 'package.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect([scripts, devDependencies, knip].every((member) => member !== undefined)).toBe(true);
    expect(JSON.parse(text)).toEqual(kept);
  });

  it.runIf(manifest.private)(
    'is published neither as a folder nor as a tarball while it is private',
    async () => {
      const nowhere = [
        '--registry=http://127.0.0.1:9/',
        '--//127.0.0.1:9/:_authToken=none',
        '--fetch-retries=0',
      ];
      for (const what of [root, tarball])
        expect(await ran('npm', ['publish', '--ignore-scripts', ...nowhere, what], above)).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('EPRIVATE'),
        });
    },
  );

  it('holds the licences of what its bundles hold', async () => {
    const folder = join(empty, 'node_modules/agentcharter/dist/src/licences');
    const texts = await Promise.all(
      ['uuid.txt', 'preact.txt'].map((name) => readFile(join(folder, name), 'utf8')),
    );
    expect(texts.map((text) => text.includes('Permission is hereby granted'))).toEqual([true, true]);
  });

  it('loads with its root no chart that is only drawn, no file of uuid, and ASCII alone', async () => {
    const loaded = new Map<string, string>();
    const load = async (file: string): Promise<void> => {
      if (loaded.has(file)) return;
      const text = await readFile(file, 'utf8');
      loaded.set(file, text);
      for (const [, specifier = ''] of text.matchAll(/^import [^;]*"(\.[^"]+)";$/gm))
        await load(join(dirname(file), specifier));
    };
    await load(join(empty, 'node_modules/agentcharter/dist/src/index.js'));
    const text = [...loaded.values()].join('');
    expect(text).toContain('// machines/task.ts');
    expect(text).not.toMatch(/^\/\/ machines\/(?:lives|execution)\.ts$/m);
    expect(text).not.toMatch(/^import .*"uuid";$/m);
    expect(text).not.toMatch(/[^\0-\x7f]/);
  });

  it('prints the version of its package', async () => {
    expect((await npx('--version')).stdout).toBe(`${manifest.version}\n`);
  });
});

describe.runIf(PACKED !== undefined)('The package agentcharter-gateway in an empty folder', () => {
  let above: string;
  let empty: string;
  const npx = (...words: readonly string[]) =>
    ran('npx', ['--offline', '--no', '--', 'agentcharter-gateway', ...words], empty);

  beforeAll(async () => {
    ({ above, empty } = await installed([join(root, 'src/packing/gateway')]));
    await copyFile(new URL('../gateway/shop.mjs', import.meta.url), join(empty, 'shop.mjs'));
    await writeFile(join(empty, 'charter.yaml'), charter);
  });
  afterAll(() => rm(above, { recursive: true, maxRetries: 3 }));

  it('holds its program and its manifest alone', async () => {
    const held = await readdir(join(empty, 'node_modules/agentcharter-gateway'));
    expect(held.toSorted()).toEqual(['bin.js', 'package.json']);
  });

  it('checks a file by one command', async () => {
    const { code, stdout, stderr } = await npx('charter.yaml', '--check');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/shop_refund +local +write_high_risk +waits for operator/);
  });

  it('stands between a client and a server, with what was installed beside it', async () => {
    const by = join(empty, 'node_modules/agentcharter-gateway/bin.js');
    const { call, said, leave } = await desk(empty, { by });
    const refund = { order: 'o-7', cents: 500 };
    expect((await call('shop_find_order', { order: 'o-7' })).isError).toBe(false);
    expect((await call('shop_refund', refund)).text).toContain('It waits for operator');
    expect(await did(empty)).toEqual(['found o-7']);
    const { answer } = await person(said);
    expect(await answer({ type: 'approve' })).toBe(200);
    expect((await call('shop_refund', refund)).text).toBe('refunded 500');
    await leave();
    expect(await did(empty)).toEqual(['found o-7', 'refunded o-7 500']);
  });

  it('shows its demo, without a network', async () => {
    const { code, stdout, stderr } = await npx('--demo');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Refunded 500 cents');
    expect(stdout).toContain('It is intact');
  });
});
