import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { skipWithout } from '../../needs.ts';
import { page } from './page.ts';
import { verdictOn } from './verdict.ts';
import { designs, endings, variants } from './variants.ts';

const model = readFileSync(new URL('nodes.pml', import.meta.url), 'utf8');
const all = [...designs, ...variants];

test('every switch of the model is thrown by a variant, and no other', () => {
  const conditions = [...model.matchAll(/^#(?:el)?if.*/gm)].join('\n');
  const inModel = new Set([...conditions.matchAll(/(?:def |defined\()(\w+)/g)].map(([, name]) => name));
  for (const size of ['N', 'CRASHES', 'DECLARED']) expect(inModel.delete(size)).toBe(true);
  const thrown = all.flatMap(({ switches }) => switches).filter((name) => !name.includes('='));
  expect(new Set(thrown)).toEqual(inModel);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

const lacking = skipWithout(['spin', 'gcc']);
const title = lacking === null ? 'Spin' : `Spin, skipped: ${lacking}`;

describe.skipIf(lacking !== null)(title, () => {
  test.each(designs)('holds in every order, and ends in every way: $name', async (design) => {
    expect(await verdictOn(design)).toMatchObject({ breaks: [], ends: endings, way: [] });
  });

  test.each(variants)('of $name: $breaks', async (variant) => {
    const { breaks, way } = await verdictOn(variant);
    expect(breaks).toEqual(variant.breaks);
    expect(way.length > 0).toBe(variant.shows !== null);
  });

  test('README.md says so', async () => {
    await expect(await page()).toMatchFileSnapshot(new URL('README.md', import.meta.url).pathname);
  });
});
