import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (page: string): string => readFileSync(root + page, 'utf8');

/** Counts words as `wc -w` does. */
const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** The README and the pages of docs, without the API reference and the decisions. */
const pages = [
  'README.md',
  ...readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/^(?:api|decisions)\//.test(file))
    .map((file) => `docs/${file}`),
];

test('the README and docs, without API pages and decisions, have at most 62,000 words', () => {
  const longest = pages
    .map((page) => ({ page, words: wordsIn(read(page)) }))
    .toSorted((one, other) => other.words - one.words);
  const total = longest.reduce((sum, { words }) => sum + words, 0);
  expect(pages.length).toBeGreaterThan(40);
  expect(total, `the longest: ${JSON.stringify(longest.slice(0, 5))}`).toBeLessThanOrEqual(62_000);
});

test('the README has at most 400 words of prose before "Documentation"', () => {
  const [before = '', after] = read('README.md')
    .replaceAll(/^```.*?^```$/gms, '')
    .split('## Documentation');
  expect(after).toBeDefined();
  const prose = before.split('\n').filter((line) => !/^[|#!]/.test(line));
  expect(wordsIn(prose.join(' '))).toBeLessThanOrEqual(400);
});

test('the glossary has at most 50 terms', () => {
  const terms = read('docs/glossary.md').match(/^- \*\*/gm) ?? [];
  expect(terms.length).toBeGreaterThan(40);
  expect(terms.length).toBeLessThanOrEqual(50);
});
