import { readFileSync } from 'node:fs';

const isManifest = (value: unknown): value is { readonly version: string } =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  value.name === 'agentcharter' &&
  'version' in value &&
  typeof value.version === 'string';

/** Returns the version of this package. The package root is above `src`, or above `dist` if built. */
export const version = (): string => {
  for (const above of ['../../package.json', '../../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(above, import.meta.url), 'utf8'));
      if (isManifest(manifest)) return manifest.version;
    } catch {
      // try the other place
    }
  }
  return 'unknown';
};
