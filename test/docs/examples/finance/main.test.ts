import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../run.ts';

it('makes all four runs, keeps the bank’s journals, and ends with 0', async () => {
  const { code, stdout, stderr } = await run('finance/main.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.match(/^\w+: as expected$/gm)).toEqual([
    'delivered: as expected',
    'unapproved: as expected',
    'incomplete: as expected',
    'forged: as expected',
  ]);
  const directory = /The journals of the bank, and the tasks, are in (.+)/.exec(stdout)?.[1] ?? '';
  const lines = async (file: string) => (await readFile(join(directory, file), 'utf8')).trimEnd().split('\n');
  const journals = await Promise.all(
    (await readdir(directory))
      .filter((file) => file.endsWith('.jsonl'))
      .toSorted()
      .map(async (file) => [file, (await lines(file)).length]),
  );
  await rm(directory, { recursive: true });
  expect(journals).toEqual([
    ['delivered.jsonl', 2],
    ['forged.jsonl', 1],
    ['incomplete.jsonl', 1],
    ['unapproved.jsonl', 1],
  ]);
});

it('prints one run as one JSON object a line', async () => {
  const { code, stdout } = await run('finance/main.ts', ['forged', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ run: 'forged', asExpected: true, decided: expect.any(Array) });
});

it.each([[['fraud']], [['forged', 'delivered']], [['--loud']]])(
  'ends with 2 for the invalid argument %j',
  async (args) => {
    const { code, stdout, stderr } = await run('finance/main.ts', args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      'Usage: tsx docs/examples/finance/main.ts [delivered|unapproved|incomplete|forged|all]',
    );
  },
);
