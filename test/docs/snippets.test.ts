import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleText, programsIn, tryOut, type Tried } from './programs.ts';

const docs = new URL('../../docs/', import.meta.url);
const pages = ['', 'embed/'].flatMap(
  (folder) =>
    readdirSync(new URL(folder, docs))
      .map((file) => folder + file)
      .filter((page) => page.endsWith('.md') && page !== 'embed/python.md'), // its programs are in python.test.ts
);
const programs = pages.flatMap((page) =>
  programsIn(page, readFileSync(new URL(page, docs), 'utf8')).map((program) => ({ page, ...program })),
);

describe('The programs in the documents', () => {
  let tried: Tried;
  beforeAll(async () => {
    tried = await tryOut(programs);
  });

  it('exist on the first page, in the concepts, in the recipes, and for each way to embed', () => {
    const shown = new Set(programs.map(({ page }) => page));
    const wanted = [
      'start.md',
      'concepts.md',
      'recipes.md',
      ...pages.filter((page) => page.startsWith('embed/')),
    ];
    expect(wanted.filter((page) => !shown.has(page))).toEqual([]);
    expect(wanted.length).toBeGreaterThan(11);
  });

  it('compile as a reader would compile them', () => {
    expect(tried.faults).toBe('');
  });

  it('print nothing on stderr', () => {
    expect(tried.stderr).toBe('');
  });

  it.each(programs)('$name prints the output on $page', ({ name, blocks, prints }) => {
    const printed = prints.length === 0 ? [blocks.map(() => '')] : prints;
    expect(tried.printed.get(name)).toEqual(printed);
  });

  it.each(programs.flatMap(({ page, file, blocks }) => (file === null ? [] : [{ page, file, blocks }])))(
    '$page quotes docs/examples/$file unchanged',
    async ({ file, blocks }) => {
      expect(blocks).toEqual([await exampleText(file)]);
    },
  );
});
