import { readdir } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { call } from './call.ts';
import { folder, removeFolders } from './folder.ts';

afterAll(removeFolders);

const nul = 'tasks.db\0.txt';

const lines: readonly (readonly string[])[] = [
  ['tasks', '--store', nul],
  ['console', '--config', nul],
  ['console', '--store', nul],
  ['inspect', '--store', nul],
  ['inbox', '--store', nul],
  ['ledger', 'show', nul],
  ['ledger', 'verify', nul],
  ['ledger', 'verify', 'ledger.jsonl', '--checkpoint', nul, '--keys', nul],
  ['ledger', 'replay', nul],
  ['ledger', 'export', 'task', '--store', nul],
  ['run', nul],
  ['gateway', nul, '--check'],
  ['run', 'charter.js', '--store', nul],
  ['run', 'charter.js', '--answers', nul],
  ['demo', '--scripted', '--store', nul],
  ['demo', '--scripted', '--out', nul],
  ['render', 'task', '--format', 'json', '--out', nul],
  ['render', nul],
  ['check', nul],
  ['paths', nul],
  ['conformance', nul],
  ['python', nul],
  ['schema', 'check', 'upformat-message', nul],
];

const named = lines.map(
  (words) => [words.map((word) => (word === nul ? 'NUL' : word)).join(' '), words] as const,
);

it.each(named)('A file name with NUL is refused, and no file is written: %s', async (_, words) => {
  const cwd = await folder();
  const before = (await readdir(cwd)).toSorted();
  const { code, stderr, stdout } = await call(words, { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('"tasks.db\\u0000.txt": expected the name of a file without NUL (U+0000)');
  expect((await readdir(cwd)).toSorted()).toEqual(before);
});
