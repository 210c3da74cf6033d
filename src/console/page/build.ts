import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { bundlePage } from './bundle.ts';

const top = new URL('../../../', import.meta.url);
const built = new URL('dist/src/', top);

/** The folder of the built page, beside the built console. */
const page = new URL('console/', built);
await mkdir(page, { recursive: true });
for (const [name, text] of Object.entries(await bundlePage())) await writeFile(new URL(name, page), text);

/** The folder of the built chart pictures, beside the built inspector. */
const pictures = new URL('inspect/', built);
await mkdir(pictures, { recursive: true });
for (const name of ['task.svg', 'execution.svg'])
  await copyFile(new URL(`docs/charts/${name}`, top), new URL(name, pictures));
