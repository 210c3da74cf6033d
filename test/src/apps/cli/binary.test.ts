import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from './call.ts';
import { folder, removeFolders } from './folder.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const tsx = fileURLToPath(import.meta.resolve('tsx'));

/** The sources as plain JavaScript: it begins at once, where a loader of TypeScript takes a second. */
let program: readonly string[];
beforeAll(async () => {
  const folderOfProgram = await folder();
  await symlink(join(root, 'node_modules'), join(folderOfProgram, 'node_modules'));
  await build({
    entryPoints: [join(root, 'src/apps/cli/main.ts')],
    outdir: join(folderOfProgram, 'program'),
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'es2023',
  });
  program = [process.execPath, join(folderOfProgram, 'program/main.js')];
});
afterAll(removeFolders);

const env = { ...process.env, TSX_TSCONFIG_PATH: join(root, 'test/tsconfig.json'), CI: '' };

const ran = (command: string, args: readonly string[], options: SpawnOptions = {}) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    const child = spawn(command, args, { env, ...options });
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin?.end();
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });

const on = async (line: string, cwd = root) => {
  const [command = '', ...args] = [...program, ...line.split(' ')];
  return ran(command, args, { cwd });
};
/** A line of a shell, in which `$AC` is the program. */
const inShell = async (line: string, cwd?: string) =>
  ran('bash', ['-c', line], { cwd: cwd ?? (await folder()), env: { ...env, AC: program.join(' ') } });
const answers = (url: string): Promise<boolean> =>
  fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );

describe('The installed program', () => {
  it('prints results on stdout and the rest on stderr, and ends with the exit code', async () => {
    expect(await on('schema list')).toMatchObject({ code: 0, stderr: '' });
    const refused = await on('tasks --stoer x');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toBe('agentcharter: tasks has no flag --stoer. Did you mean "--store"?\n');
  });

  it('ends with 1 on a finding, even through a pipe', async () => {
    const line = `sed 's/"writer"/"other"/' trail.jsonl | $AC ledger verify -; echo "code $?"`;
    const { stdout } = await inShell(line);
    expect(stdout).toMatch(/not intact[^]*record 0: edited[^]*code 1\n$/);
  });

  it.each(['ledger export - < many.jsonl', 'schema print upformat-message', '--help'])(
    'ends silently when the reader closes the pipe: %s',
    async (line) => {
      const many = 'for i in {1..200}; do cat trail.jsonl; done > many.jsonl';
      const { stderr, stdout } = await inShell(
        `${many}; $AC ${line} | head -c 10 > /dev/null; echo "codes \${PIPESTATUS[@]}"`,
      );
      expect({ stderr, stdout }).toEqual({ stderr: '', stdout: 'codes 0 0\n' });
    },
  );

  it('keeps the exit code of a finding when the reader closes the pipe', async () => {
    const line = `sed 's/"writer"/"other"/' trail.jsonl | $AC ledger verify - | true; echo "\${PIPESTATUS[1]}"`;
    expect(await inShell(line)).toMatchObject({ stderr: '', stdout: '1\n' });
  });

  it('ends with 2 when its output cannot be written', async () => {
    const full = '/dev/full';
    const isThere = await access(full, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isThere) return;
    const { stderr } = await inShell(`$AC schema list > ${full}; echo "code $?" >&2`);
    expect(stderr).toMatch(/ENOSPC[^]*code 2\n$/);
  });

  it.each([
    ['console --store tasks.db', 'SIGINT'],
    ['console --store tasks.db', 'SIGTERM'],
    ['inspect --store tasks.db --offline', 'SIGINT'],
    ['inspect --store tasks.db --offline', 'SIGTERM'],
  ] as const)('serves until it is interrupted, and ends with 0: %s, %s', async (line, signal) => {
    const cwd = await folder();
    const [command = '', ...args] = [...program, ...line.split(' ')];
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    const [url] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const isUp = [await answers(url), await answers(url)]; // twice: one that ends may answer once
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    expect({ isUp, code }).toEqual({ isUp: [true, true], code: 0 });
  });

  it('runs a TypeScript module when a loader reads it', async () => {
    const args = [
      '--import',
      tsx,
      join(root, 'src/apps/cli/main.ts'),
      'run',
      'charter.js',
      '--answers',
      'answers.json',
    ];
    expect((await ran(process.execPath, args, { cwd: await folder() })).code).toBe(0);
  });

  it('names a loader for a TypeScript module that Node.js cannot read, or whose imports it cannot find', async () => {
    const cwd = await folder();
    await writeFile(join(cwd, 'config.ts'), `export { default } from './other.js';\n`);
    await writeFile(join(cwd, 'other.ts'), 'export default () => ({ taskClasses: [] });\n');
    const { code, stderr } = await ran(process.execPath, [...program.slice(1), 'run', 'config.ts'], { cwd });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`NODE_OPTIONS='--import tsx'`),
    });
    const load = ['--import', tsx, join(root, 'src/apps/cli/main.ts'), 'run', 'missing.ts'];
    await writeFile(join(cwd, 'missing.ts'), `export { default } from './none.js';\n`);
    const missing = await ran(process.execPath, load, { cwd });
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('if that is a TypeScript file'),
    });
    const nowhere = await ran(process.execPath, [...load.slice(0, -1), 'nowhere.ts'], { cwd });
    expect(nowhere).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nowhere.ts cannot be loaded'),
    });
    expect(nowhere.stderr).not.toContain('npm install');
  });
});

const completed = async (...words: readonly string[]): Promise<readonly string[]> => {
  const script = [
    (await call('completion bash')).stdout,
    `COMP_WORDS=(agentcharter ${words.map((word) => `'${word}'`).join(' ')})`,
    'COMP_CWORD=$((${#COMP_WORDS[@]} - 1))',
    '_agentcharter',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const { stdout, stderr } = await inShell(script);
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
};

describe('Bash completion', () => {
  it('completes commands, subcommands, flags and enumerated values', async () => {
    expect(await completed('de')).toEqual(['demo', 'decide']);
    expect(await completed('ledger', '')).toEqual(['show', 'verify', 'replay', 'export', 'flows']);
    expect(await completed('ledger', 'verify', '--ch')).toEqual(['--checkpoint']);
    expect(await completed('decide', 'x', '--a')).toEqual(['--as', '--approve', '--approval']);
    expect(await completed('render', 'task', '--format', 'm')).toEqual(['mermaid']);
    expect(await completed('schema', 'print', 'ph')).toEqual(['phase']);
  });

  it.each(['zsh', 'fish'])('is printed for %s, with every command and flag', async (shell) => {
    const { code, stdout } = await call(`completion ${shell}`);
    expect(code).toBe(0);
    for (const word of ['demo', 'verify', 'checkpoint', 'mermaid']) expect(stdout).toContain(word);
  });
});
