import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { call as command } from '../cli/call.ts';
import { desk, did, stand } from './stand.ts';

const till = fileURLToPath(new URL('till.mjs', import.meta.url));
const undo = (pointer: string): string =>
  `{ tier: write_low_risk, rollback: { tool: undo, arguments: { order: /arguments/order, id: ${pointer} } } }`;
const charter = `
servers:
  till: { command: node, args: ['${till}'] }
tools:
  till.refund: ${undo('/result/refund/id')}
  till.note: ${undo('/result/content/0/text')}
policy: [{ tools: [till.*], verdict: allow, reason: ours }]
`;
const store = '--store .agentcharter/tasks.db';

/** Cancels the only task of a folder, as a person does. Returns its thread. */
const cancelled = async (folder: string) => {
  const { stdout } = await command(`tasks ${store} --json`, { cwd: folder });
  const [task] = (JSON.parse(stdout) as { readonly tasks: readonly { readonly taskId: string }[] }).tasks;
  const { code } = await command(`cancel ${task?.taskId} --as operator --config charter.yaml`, {
    cwd: folder,
  });
  expect(code).toBe(0);
  return async () => (await command(`thread ${task?.taskId} ${store}`, { cwd: folder })).stdout;
};

it('Writes are undone with values of their arguments and of their own results', async () => {
  const folder = await stand(charter);
  const { call } = await desk(folder);
  for (const order of ['o-1', 'o-2']) await call('till_refund', { order });
  await call('till_note', { order: 'o-3' });
  const thread = await cancelled(folder);
  await expect
    .poll(async () => (await did(folder)).slice(3).toSorted())
    .toEqual(['undid n-o-3 of o-3', 'undid r-o-1 of o-1', 'undid r-o-2 of o-2']);
  await expect.poll(thread).toContain('calls till.refund with order "o-2": undone');
});

it('A write that was made before a restart is undone with its result', async () => {
  const folder = await stand(charter);
  const before = await desk(folder);
  await before.call('charter_begin', { request: 'Refund o-1.' });
  await before.call('till_refund', { order: 'o-1' });
  await before.leave();
  await desk(folder);
  await cancelled(folder);
  await expect.poll(() => did(folder)).toEqual(['refunded o-1', 'undid r-o-1 of o-1']);
});

it('A value that was too large for the record leaves the undoing to a person', async () => {
  const file = charter.replace('/result/content/0/text', '/result/content/0');
  const folder = await stand(file);
  const { call, said } = await desk(folder);
  await call('till_note', { order: 'o-large' });
  await cancelled(folder);
  await expect.poll(said).toContain('undo needs /result/content/0, and the record');
  expect(await did(folder)).toEqual(['noted o-large']);
});

it('A value that no record holds exactly leaves the undoing to a person', async () => {
  const folder = await stand(charter);
  const { call, said } = await desk(folder);
  await call('till_refund', { order: 'o-huge' });
  await cancelled(folder);
  await expect.poll(said).toContain('undo needs /result/refund/id, and the record');
  expect(await did(folder)).toEqual(['refunded o-huge']);
});

it('A result without the value leaves the undoing to a person, and names the pointer', async () => {
  const folder = await stand(charter);
  const { call, said } = await desk(folder);
  await call('till_refund', { order: 'o-none' });
  await cancelled(folder);
  await expect
    .poll(said)
    .toContain(
      'a person must undo till.refund by hand, which was called with {"order":"o-none"}: undo needs /result/refund/id, and the record of its result has nothing there',
    );
  expect(await did(folder)).toEqual(['refunded o-none']);
});

it('A pointer into something else is refused with what is accepted', async () => {
  const file = charter.replace('/result/refund/id', '/answer/id');
  const { stderr } = await command('gateway charter.yaml --check', { cwd: await stand(file) });
  expect(stderr).toContain('must begin with /arguments or /result, such as /arguments/order');
});
