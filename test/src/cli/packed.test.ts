import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const ran = (command: string, args: readonly string[], cwd: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, npm_config_loglevel: 'error', npm_config_update_notifier: 'false' };
    const child = execFile(command, args, { cwd, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });

/** It takes what was built last, and no network: what it depends on is packed from where it is installed. */
describe.runIf(process.env['PACKED'] !== undefined)('the package, in an empty folder', () => {
  let above: string;
  let empty: string;
  const npx = (line: string) =>
    ran('npx', ['--offline', '--no', '--', 'agentcharter', ...line.split(' ')], empty);

  beforeAll(async () => {
    above = await mkdtemp(join(tmpdir(), 'agentcharter-packed-'));
    const packed = join(above, 'packed');
    empty = join(above, 'empty');
    await mkdir(packed);
    await mkdir(empty);
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const folders = [root, ...Object.keys(dependencies).map((name) => join(root, 'node_modules', name))];
    const pack = ['pack', '--ignore-scripts', '--pack-destination', packed, ...folders];
    expect(await ran('npm', pack, above)).toMatchObject({ code: 0 });
    const files = (await readdir(packed)).map((name) => join(packed, name));
    expect(files).toHaveLength(folders.length);
    const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...files];
    expect(await ran('npm', install, empty)).toMatchObject({ code: 0 });
  }, 120_000);
  afterAll(() => rm(above, { recursive: true }));

  it('shows what it is for, by one command, without a key or a network', async () => {
    const { code, stdout, stderr } = await npx('demo');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Nobody is asked: the answers are prepared ones.\n',
    });
    expect(stdout).toContain('Invitations went to rui.tavares@example.org and marta.figueiredo@example.org.');
  });

  it('leaves a ledger that it verifies and replays', async () => {
    expect((await npx('demo --out run --json')).code).toBe(0);
    expect((await npx('ledger verify run/invitation.jsonl')).stdout).toContain('intact');
    expect((await npx('ledger replay run/recommendation.jsonl')).stdout).toContain('the same');
  });

  it('checks, walks and writes its own chart', async () => {
    expect((await npx('check task')).stdout).toContain('all hold');
    expect((await npx('render task --format mermaid')).stdout).toContain('stateDiagram-v2');
  });

  it.each([
    ['demo --store demo.db', 'npm install libsql'],
    ['render task', 'npm install elkjs'],
  ])('names what %s needs besides: %s', async (line, install) => {
    expect(await npx(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(install) });
  });

  it('has the version of its package', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    expect((await npx('--version')).stdout).toBe(`${version}\n`);
  });
});
