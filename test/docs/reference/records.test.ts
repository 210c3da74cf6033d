import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { executionMachine, taskMachine } from '../../../machines/index.ts';
import { itemsIn } from './markdown.ts';
import { walk } from '../../../src/optional/render/walk.ts';

const docs = new URL('../../../docs/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, docs), 'utf8');

const records = readdirSync(new URL('decisions', docs)).toSorted();
const numbers = records.map((file) => file.slice(0, 4));

describe('docs/decisions', () => {
  test('numbers its records without a gap', () => {
    expect(numbers).toEqual(records.map((_, index) => String(index + 1).padStart(4, '0')));
    expect(records.length).toBeGreaterThan(11);
  });

  test('contains a record for every interpretation that a chart cites', () => {
    const cited = [walk(taskMachine), walk(executionMachine)]
      .flatMap(({ states, transitions }) => [...states, ...transitions])
      .flatMap(({ cites }) => (cites?.startsWith('interpretation ') === true ? [cites.slice(-4)] : []));
    expect(cited.length).toBeGreaterThan(10);
    for (const number of cited) expect(numbers).toContain(number);
  });

  test.each(records)('%s names the open question, the decision and the cost', (file) => {
    const record = read(`decisions/${file}`);
    expect(record.match(/^#+ .*$/gm)).toEqual([
      expect.stringMatching(new RegExp(`^# ${file.slice(0, 4)} `)),
      '## Context',
      '## Decision',
      '## Cost',
    ]);
    expect(record.split('\n').length).toBeLessThan(40);
  });

  test.each(records)('%s links each newer record that supersedes it', (file) => {
    const superseding = [...read(`decisions/${file}`).matchAll(/uperseded by (\S+)/g)];
    const isNewer = (link: string): boolean => {
      const [, number = '', target = ''] = /^\[(\d{4})\]\((\d{4})-/.exec(link) ?? [];
      return number === target && number > file.slice(0, 4);
    };
    expect(superseding.map(([, link = '']) => link).filter((link) => !isNewer(link))).toEqual([]);
  });

  test('says of at least ten records that a newer one supersedes a part', () => {
    expect(records.filter((file) => /uperseded by /.test(read(`decisions/${file}`))).length).toBeGreaterThan(
      9,
    );
  });

  test('0015 gives a reason for exactly the dependencies', () => {
    const [, decision = ''] = read('decisions/0015-dependencies.md').split('## Decision');
    const named = [...decision.matchAll(/`(@?[a-z][\w/-]*)`/g)].map(([, name = '']) => name);
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(named.toSorted()).toEqual(installed.toSorted());
  });
});

describe('docs/glossary.md', () => {
  const glossary = read('glossary.md');
  const terms = [...glossary.matchAll(/^- \*\*(.+?)\*\*: (.+?) _(.+?)_/gm)];

  test('defines each term once, with its source', () => {
    expect(terms).toHaveLength(itemsIn(glossary));
    expect(terms.length).toBeGreaterThan(40);
    expect(new Set(terms.map(([, term]) => term)).size).toBe(terms.length);
    for (const [, , , source] of terms) expect(source).toMatch(/UAICP|UpFormat|interpretation|ours/);
  });
});

test('Every link between the documents leads to an existing place', () => {
  const pages = [
    'glossary.md',
    ...readdirSync(new URL('reference', docs))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `reference/${file}`),
  ];
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
      ([, link = '']) => new URL(link, new URL(page, docs)),
    ),
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
});
