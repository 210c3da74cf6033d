import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packedPage, type Manifest } from '../../../src/packing/packed.ts';

const manifest: Manifest = { version: '1.2.3', files: ['docs/start.md', 'docs/embed', 'docs/a.svg'] };
const repository = { url: 'git+https://git.example/owner/name.git' };
const released = 'https://git.example/owner/name/blob/v1.2.3/';
const page = (text: string, more: Partial<Manifest> = {}): string =>
  packedPage('docs/start.md', text, { ...manifest, ...more });

describe('A page of the tarball', () => {
  it.each([
    ['[the guard](embed/guard.md#calls)'],
    ['![states](a.svg)'],
    ['[above](#first)'],
    ['[site](https://example.com/x)'],
    ['[readme](../README.md)'],
  ])('keeps a link to what the tarball holds, and to other sites: %s', (text) => {
    expect([page(text), page(text, { repository })]).toEqual([text, text]);
  });

  it('has the address of the release for what the tarball does not hold', () => {
    expect(page('See [`one`](api/README.md#x) and [two](../src).', { repository })).toBe(
      `See [\`one\`](${released}docs/api/README.md#x) and [two](${released}src).`,
    );
  });

  it('has plain text there until package.json names a repository', () => {
    expect(page('See [`one`](api/README.md#x), ![a picture](b.png) and [docs](embedded).')).toBe(
      'See `one`, a picture and docs.',
    );
  });

  it('keeps code as it is', () => {
    const code = 'Write `[a](b.md)`:\n\n```md\n[a](b.md)\n```\n';
    expect(page(code)).toBe(code);
  });
});

describe('package.json', () => {
  const own = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
  const bugs = (own['bugs'] ?? {}) as Record<string, unknown>;
  const addresses = {
    repository: own['repository'],
    homepage: own['homepage'],
    'bugs.url': bugs['url'],
    'bugs.email (where vulnerabilities are reported)': bugs['email'],
  };
  const missing = Object.entries(addresses).flatMap(([name, value]) => (value === undefined ? name : []));

  it(`is private while an address is missing (${missing.join(', ') || 'none is'})`, () => {
    expect({ missing, private: own['private'] ?? false }).toEqual({ missing, private: missing.length > 0 });
  });
});
