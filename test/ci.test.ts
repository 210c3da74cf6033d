import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { classes, classNames } from './nightly/classes.ts';
import { testsIn } from './nightly/tests-in.ts';
import { ciShare } from './vitest.config.ts';

const script = fileURLToPath(new URL('../.ci/run', import.meta.url));
const programs = ['spin', 'gcc', 'chromium', 'python3', 'mypy', 'pg_ctlcluster', 'pgbouncer'] as const;

/** The package of a program that is called differently. */
const packages: Readonly<Record<string, string>> = { pg_ctlcluster: 'postgresql' };

describe('.ci/run', () => {
  let bin: string;
  beforeEach(() => {
    bin = mkdtempSync(join(tmpdir(), 'ci-'));
    for (const name of ['bash', 'dirname']) {
      const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
      symlinkSync(found, join(bin, name));
    }
  });
  afterEach(() => rmSync(bin, { recursive: true }));

  /** Puts a program on the path that writes down how it is called. */
  const put = (name: string, body = ''): void => {
    const text = `#!${join(bin, 'bash')}\necho "${name} $* CI=\${CI-}" >> ${join(bin, 'said')}\n${body}\n`;
    writeFileSync(join(bin, name), text, { mode: 0o755 });
  };
  const run = () => {
    writeFileSync(join(bin, 'said'), '');
    const { status } = spawnSync(join(bin, 'bash'), [script], { env: { PATH: bin } });
    const said = readFileSync(join(bin, 'said'), 'utf8').trimEnd().split('\n').filter(Boolean);
    return { status, said };
  };
  const tests = ['npm ci --loglevel=warn', 'npm test', 'npm run test:ci'];

  it('tests with CI set, and installs nothing that is present', () => {
    for (const name of [...programs, 'npm', 'apt-get']) put(name);
    expect(run()).toEqual({ status: 0, said: tests.map((line) => `${line} CI=true`) });
  });

  it.each(programs)('installs %s if it is missing, then tests', (missing) => {
    for (const name of [...programs, 'npm', 'apt-get']) if (name !== missing) put(name);
    const { status, said } = run();
    expect(status).toBe(0);
    expect(said[1]).toMatch(
      new RegExp(`^apt-get install .* ${packages[missing] ?? missing}( libc6-dev)? CI=true$`),
    );
    expect(said.slice(2)).toEqual(tests.map((line) => `${line} CI=true`));
  });

  it.each(['update', 'install'])('stops when apt-get %s fails, and tests nothing', (step) => {
    put('npm');
    put('apt-get', `[[ $1 != ${step} ]] || exit 100`);
    const { status, said } = run();
    expect(status).toBe(100);
    expect(said.filter((line) => line.startsWith('npm'))).toEqual([]);
  });

  it('stops when a program is missing without apt-get', () => {
    put('npm');
    expect(run()).toEqual({ status: 127, said: [] });
  });

  it.each(tests)('stops when %s fails', (failing) => {
    for (const name of programs) put(name);
    put('npm', `[[ "npm $*" != "${failing}" ]] || exit 1`);
    const { status, said } = run();
    expect(status).toBe(1);
    expect(said.at(-1)).toBe(`${failing} CI=true`);
  });
});

describe('A class of checks', () => {
  const scripts: Readonly<Record<string, string>> = manifest.scripts;

  /** A script, and every script that it runs. */
  const runBy = (script: string): readonly string[] => [
    script,
    ...[...(scripts[script] ?? '').matchAll(/npm run ([\w:-]+)/g)].flatMap(([, name = '']) => runBy(name)),
  ];

  it.each(classNames)('%s names its share in CI, and a script that runs it at night', (name) => {
    const { ci, night, script } = classes[name];
    expect([ci, night]).not.toContain('');
    expect(scripts[script]).toBeDefined();
    if (ci === 'all') expect([...runBy('test:ci'), 'test']).toContain(script);
  });

  it.each(ciShare)('has its share in CI in a file that exists: %s', (file) => {
    expect(existsSync(file)).toBe(true);
  });

  it.each([
    ['      Tests  1 failed | 1571 passed | 2 skipped (1574)', 1572],
    [
      '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m3 passed\u001b[39m\u001b[22m\u001b[90m (3)\u001b[39m',
      3,
    ],
    [' Test Files  2 passed (2)', 0],
  ])('counts the tests that Vitest says have run: %j', (line, count) => {
    expect(testsIn(line)).toBe(count);
  });
});
