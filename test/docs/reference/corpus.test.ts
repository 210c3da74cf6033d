import { beforeAll, describe, expect, test } from 'vitest';
import { bindings } from '../../src/adapters/corpus/bindings.ts';
import { bindingNames, type BindingName } from '../../src/adapters/corpus/entry.ts';
import { corpus } from '../../src/adapters/corpus/index.ts';
import { playAll, type Findings } from '../../src/adapters/corpus/run.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { corpusPage } from './corpus.ts';
import { rowsIn } from './markdown.ts';

const found = new Map<BindingName, ReadonlyMap<string, Findings>>();

describe.each(bindings)('$name', (binding) => {
  beforeAll(async () => {
    found.set(binding.name, await playAll(binding, corpus));
  });

  const tried = corpus.filter(({ not }) => not?.[binding.name] === undefined);
  test.each(tried)('reads back $id', ({ id, notYet }) => {
    const findings = found.get(binding.name)?.get(id);
    if (notYet?.[binding.name] === undefined) expect(findings).toEqual([]);
    else expect(findings, 'what is right is no known limit').not.toEqual([]);
  });
});

describe('The corpus', () => {
  test('has entries with an id and an address of their own', () => {
    expect(new Set(corpus.map(({ id }) => id)).size).toBe(corpus.length);
    for (const { address } of corpus) expect(URL.canParse(address)).toBe(true);
  });

  test('goes through every binding that can express an entry, and through more than one', () => {
    expect(bindings.map(({ name }) => name)).toEqual(bindingNames);
    for (const { name } of bindings)
      expect(corpus.filter(({ not }) => not?.[name] === undefined).length).toBeGreaterThan(corpus.length / 2);
  });

  test('is printed as docs/reference/corpus.md', async () => {
    const printed = corpusPage(corpus, found);
    expect(rowsIn(printed)).toBe(corpus.length);
    await expectPrinted('docs/reference/corpus.md', printed);
  });
});

testEveryPageIsPrinted();
