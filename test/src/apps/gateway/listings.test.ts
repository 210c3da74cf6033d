import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { randomIds } from '../../../../src/core/shell/clock.ts';
import { innerServer } from '../../../../src/apps/gateway/inner-server.ts';
import { readCharter } from '../../../../src/apps/gateway/read-charter.ts';
import { simulatedClock } from '../../core/shell/simulated-clock.ts';
import { desk, did, stand } from './stand.ts';

/** A folder with a server that notes each listing, and says when its tools change or does not. */
const listing = async (how: 'says' | 'keeps silent'): Promise<string> => {
  const folder = await stand(`servers:
  lister: { command: node, args: [lister.mjs, ${how}] }
tools:
  lister.find: { tier: read_only }
`);
  await copyFile(new URL('lister.mjs', import.meta.url), join(folder, 'lister.mjs'));
  return folder;
};

const listings = async (folder: string): Promise<number> =>
  (await did(folder)).filter((line) => line === 'listed').length;

it('A program that says when its tools change is not asked before each call, and what changed is refused', async () => {
  const folder = await listing('says');
  const { call, tools } = await desk(folder);
  await tools();
  const before = await listings(folder);
  for (const at of [1, 2, 3]) expect((await call('lister_find', { at })).text).toBe('found');
  expect(await listings(folder)).toBe(before);
  expect((await call('lister_find', { changes: true })).text).toBe('found');
  for (const at of [4, 5])
    expect((await call('lister_find', { at })).text).toMatch(
      /its definition changed since it was listed.*accept it: agentcharter gateway \S+ --accept lister\.find/,
    );
  expect(await listings(folder)).toBe(before + 1);
});

it('A program that does not say so is asked before each call, and what changed is refused', async () => {
  const folder = await listing('keeps silent');
  const { call, tools } = await desk(folder);
  await tools();
  const before = await listings(folder);
  expect((await call('lister_find', { changes: true })).text).toBe('found');
  expect((await call('lister_find', {})).text).toContain('its definition changed since it was listed');
  expect(await listings(folder)).toBe(before + 2);
});

it('A program that was started again is asked, whatever it said before', async () => {
  const folder = await listing('says');
  const { call } = await desk(folder);
  await writeFile(join(folder, 'about.txt'), 'Finds anything.');
  expect((await call('lister_find', { dies: true })).isError).toBe(true);
  expect((await call('lister_find', {})).text).toContain('its definition changed since it was listed');
});

it('A listing holds for a minute at most: a program may forget to say that it changed', async () => {
  const folder = await listing('says');
  const charter = await readCharter(join(folder, 'charter.yaml'));
  const [[name, terms] = expect.fail('no server')] = Object.entries(charter.terms.servers);
  const clock = simulatedClock();
  const around = {
    charter,
    variables: {},
    say: () => {},
    isShadow: false,
    policy: null,
    clock,
    ids: randomIds,
  };
  const { client, close } = innerServer(name, terms, around);
  onTestFinished(close);
  for (const minutes of [0, 0.9, 0.2, 0.1]) {
    await clock.advance(minutes * 60_000);
    expect((await client.listTools()).tools).toHaveLength(1);
  }
  expect(await listings(folder)).toBe(2);
});
