import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundlePage } from './bundle.ts';

/** Where the built console looks for its page: beside itself. */
const folder = fileURLToPath(new URL('../../../dist/src/console/', import.meta.url));

await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(await bundlePage())) await writeFile(`${folder}${name}`, text);
