import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { run } from './examples/run.ts';

const readme = await readFile('README.md', 'utf8');
const fence = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(readme)?.[1] ?? '';

describe('the README', () => {
  it('shows the program that stands in docs/examples/first.ts', async () => {
    expect(fence('ts')).toBe(await readFile('docs/examples/first.ts', 'utf8'));
  });

  it('shows what that program prints', async () => {
    const { stdout, stderr, code } = await run('first.ts');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(fence('text')).toBe(stdout);
  });

  it('names commands that package.json has, and files that exist', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm (?:run )?(start|test|check|format|test:\w+)\b/g)].map(
      ([, name]) => name,
    );
    expect(named.length).toBeGreaterThan(2);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) await expect(stat(link)).resolves.toBeTruthy();
  });
});
