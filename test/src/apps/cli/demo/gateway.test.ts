import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtPackage } from '../../../../built.ts';
import { person } from '../../gateway/stand.ts';

/** Starts the demo in an empty folder, which is also where temporary folders are made. */
const demo = async (program: string, ...flags: readonly string[]) => {
  const cwd = await mkdtemp(join(tmpdir(), 'gateway-demo-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 3 }));
  const env = { PATH: process.env['PATH'], TMPDIR: cwd };
  const child = spawn(process.execPath, [program, 'gateway', '--demo', ...flags], { cwd, env });
  let [out, said] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = async () => ({ code: await closed, said, left: await readdir(cwd) });
  return { out: () => out, ended, interrupt: () => child.kill('SIGINT') };
};

const plainProgram = async (): Promise<string> =>
  join((await builtPackage()).folder, 'dist/src/apps/cli/main.js');
const onTerminal = async (): Promise<string> =>
  (await builtPackage()).compile('test/src/apps/cli/demo/on-terminal.ts');

const cleanly = { code: 0, said: '', left: [] };

describe('The demo of the gateway', () => {
  it('answers as the operator where no one is asked, and shows a read, a refund, a refusal and an intact log', async () => {
    const { out, ended } = await demo(await plainProgram());
    expect(await ended()).toEqual(cleanly);
    const told = [
      'payments.refund: { tier: write_high_risk, rollback: person }',
      'The agent calls orders_find_order, and reads: Order o-7 was 12 EUR',
      'The agent calls payments_refund, and reads: payments_refund is not done yet. It waits for operator',
      'so the demo answers as the operator, and approves',
      'The agent calls payments_refund again, and reads: Refunded 500 cents of order o-7.',
      'The agent calls payments_close_account, and reads: ',
      'An agent closes no account.',
      'It is intact: none was edited, dropped or swapped.',
    ];
    const places = told.map((words) => out().lastIndexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(out()).not.toContain('Closed the account');
  });

  it('answers nothing for the person at a terminal: its link opens the console, whose answer counts', async () => {
    const { out, ended } = await demo(await onTerminal());
    await expect.poll(out).toMatch(/in your browser:\n\S+\n/);
    const [, link = ''] = /in your browser:\n(\S+)\n/.exec(out()) ?? [];
    const { answer } = await person(() => `answers at ${link}`);
    expect(await answer({ type: 'reject' })).toBe(200);
    expect(await ended()).toEqual(cleanly);
    expect(out()).not.toContain('Refunded');
    expect(out()).not.toContain('answers as the operator');
  });

  it('answers for the person at a terminal with --yes', async () => {
    const { out, ended } = await demo(await onTerminal(), '--yes');
    expect(await ended()).toEqual(cleanly);
    expect(out()).toContain('Refunded 500 cents');
  });

  it('ends with code 0 when it is interrupted while it waits, and leaves nothing', async () => {
    const { out, ended, interrupt } = await demo(await onTerminal());
    await expect.poll(out).toContain('in your browser:');
    interrupt();
    expect(await ended()).toEqual(cleanly);
    expect(out()).toMatch(/The demo ends here\.\n$/);
  });
});

it.each([
  [['gateway'], 'expected CHARTER, or --demo'],
  [['gateway', '--demo', 'charter.yaml'], 'expected CHARTER or --demo, not both'],
  [['gateway', 'charter.yaml', '--yes'], 'expected --yes together with --demo'],
])('The command refuses %j: %s', async (words, why) => {
  const { call } = await import('../call.ts');
  expect(await call(words.join(' '))).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
});
