import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { compilerEnv, oneChecker, tsc } from './compiler.ts';
import manifest from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));

/** The modules of the package, as a user imports them. */
const entries = Object.keys(manifest.exports)
  .filter((path) => !path.includes('json'))
  .map((path) => path.replace('.', manifest.name));

it('The compiler alone builds a package whose modules load: a file for each source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentcharter-plain-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const options = ['--outDir', join(folder, 'dist'), '--declaration', 'false', '--noCheck', ...oneChecker];
  execFileSync(tsc, options, { cwd: root, env: compilerEnv() });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const program = `for (const entry of ${JSON.stringify(entries)}) { await import(entry); console.log(entry); }`;
  const node = ['--input-type=module', '--eval', program];
  const loaded = execFileSync(process.execPath, node, { cwd: folder, encoding: 'utf8' });
  expect(loaded.trim().split('\n')).toEqual(entries);
});
