import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'rolldown';
import { bundlePage } from '../apps/console/page/bundle.ts';

const top = new URL('../../', import.meta.url);
const dist = new URL('dist/', top);
const sourceOf = (path: string): string => fileURLToPath(new URL(`${path}.ts`, top));

interface EntryPoint {
  readonly types: string;
  readonly default: string;
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | EntryPoint>>;
  readonly bin: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(await readFile(new URL('package.json', top), 'utf8')) as Manifest; // our own
const modules = Object.values(manifest.exports).filter((target) => typeof target !== 'string');

/** Programs that a command starts. */
const programs = ['./dist/src/apps/cli/demo/servers.js'];

/** Returns the source files of the entry points, by the path of their built file below `dist`. */
const entryPoints = (): Record<string, string> => {
  const files = [...modules.map((module) => module.default), ...Object.values(manifest.bin), ...programs];
  const paths = files.map((file) => file.replace(/^\.\/dist\/(.*)\.js$/, '$1'));
  return Object.fromEntries(paths.map((path) => [path, sourceOf(path)]));
};

const options = {
  platform: 'node',
  external: (id) => !/^(?:[./]|@oxc-project\/runtime)/.test(id), // every package but the helpers of the target
  transform: { target: 'node20.19' },
  optimization: { inlineConst: false }, // a file of constants would be in no list of the files of a chunk
  preserveEntrySignatures: 'allow-extension', // groups that leave dependencies to other chunks need it
} satisfies BuildOptions;

/** Returns the files that `import 'agentcharter'` loads. */
const filesOfRoot = async (): Promise<ReadonlySet<string>> => {
  const { output } = await build({ ...options, input: sourceOf('src/index'), write: false });
  const chunks = output.filter((file) => file.type === 'chunk');
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of loaded)
    // a set that grows is walked to its end
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk);
  return new Set([...loaded].flatMap(({ moduleIds }) => moduleIds));
};

/** Returns whether the bundle leaves an import to Node. The root holds `uuid`: its 24 files cost more than its code. */
const externalTo =
  (root: ReadonlySet<string>) =>
  (id: string, importer: string | undefined): boolean =>
    options.external(id) && !(id === 'uuid' && importer !== undefined && root.has(importer));

/** Bundles the modules: to find and open each file takes longer than to run it. */
const buildModules = async (): Promise<void> => {
  const root = await filesOfRoot();
  await build({
    ...options,
    external: externalTo(root),
    input: entryPoints(),
    output: {
      dir: fileURLToPath(dist),
      entryFileNames: '[name].js',
      chunkFileNames: 'src/chunks/[name]-[hash].js',
      comments: { jsdoc: false },
      charset: 'ascii', // one character beyond it doubles what the text of a file takes in memory
      codeSplitting: {
        includeDependenciesRecursively: false, // of `machines/index.ts`, the root needs a part
        groups: [
          { name: 'schema', test: (id) => root.has(id) && id.includes('/schema/'), priority: 2 },
          { name: 'machines', test: (id) => root.has(id) && id.includes('/machines/'), priority: 1 },
          { name: 'root', test: (id) => root.has(id) || id.includes('/node_modules/uuid/') },
        ],
      },
    },
  });
};

/** Removes the declaration files that no entry point needs: `exports` lets no one import them. */
const removeDeclarations = async (): Promise<void> => {
  const needed = new Set(modules.map(({ types }) => new URL(types, top).href));
  for (const file of needed)
    // a set that grows is walked to its end
    for (const [, path = ''] of (await readFile(new URL(file), 'utf8')).matchAll(/["'](\.[^"']+)\.ts["']/g))
      needed.add(new URL(`${path}.d.ts`, file).href);
  for (const path of await readdir(dist, { recursive: true })) {
    const file = new URL(path, dist);
    if (path.endsWith('.d.ts') && !needed.has(file.href)) await rm(file);
  }
};

/** Builds the console's page. */
const buildPage = async (): Promise<void> => {
  const folder = new URL('src/apps/console/', dist);
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(await bundlePage())) await writeFile(new URL(name, folder), text);
};

/** Copies the inspector's pictures. */
const copyPictures = async (): Promise<void> => {
  const folder = new URL('src/apps/inspect/', dist);
  await mkdir(folder, { recursive: true });
  for (const name of ['task.svg', 'execution.svg'])
    await copyFile(new URL(`docs/charts/${name}`, top), new URL(name, folder));
};

/** Copies the client for Python. */
const copyPython = async (): Promise<void> => {
  const folder = new URL('src/adapters/http/python/', dist);
  await mkdir(folder, { recursive: true });
  for (const name of ['agentcharter.py', 'pyproject.toml'])
    await copyFile(new URL(`src/adapters/http/python/${name}`, top), new URL(name, folder));
};

/** Copies the licences of the packages whose code is in the bundles. */
const copyLicences = async (): Promise<void> => {
  const folder = new URL('src/licences/', dist);
  await mkdir(folder, { recursive: true });
  for (const [name, file] of Object.entries({ uuid: 'LICENSE.md', preact: 'LICENSE' }))
    await copyFile(new URL(`node_modules/${name}/${file}`, top), new URL(`${name}.txt`, folder));
};

await removeDeclarations();
await buildModules();
await buildPage();
await copyPictures();
await copyPython();
await copyLicences();
