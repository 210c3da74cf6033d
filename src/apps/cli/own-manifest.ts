import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageRoot } from '../../base/boundary/own-package.ts';

const manifest = z.object({ version: z.string(), homepage: z.string().optional() });

/** Returns what `package.json` of this package says of its version and its address; little of a bundle without one. */
export const ownManifest = (): z.infer<typeof manifest> => {
  try {
    return manifest.parse(JSON.parse(readFileSync(new URL('package.json', packageRoot()), 'utf8')));
  } catch {
    return { version: 'unknown' };
  }
};
