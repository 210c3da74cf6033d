import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mentionedByRoot } from './mentioned.ts';
import { readEntries } from './names.ts';
import { entryPage, fileOf, indexPage } from './pages.ts';

const entries = readEntries();
const folder = new URL('../../../docs/api/', import.meta.url).pathname;

describe('docs/api', () => {
  it.each(entries)('has a page for $path', async (entry) => {
    await expect(entryPage(entry)).toMatchFileSnapshot(folder + fileOf(entry.path));
  });

  it('has an index, and no other page', async () => {
    await expect(indexPage(entries)).toMatchFileSnapshot(`${folder}README.md`);
    const files = ['README.md', ...entries.map(({ path }) => fileOf(path))];
    expect(readdirSync(folder).toSorted()).toEqual(files.toSorted());
  });

  it('counts at most 50 names at the root, types included: a name that one subpath explains is exported there', () => {
    const root = entries.find(({ path }) => path === 'agentcharter');
    const names = root?.names.map(({ name }) => name).toSorted() ?? [];
    expect(names.slice(50)).toEqual([]);
    expect(names).toContain('createOrchestrator');
    expect(names).toContain('Orchestrator');
  });

  it('exports from some path every type that the declarations of the root mention', () => {
    const mentioned = [...mentionedByRoot()];
    expect(mentioned.length).toBeGreaterThan(100);
    expect(mentioned.filter(([, isExported]) => !isExported)).toEqual([]);
  });

  it('describes every public name, and shows its declaration', () => {
    const names = entries.flatMap(({ path, names }) => names.map((name) => ({ path, ...name })));
    expect(names.length).toBeGreaterThan(300);
    const silent = names.filter(({ comment, code }) => comment === '' || code === '');
    expect(silent.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
  });
});
