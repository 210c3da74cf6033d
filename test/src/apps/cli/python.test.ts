import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import { call } from './call.ts';
import { folder, removeFolders } from './folder.ts';

afterAll(removeFolders);

it('python writes the client once, and says what it found', async () => {
  const cwd = await folder();
  const read = (name: string) => readFile(join(cwd, 'a/b', name), 'utf8');
  expect(await call('python a/b', { cwd })).toEqual({
    code: 0,
    stdout: 'written    a/b/agentcharter.py\nwritten    a/b/pyproject.toml\n',
    stderr: '',
  });
  expect(await read('agentcharter.py')).toContain('class Guard:');
  expect(await read('pyproject.toml')).toContain(`\nversion = "${manifest.version}"\n`);
  expect((await call('python a/b', { cwd })).stdout).toBe(
    'unchanged  a/b/agentcharter.py\nunchanged  a/b/pyproject.toml\n',
  );
});

it('python replaces another file only with --force, and never a pyproject.toml', async () => {
  const cwd = await folder();
  const place = join(cwd, 'mine');
  await mkdir(place);
  for (const name of ['agentcharter.py', 'pyproject.toml']) await writeFile(join(place, name), 'mine');
  const refused = await call('python mine', { cwd });
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('mine/agentcharter.py has other content: expected --force to replace it');
  expect(await readFile(join(place, 'agentcharter.py'), 'utf8')).toBe('mine');
  expect((await call('python mine --force', { cwd })).stdout).toBe(
    'replaced   mine/agentcharter.py\nkept       mine/pyproject.toml\n',
  );
  expect(await readFile(join(place, 'agentcharter.py'), 'utf8')).toContain('class Guard:');
  expect(await readFile(join(place, 'pyproject.toml'), 'utf8')).toBe('mine');
});

it('python says why it cannot write', async () => {
  const cwd = await folder();
  const { code, stdout, stderr } = await call('python charter.js', { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('charter.js');
});
