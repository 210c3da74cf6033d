import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { did, person, seated, stand } from './stand.ts';

const library = fileURLToPath(new URL('library.mjs', import.meta.url));

const charter = `
servers:
  library: { command: node, args: ['${library}'] }
tools:
  library.find: { tier: read_only }
  library.scan: { tier: read_only }
  library.locate: { tier: read_only }
  library.lend: { tier: write_high_risk, rollback: person }
`;

const emma = { arguments: { title: 'Emma' } };
const shelf = { title: 'Emma', shelf: 7 };
const all = {
  content: [
    { type: 'text', text: 'It is on shelf 7.', annotations: { audience: ['user'] } },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'resource_link', uri: 'book://emma', name: 'Emma' },
    { type: 'resource', resource: { uri: 'book://emma/1', text: 'Emma Woodhouse, handsome' } },
  ],
  structuredContent: shelf,
};

it('A structured result keeps its texts, images, links and resources for the client', async () => {
  const { client } = await seated(await stand(charter));
  expect(await client.callTool({ name: 'library_find', ...emma })).toMatchObject(all);
});

it('An image that is too large for a record reaches the client whole', async () => {
  const { client } = await seated(await stand(charter));
  const { content } = await client.callTool({ name: 'library_scan', ...emma });
  expect(content).toEqual([{ type: 'image', data: 'A'.repeat(3_000_000), mimeType: 'image/png' }]);
});

it('A structured result that only repeats itself as text has this text', async () => {
  const { client } = await seated(await stand(charter));
  expect(await client.callTool({ name: 'library_locate', ...emma })).toMatchObject({
    content: [{ type: 'text', text: JSON.stringify(shelf) }],
    structuredContent: shelf,
  });
});

it('A structured result of a write that was made before a restart is whole after it', async () => {
  const folder = await stand(charter);
  const before = await seated(folder);
  await before.client.callTool({ name: 'library_lend', ...emma });
  const { answer } = await person(before.said);
  expect(await answer({ type: 'approve' })).toBe(200);
  await expect.poll(() => did(folder)).toEqual(['lent Emma']);
  await before.client.close();
  const after = await seated(folder);
  expect(await after.client.callTool({ name: 'library_lend', ...emma })).toMatchObject(all);
  expect(await did(folder)).toEqual(['lent Emma']);
});
