import { afterAll, describe, expect, it } from 'vitest';
import { overview } from '../../../../src/apps/cli/help.ts';
import { table } from '../../../../src/apps/cli/table.ts';
import { call } from './call.ts';
import { folder, removeFolders } from './folder.ts';

afterAll(removeFolders);

const names = table.map(({ name }) => name);
const serving = ['inspect', 'console'];

describe('A command', () => {
  it('is in the table, and is described by one text', async () => {
    expect(names).toEqual([
      'demo',
      'run',
      'gateway',
      'tasks',
      'inbox',
      'decide',
      'cancel',
      'retry',
      'pause',
      'resume',
      'pauses',
      'prune',
      'stats',
      'thread',
      'ledger show',
      'ledger verify',
      'ledger replay',
      'ledger export',
      'ledger flows',
      'store copy',
      'upgrade',
      'render',
      'paths',
      'check',
      'conformance',
      'schema list',
      'schema print',
      'schema check',
      'inspect',
      'console',
      'python',
      'completion',
    ]);
    const { code, stdout, stderr } = await call('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { name, description } of table)
      expect(stdout).toMatch(new RegExp(`^  ${name} +${description.slice(0, 20)}`, 'm'));
  });

  it.each(table)(
    '$name prints help with an example, in lines that fit a terminal',
    async ({ name, example, ...one }) => {
      const { code, stdout, stderr } = await call(`${name} --help`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Example:\n  agentcharter ${example}\n`);
      expect(example.startsWith(name)).toBe(true);
      for (const flag of Object.keys(one.flags)) expect(stdout).toContain(`  --${flag}`);
      for (const argument of Object.keys(one.args)) expect(stdout).toContain(argument.toUpperCase());
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
      expect((await call(`help ${name}`)).stdout).toBe(stdout);
    },
  );

  it.each(table)('$name runs its example', async ({ name, example }) => {
    const interruptAfter = serving.includes(name) ? 1 : Infinity;
    const { code, stderr } = await call(example, { cwd: await folder(), interruptAfter });
    expect({ code, stderr: stderr.match(/agentcharter: .*/)?.[0] }).toEqual({ code: 0 });
  });

  it.each(table)('$name refuses an unknown flag before anything else', async ({ example }) => {
    const { code, stdout, stderr } = await call(`${example} --no-such-flag`, { cwd: await folder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('has no flag --no-such-flag');
  });

  it.each(table.flatMap(({ name, flags }) => Object.keys(flags).map((flag) => ({ name, flag }))))(
    '$name refuses a mistyped --$flag, and suggests the right one',
    async ({ name, flag }) => {
      const mistyped = `--${flag}${flag.at(-1)}`;
      const { code, stderr } = await call(`${name} ${mistyped}`);
      expect(code).toBe(2);
      expect(stderr).toContain(`has no flag ${mistyped}. Did you mean "--`);
    },
  );

  it.each(table.filter(({ flags }) => 'json' in flags))(
    '$name --json prints one JSON value on one line',
    async ({ example }) => {
      const { code, stdout } = await call(`${example} --json`, { cwd: await folder() });
      expect(code).toBe(0);
      expect(stdout.trimEnd().split('\n')).toHaveLength(1);
      expect(JSON.parse(stdout)).toBeTypeOf('object');
    },
  );

  it('has --json if it reads, unless it prints a document or serves', () => {
    const without = table.filter(({ flags }) => !('json' in flags)).map(({ name }) => name);
    expect(without).toEqual(['gateway', 'ledger export', 'render', 'inspect', 'console', 'completion']);
  });
});

describe('An invalid call', () => {
  it.each([
    ['dmeo', 'has no command "dmeo". Did you mean "demo"?'],
    ['respond', 'has no command "respond". Did you mean "decide"?'],
    ['approve', 'has no command "approve". Did you mean "decide"?'],
    ['verify', 'has no command "verify". Did you mean "ledger verify"?'],
    ['verifyLedger', 'has no command "verifyLedger". Did you mean "ledger verify"?'],
    ['constructor', 'has no command "constructor"\n'],
    ['zzzz', 'has no command "zzzz"\n'],
    ['ledger', 'agentcharter ledger: expected one of show, verify, replay, export'],
    ['ledger verfy', 'Did you mean "verify"?'],
    ['--versoin', 'has no flag --versoin. Did you mean "--version"?'],
    ['help dmeo', 'Did you mean "demo"?'],
    ['tasks', 'tasks: expected --store STORE'],
    ['tasks --store', "Option '--store <value>' argument missing"],
    ['tasks --store a --store b', '--store is given twice'],
    ['tasks --store a --json=yes', "Option '--json' does not take an argument"],
    ['tasks other --store a', 'tasks does not take "other": expected no words after it'],
    ['thread --store a', 'thread: expected THREAD'],
    ['schema print phases', 'schema print NAME: expected one of'],
    ['schema print phases', 'Did you mean "phase"?'],
    [
      'render task --format pgn',
      '--format: expected one of svg, png, mermaid, json, xstate. Did you mean "png"?',
    ],
    ['paths task --most many', '--most: expected a whole number of at least 1'],
    ['tasks --store nowhere.db', '--store nowhere.db: there is no such file'],
    ['check nowhere.js', 'nowhere.js cannot be loaded'],
    ['schema check phase nowhere.json', 'nowhere.json: there is no such file'],
  ])('ends with 2: %s, and says %s', async (line, said) => {
    const { code, stdout, stderr } = await call(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
  });

  it('does nothing when a flag beside --approve is mistyped', async () => {
    const cwd = await folder();
    const at = '01936d5e-0000-7000-8000-000000000007 --as dana --config charter.js --store tasks.db';
    expect((await call(`decide ${at} --approve --aprove`, { cwd })).code).toBe(2);
    expect((await call('inbox --store tasks.db --json', { cwd })).stdout).toContain('"kind":"plan"');
  });

  it('without arguments prints all commands', async () => {
    const { code, stdout } = await call('');
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: agentcharter COMMAND');
    expect((await call('ledger --help')).stdout).toContain('Usage: agentcharter ledger COMMAND');
  });

  it('with --version prints the version of the package', async () => {
    expect((await call('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

it('The help says where the documentation is, if package.json does', () => {
  const homepage = 'https://charter.example/docs';
  expect(overview(table, { homepage }, null)).toMatch(/\nDocumentation: https:\/\/charter\.example\/docs\n$/);
  expect(overview(table, {}, null)).not.toContain('Documentation');
});
