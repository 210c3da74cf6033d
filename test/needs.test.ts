import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { missingOf, skipWithout, type Need } from './needs.ts';

const without =
  (...missing: readonly Need[]) =>
  (need: Need): string | null =>
    missing.includes(need) ? null : need;

describe('The programs that tests need', () => {
  it.each<[Need, string]>([
    ['spin', 'spin missing: apt-get install spin'],
    ['gcc', 'gcc missing: apt-get install gcc libc6-dev'],
    ['python', 'python3 missing: apt-get install python3'],
    ['mypy', 'mypy missing: apt-get install mypy'],
    ['chromium', 'Chromium missing: apt-get install chromium'],
    ['postgres', 'PostgreSQL missing: apt-get install postgresql'],
    ['pgbouncer', 'PgBouncer missing: apt-get install pgbouncer'],
    ['queues', 'the packages of test/docs/queues missing: npm ci --prefix test/docs/queues'],
    [
      'clients',
      'the packages of test/src/apps/gateway/clients missing: npm ci --prefix test/src/apps/gateway/clients --ignore-scripts',
    ],
    ['node22', 'Node.js 22 missing: npm ci --prefix test/rare'],
  ])('fail the run in CI if one is missing, and skip with a message elsewhere: %s', (need, says) => {
    const log = vi.spyOn(console, 'log').mockReturnValue();
    expect(() => skipWithout([need], { CI: 'true' }, without(need))).toThrow(
      `With CI set no test is skipped. ${says}`,
    );
    expect(log).not.toHaveBeenCalled();
    expect(skipWithout([need], {}, without(need))).toBe(says);
    expect(log).toHaveBeenCalledExactlyOnceWith(`Tests are skipped. ${says}`);
    log.mockRestore();
  });

  it('are all listed in the message', () => {
    expect(missingOf(['spin', 'gcc', 'python'], without('spin', 'gcc'))).toBe(
      'spin and gcc missing: apt-get install spin && apt-get install gcc libc6-dev',
    );
  });

  it.each([{ CI: 'true' }, {}])('skip nothing if they are present: %o', (env) => {
    expect(skipWithout(['spin', 'chromium'], env, without())).toBeNull();
  });

  it('are declared by each test that skips itself', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
    const skipping = files.filter(
      (file) =>
        file.endsWith('.test.ts') &&
        !file.includes('node_modules') &&
        /\bskipIf\(|(?<!orchestrator\.)\bskip\(/.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')),
    );
    const silent = skipping.filter(
      (file) => !readFileSync(`${import.meta.dirname}/${file}`, 'utf8').includes('skipWithout('),
    );
    expect(skipping.length).toBeGreaterThan(5);
    // who may mount a disk, or is another user: no package brings that
    expect(silent.toSorted()).toEqual([
      'src/stores/sqlite/rights.test.ts',
      'src/stores/sqlite/trouble.test.ts',
    ]);
  });
});
