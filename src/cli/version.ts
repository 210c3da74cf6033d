import { readFileSync } from 'node:fs';
import { packageRoot } from '../boundary/own-package.ts';

const isManifest = (value: unknown): value is { readonly version: string } =>
  typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'string';

/** Returns the version of this package. */
export const version = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', packageRoot()), 'utf8'));
  return isManifest(manifest) ? manifest.version : 'unknown';
};
