import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packedManifest, packedPage, type Manifest } from './packed.ts';

// npm packs the files of the folder: for its time they are as the tarball shall have them, and what they were is here.
const top = fileURLToPath(new URL('../../', import.meta.url));
const originals = join(top, '.packing');

const restore = async (): Promise<void> => {
  if (!existsSync(originals)) return;
  await cp(originals, top, { recursive: true });
  await rm(originals, { recursive: true });
};

const pagesOf = async (entry: string): Promise<readonly string[]> => {
  if (!(await stat(join(top, entry))).isDirectory()) return entry.endsWith('.md') ? [entry] : [];
  const files = await readdir(join(top, entry), { recursive: true });
  return files.filter((file) => file.endsWith('.md')).map((file) => join(entry, file));
};

const rewrite = async (file: string, change: (text: string) => string): Promise<void> => {
  const text = await readFile(join(top, file), 'utf8');
  await mkdir(dirname(join(originals, file)), { recursive: true });
  await cp(join(top, file), join(originals, file));
  await writeFile(join(top, file), change(text));
};

const prepare = async (): Promise<void> => {
  const manifest = JSON.parse(await readFile(join(top, 'package.json'), 'utf8')) as Manifest; // our own
  for (const page of ['README.md', ...(await Promise.all(manifest.files.map(pagesOf))).flat()])
    await rewrite(page, (text) => packedPage(page, text, manifest));
  await rewrite('package.json', packedManifest);
};

await restore();
if (!process.argv.includes('--restore'))
  await prepare().catch(async (error: unknown) => {
    await restore();
    throw error;
  });
