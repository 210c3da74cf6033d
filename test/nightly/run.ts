import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { checksPage } from '../docs/reference/checks.ts';
import { classes, classNames, type CheckClass, type ClassName } from './classes.ts';
import { keepLast, readLast } from './last.ts';
import { testsIn } from './tests-in.ts';

/** Random cases begin elsewhere each night. */
const seed = process.env['FC_SEED'] ?? String(Math.floor(Date.now() / 1000));
const seeds = { FC_SEED: seed, CRASH_SEED: seed, CLUSTER_SEED: seed };

/** Runs a script and prints what it prints. */
const run = async ({ script, env }: CheckClass): Promise<{ passed: boolean; tests: number }> => {
  const child = spawn('npm', ['run', script], {
    env: { ...process.env, CI: 'true', ...(env !== undefined && seeds), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let tests = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    tests += testsIn(line);
  }
  const [code] = await closed;
  return { passed: code === 0, tests };
};

const isClass = (name: string): name is ClassName => Object.hasOwn(classes, name);

const given = process.argv.slice(2);
const chosen = given.length === 0 ? classNames : given.filter(isClass);
if (given.length > chosen.length) throw new Error(`expected some of: ${classNames.join(', ')}`);

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
const written = ['test/nightly/last.json', 'docs/reference/checks.md'];
if (git('status', '--porcelain', '--', '.', ...written.map((file) => `:!${file}`)) !== '')
  throw new Error('expected no changes: a class is checked at a commit');
const commit = git('rev-parse', '--short', 'HEAD');
for (const name of chosen) {
  console.log(`\n${name}: ${classes[name].shows} (seed ${seed})`);
  const began = performance.now();
  const { passed, tests } = await run(classes[name]);
  const seconds = Math.round((performance.now() - began) / 1000);
  const on = new Date().toISOString().slice(0, 10);
  keepLast(name, { on, commit, seconds, passed, tests: tests === 0 ? null : tests });
  writeFileSync('docs/reference/checks.md', checksPage(readLast())); // a test of the next class compares the two
  console.log(`${name}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (!passed) process.exitCode = 1;
}
