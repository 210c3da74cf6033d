import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The text of each file of the product and of its examples, by its path. */
export const files: ReadonlyMap<string, string> = new Map(
  ['schema', 'machines', 'src', 'docs/examples'].flatMap((folder) =>
    readdirSync(posix.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => posix.join(folder, file))
      .map((file) => [file, readFileSync(posix.join(root, file), 'utf8')] as const),
  ),
);

/** Returns what a source imports, as it is written. */
export const specifiers = (source: string): readonly string[] =>
  [...source.matchAll(/(?:(?<!')\bfrom|\bimport\(?)\s*'([^']+)'/g)].map(([, specifier]) => specifier ?? '');

/** Returns the file that a relative import of another one names. */
export const imported = (from: string, specifier: string): string =>
  posix.join(posix.dirname(from), specifier);
