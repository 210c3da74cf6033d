import { readFileSync } from 'node:fs';

const isManifest = (value: unknown): value is { readonly version: string } =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  value.name === 'agentcharter' &&
  'version' in value &&
  typeof value.version === 'string';

/** The version of this package; above us are `src` and, where it is built, `dist`. */
export const version = (): string => {
  for (const above of ['../../package.json', '../../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(above, import.meta.url), 'utf8'));
      if (isManifest(manifest)) return manifest.version;
    } catch {
      // it is not there: the other one is
    }
  }
  return 'unknown';
};
