import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { run } from './examples/run.ts';

const readme = await readFile('README.md', 'utf8');
const fences = (language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text ?? '');

describe('The README', () => {
  it('shows docs/examples/first.ts, of at most 20 lines', async () => {
    const program = await readFile('docs/examples/first.ts', 'utf8');
    expect(fences('ts')).toEqual([program]);
    expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
  });

  it('shows the output of that program', async () => {
    const { stdout, stderr, code } = await run('first.ts');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(fences('text')).toEqual([stdout]);
  });

  it('says in its third line that this is a statechart, and leads to the inspector and to paths', () => {
    const [, , third] = readme.split('\n');
    expect(third).toMatch(/XState.* statechart that you can \[inspect\].* and \[path-test\]/);
    const [, table = ''] = /## Ways in\n\n((?:\|.*\n)+)/.exec(readme) ?? [];
    const rows = table.trimEnd().split('\n').slice(2);
    expect(rows.length).toBeLessThan(14);
    expect(rows.filter((row) => row.includes('agentcharter inspect'))).toHaveLength(1);
    expect(rows.filter((row) => row.includes('agentcharter paths'))).toHaveLength(1);
  });

  it('has a list of documentation of at most 15 links', () => {
    const links = readme.split('## Documentation')[1]?.match(/\]\(/g) ?? [];
    expect(links.length).toBeGreaterThan(5);
    expect(links.length).toBeLessThanOrEqual(15);
  });

  it('names existing commands of package.json and existing files', async () => {
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
