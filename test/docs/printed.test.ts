import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printers } from './printed.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The only files of these folders that people write. */
const written = ['docs/reference/compiler/parts.ts', 'docs/reference/narrowings.md'];

describe('docs/charts and docs/reference', () => {
  test('contain exactly the pages that tests print', () => {
    const pages = ['docs/charts', 'docs/reference'].flatMap((folder) =>
      readdirSync(root + folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(root, join(parentPath, name))),
    );
    expect(pages.toSorted()).toEqual([...Object.keys(printers), ...written].toSorted());
  });

  test.each([...new Set(Object.values(printers))])('are printed completely by %s', (file) => {
    expect(readFileSync(root + file, 'utf8')).toMatch(/^testEveryPageIsPrinted\(\);$/m);
  });
});

/** One test that prints a page, under the configuration of this project. */
const program = `import { expect, test } from 'vitest';
test('prints', () => expect('a page').toMatchFileSnapshot('./page.txt'));
`;
const config = `import base from ${JSON.stringify(`${root}test/vitest.config.ts`)};
const { projects, setupFiles, ...test } = base.test;
export default { root: import.meta.dirname, test: { ...test, include: ['*.test.ts'] } };
`;

describe('A missing printed page', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'printed-'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'vitest.config.mts'), config);
    writeFileSync(join(folder, 'page.test.ts'), program);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = async (flags: readonly string[], ci: 'true' | undefined): Promise<number | null> => {
    const { CI: _, ...env } = process.env;
    const args = [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      'vitest.config.mts',
      ...flags,
    ];
    const options = {
      cwd: folder,
      env: { ...env, ...(ci !== undefined && { CI: ci }) },
      stdio: 'ignore',
    } as const;
    const child = spawn(process.execPath, args, options);
    return new Promise((resolve) => child.on('close', resolve));
  };
  const isThere = (): boolean => existsSync(join(folder, 'page.txt'));

  test('fails the test in CI and outside, and is written with -u only', async () => {
    for (const ci of ['true', undefined] as const) {
      expect(await run([], ci)).toBe(1);
      expect(isThere()).toBe(false);
      expect(await run(['-u'], ci)).toBe(0);
      expect(isThere()).toBe(true);
      rmSync(join(folder, 'page.txt'));
    }
  });
});
