import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { call as command } from '../cli/call.ts';
import { desk, seated, stand } from './stand.ts';

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const serverOf = (name: string, town: string, more: string, ...rest: readonly string[]): string =>
  `  ${name}: { command: node, args: ['${at('library.mjs')}', ${[town, ...rest].join(', ')}]${more} }`;

const all = ', resources: true, prompts: true';
const two = `servers:
${serverOf('here', 'bath', all)}
${serverOf('there', 'york', all, 'book://persuasion')}
`;

describe.each([
  ['2', false],
  ['1', true],
] as const)('A client of version %s of the SDK', (_, first) => {
  it('reads the resources of each server by their own URIs', async () => {
    const { client } = await seated(await stand(two), { first });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['book://emma', 'book://persuasion']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'bath://{book}/{page}',
      'york://{book}/{page}',
    ]);
    for (const [uri, text] of [
      ['book://emma', 'Emma of bath'],
      ['book://persuasion', 'Emma of york'],
      ['york://emma/7', 'a page of york'],
    ] as const)
      expect(await client.readResource({ uri })).toMatchObject({ contents: [{ uri, text }] });
    await expect(client.readResource({ uri: 'book://none' })).rejects.toThrow(
      'no server lists the resource "book://none"',
    );
  });

  it('gets the prompts of each server under the name of the server', async () => {
    const { client } = await seated(await stand(two), { first });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['here_praise', 'there_praise']);
    const given = { name: 'there_praise', arguments: { book: 'Emma' } };
    expect(await client.getPrompt(given)).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Praise Emma of york.' } }],
    });
    await expect(client.getPrompt({ name: 'praise' })).rejects.toThrow('there is no prompt "praise"');
  });
});

it('Resources and prompts are passed on only of servers of which the file says so', async () => {
  const file = `servers:\n${serverOf('here', 'bath', '')}\n${serverOf('there', 'york', ', prompts: true')}\n`;
  const { client } = await seated(await stand(file));
  expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {} });
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['there_praise']);
  await expect(client.getPrompt({ name: 'here_praise' })).rejects.toThrow('there is no prompt');
});

it('A client that sees some tools of a server gets none of its resources and prompts', async () => {
  const tools = 'tools: { there.find: { tier: read_only } }';
  const clients = 'clients: [{ name: desk, tools: [here.*, there.find] }]';
  const { client } = await seated(await stand(`${two}${tools}\n${clients}\n`));
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['book://emma']);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['here_praise']);
  await expect(client.getPrompt({ name: 'there_praise' })).rejects.toThrow('there is no prompt');
});

it('--check says which resources and prompts are passed on, and how to pass on the others', async () => {
  const file = `servers:\n${serverOf('here', 'bath', ', resources: true')}\n`;
  const { stdout } = await command('gateway charter.yaml --check', { cwd: await stand(file) });
  expect(stdout).toContain('here passes on resources: "book://emma", "bath://{book}/{page}"\n');
  expect(stdout).toContain(
    'here has prompts that are not passed on: "here_praise". To pass them on, set `prompts: true` of the server\n',
  );
});

it.each(['--check', ''])('A URI that two servers list is refused with its line: gateway %s', async (flag) => {
  const file = `servers:\n${serverOf('here', 'bath', all)}\n${serverOf('there', 'york', all)}\n`;
  const { code, stderr } = await command(`gateway charter.yaml ${flag}`, { cwd: await stand(file) });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /charter\.yaml:3:\d+: servers\.there\.resources: server there lists "book:\/\/emma", which server here lists too/,
  );
});

it('A server that asks for a model, for folders or for a person is refused in words', async () => {
  const file = `servers:\n  asks: { command: node, args: ['${at('asks.mjs')}'] }\ntools: { asks.ask: { tier: read_only } }\n`;
  const { call, said } = await desk(await stand(file));
  const { text, isError } = await call('asks_ask');
  expect({ isError, refusals: JSON.parse(text) as unknown }).toEqual({
    isError: false,
    refusals: ['sampling/createMessage', 'roots/list', 'elicitation/create'].map(
      (method) => `the gateway answers no "${method}": it passes requests of servers on to no one`,
    ),
  });
  expect(said()).toContain('asks: the gateway answers no "sampling/createMessage"');
});
