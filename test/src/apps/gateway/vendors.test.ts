import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { desk, person, stand } from './stand.ts';

const programOf = (name: string): string =>
  fileURLToPath(
    new URL(`../../../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url),
  );

const file = `
servers:
  everything: { command: node, args: [${programOf('server-everything')}] }
  files: { command: node, args: [${programOf('server-filesystem')}, notes] }
tools:
  everything.echo: { tier: read_only }
  everything.get-tiny-image: { tier: read_only }
  everything.get-structured-content: { tier: read_only }
  files.read_text_file: { tier: read_only }
  files.write_file: { rollback: person }
policy:
  - { tools: [files.*], verdict: allow, reason: notes are ours }
`;

it('The reference servers keep their results, and a file is written after a person said yes', async () => {
  const folder = await stand(file);
  await mkdir(join(folder, 'notes'));
  await writeFile(join(folder, 'notes/old.txt'), 'old');
  const { call, tools, said } = await desk(folder);
  expect((await tools()).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['everything_get-tiny-image', 'files_write_file']),
  );
  expect((await call('everything_echo', { message: 'hello' })).text).toContain('hello');
  expect((await call('everything_get-tiny-image')).text).toContain('image');
  const { structured } = await call('everything_get-structured-content', { location: 'Chicago' });
  expect(structured).toMatchObject({ temperature: expect.any(Number) });
  const path = join(folder, 'notes/new.txt');
  expect((await call('files_read_text_file', { path: join(folder, 'charter.yaml') })).isError).toBe(true);
  expect((await call('files_read_text_file', { path: join(folder, 'notes/old.txt') })).text).toContain('old');
  expect((await call('files_write_file', { path, content: 'new' })).text).toContain('It waits for operator');
  await expect(readFile(path)).rejects.toThrow('ENOENT');
  const { answer } = await person(said);
  expect(await answer({ type: 'approve' })).toBe(200);
  expect((await call('files_write_file', { path, content: 'new' })).isError).toBe(false);
  expect(await readFile(path, 'utf8')).toBe('new');
});
