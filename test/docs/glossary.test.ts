import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readEntries } from './api/names.ts';

const read = (page: string): string => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');

const rows = [...read('glossary.md').matchAll(/^- \*\*(.+?)\*\*: (.+?) _(.+?)_(?:, (.+))?$/gm)];
const terms = rows.map(([, term = '']) => term);

/** `Gates and violations` speaks of a gate and of a violation. */
const termsIn = (words: string): readonly string[] =>
  words
    .split(/ (?:and|in) /)
    .map((word) =>
      (/^[A-Z]/.test(word) ? word.toLowerCase() : word)
        .replace(/^in /, '')
        .replace(/ies$/, 'y')
        .replace(/s$/, ''),
    );

describe('docs/glossary.md', () => {
  it('is in alphabetical order', () => {
    expect(terms.length).toBeGreaterThan(40);
    const order = new Intl.Collator('en', { ignorePunctuation: false });
    expect(terms).toEqual(terms.toSorted((one, other) => order.compare(one, other)));
  });

  it('defines each term in one sentence of at most 20 words', () => {
    const definitions = rows.map(([, , definition = '']) => definition);
    expect(definitions.filter((definition) => definition.split(' ').length > 20)).toEqual([]);
    expect(
      definitions.filter((definition) => !/^[A-Z`][^.?!]*\.$/.test(definition.replaceAll(/`[^`]*`/g, '`'))),
    ).toEqual([]);
  });

  it('defines every term that is a heading or emphasized in the concepts', () => {
    const concepts = read('concepts.md');
    const headings = [...concepts.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
    const emphasized = [...concepts.matchAll(/(?<!\w)_([A-Za-z ]+)_(?!\w)/g)].map(([, words = '']) => words);
    expect(headings).toHaveLength(10);
    expect(emphasized.length).toBeGreaterThan(15);
    const known = new Set(terms.map((term) => term.replace(/ \(.*\)$/, '')));
    expect([...headings, ...emphasized].flatMap(termsIn).filter((term) => !known.has(term))).toEqual([]);
  });

  it('names only exports', () => {
    const names = new Set(readEntries().flatMap(({ names }) => names.map(({ name }) => name)));
    const named = rows.flatMap(([, , , , code = '']) =>
      [...code.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(35);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });
});
