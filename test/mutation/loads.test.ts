import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mutatedAreas } from './areas.ts';

const root = new URL('../../', import.meta.url);

const filesOf = (code: string): readonly string[] =>
  code.endsWith('.ts')
    ? [code]
    : readdirSync(new URL(code, root), { recursive: true })
        .map((file) => `${code}/${String(file)}`)
        .filter((file) => file.endsWith('.ts'));

const files = mutatedAreas.flatMap(({ code }) => code.flatMap(filesOf));

// A mutant that breaks a module as it loads leaves no test to run, and Stryker would call it a survivor.
describe('The code that is mutated', () => {
  test('is there', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(mutatedAreas.length).toBeGreaterThan(0);
  });

  test.for(files)('loads: %s', async (file) => {
    expect(Object.keys(await import(new URL(file, root).href))).not.toEqual([]);
  });
});
