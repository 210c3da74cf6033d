import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const here = new URL('./', import.meta.url);

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(new URL(file, here), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(
    ([, specifier]) => (specifier === undefined ? [] : [specifier]),
  );

/** A file and all that it rests on beside it. */
const reached = (file: string, known: readonly string[] = []): readonly string[] => {
  if (known.includes(file)) return known;
  const beside = importsOf(file).filter((specifier) => specifier.startsWith('./'));
  return beside.reduce<readonly string[]>(
    (seen, specifier) => reached(specifier.slice(2), seen),
    [...known, file],
  );
};

test('the model rests on nothing that it judges, nor on anything else', () => {
  const files = reached('model.ts');
  expect(files.length).toBeGreaterThan(6);
  expect(files).toContain('vocabulary.ts');
  expect(files.flatMap(importsOf).filter((specifier) => !/^\.\/[a-z]+\.ts$/.test(specifier))).toEqual([]);
});
