import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import * as yaml from 'yaml';
import * as z from 'zod';
import { Duration, Schema } from '../../../../src/base/define/definition.ts';
import { CharterFile } from '../../../../src/apps/gateway/charter-file.ts';
import { fencesIn } from '../../../docs/fences.ts';
import { charter } from './stand.ts';

const root = new URL('../../../../', import.meta.url);
const name = 'schema/json/charter.schema.json';

/** The JSON Schema of the file, in the draft that every editor reads. */
const printed = {
  $id: 'urn:agentcharter:schema:charter',
  title: 'The file of agentcharter gateway',
  ...z.toJSONSchema(CharterFile(), {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === Duration) Object.assign(jsonSchema, { type: 'number', exclusiveMinimum: 0 });
      if (zodSchema === Schema) Object.assign(jsonSchema, { not: {} }); // code, which no file has
    },
  }),
};

const ajv = new Ajv({ strict: true });
addFormats.default(ajv);
const shipped: unknown = createRequire(import.meta.url)(`agentcharter/${name}`);
const isFile = ajv.compile(shipped as object);

it('The JSON Schema that is shipped is that of the file of the gateway', async () => {
  await expect(`${JSON.stringify(printed, null, 2)}\n`).toMatchFileSnapshot(new URL(name, root).pathname);
});

it('An editor finds the schema where the page says, and accepts the files of the page', () => {
  const page = readFileSync(new URL('docs/embed/gateway.md', root), 'utf8');
  const files = fencesIn(page).filter(({ language }) => language === 'yaml');
  expect(files[0]?.text).toMatch(`# yaml-language-server: $schema=node_modules/agentcharter/${name}\n`);
  const [whole = {}, ...parts] = files.map(({ text }) => yaml.parse(text) as object);
  for (const part of [{}, ...parts])
    expect(isFile({ ...whole, ...part }), ajv.errorsText(isFile.errors)).toBe(true);
  expect(parts.map((part) => Object.keys(part))).toEqual([
    ['clients'],
    ['authorization', 'clients'],
    ['clients'],
  ]);
});

it.each([
  ['', '', true],
  ['teir: ', 'tier: ', false],
  ['serverz:', 'servers:', false],
  ['comand: ', 'command: ', false],
  ['tier: readonly', 'tier: read_only', false],
  ['rollback: nobody', 'rollback: person', false],
  ['rollback: { tool: a, arguments: { b: c } }', 'rollback: person', false],
  ['rollback: { tool: a, arguments: { b: /arguments/c } }', 'rollback: person', true],
  ['rollback: person, deadline: 0', 'rollback: person', false],
  ['rollback: person, deadline: 5', 'rollback: person', true],
  ['url: ftp', 'command: node, args: [shop.mjs]', false],
  ['url: "http://127.0.0.1/"', 'command: node, args: [shop.mjs]', true],
  ['people: []\nservers:', 'servers:', false],
  ['clients: [{ name: a, token: secret }]\nservers:', 'servers:', false],
  ['beforeDeliver: { evidence: [{ type: custom, where: {} }] }\nservers:', 'servers:', false],
  ['policy: { cedar: a.cedar }\nservers:', 'servers:', true],
  ['policy: { module: a.js }\nservers:', 'servers:', true],
  ['policy: { cedar: a.cedar, module: a.js }\nservers:', 'servers:', false],
  ['policy: {}\nservers:', 'servers:', false],
  ['policy: { ceder: a.cedar }\nservers:', 'servers:', false],
  ['limits: { calls: 0 }\nservers:', 'servers:', false],
  ['limits: { idle: 1 }\nservers:', 'servers:', true],
])('An editor and the gateway judge a file alike, with %j in place of %j', (written, right, isRight) => {
  const file: unknown = yaml.parse(charter.replace(right, written));
  expect([isFile(file), CharterFile().safeParse(file).success]).toEqual([isRight, isRight]);
});

it('An editor explains the members of the file', () => {
  expect(shipped).toMatchObject({
    properties: { tools: { description: 'The contracts of tools, by `server.tool`.' } },
  });
});
