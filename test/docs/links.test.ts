import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { faultOf, linksOf } from './links.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = [
  'README.md',
  'AGENTS.md',
  'SECURITY.md',
  '.github/CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

it('Every link in the README and the documents leads to an existing file and heading', () => {
  const links = pages.flatMap((page) =>
    linksOf(root, page).flatMap((link) => (/^\w+:/.test(link) ? [] : [[page, link] as const])),
  );
  expect(pages.length).toBeGreaterThan(60);
  expect(links.length).toBeGreaterThan(300);
  expect(links.filter(([, link]) => link.includes('#')).length).toBeGreaterThan(5);
  expect(links.flatMap(([page, link]) => faultOf(root, page, link) ?? [])).toEqual([]);
});

it('The first page links every way to embed, the concepts, the glossary and the reference', () => {
  const linked = linksOf(root, 'docs/start.md').map((link) => link.replace(/#.*/, ''));
  const embed = pages.flatMap((page) => (page.startsWith('docs/embed/') ? page.slice('docs/'.length) : []));
  const wanted = ['concepts.md', 'glossary.md', 'api/README.md', ...embed];
  expect(wanted.filter((page) => !linked.includes(page))).toEqual([]);
});
