import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { Server } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundedValidator, mcpTools, type McpToolsOptions } from '../../../../src/adapters/mcp/index.ts';
import { jsonSchemaOf } from '../../../../src/base/define/json-schema-of.ts';
import type { Tool } from '../../../../src/index.ts';
import { foeOf, listedTool } from './foe.ts';

const wanting = { type: 'object', required: ['a'] };
const asynchronous: readonly (readonly [string, object])[] = [
  ['at the top', { $async: true, ...wanting }],
  ['in a member', { type: 'object', properties: { a: { $async: true, type: 'string' } }, required: ['a'] }],
  [
    'in a definition',
    { ...wanting, $defs: { b: { $async: true } }, properties: { a: { $ref: '#/$defs/b' } } },
  ],
  ['in a list', { ...wanting, allOf: [{}, { $async: true, required: ['b'] }] }],
  ['as false', { $async: false, ...wanting }],
];
const validators: readonly (readonly [string, McpToolsOptions['validator']])[] = [
  ['the thread', undefined],
  ['a validator of the host', new AjvJsonSchemaValidator()],
  ['a bounded validator', boundedValidator(new AjvJsonSchemaValidator())],
];

const toolOf = async (
  server: string,
  inputSchema: object,
  validator?: McpToolsOptions['validator'],
): Promise<Tool> => {
  const { client } = await foeOf([[listedTool('x', { inputSchema })]]);
  const contracts = { x: { tier: 'read_only' as const } };
  const budget = { schemaTime: 60_000 }; // the limit is not what these tests are about, and a busy machine is slow
  const tools = await mcpTools(client, { server, contracts, budget, ...(validator && { validator }) });
  return tools[0] as Tool; // it has one
};

const validate = async (tool: Tool, value: unknown = {}) => tool.input['~standard'].validate(value);

/** Rejections that nobody handled, which would end the process of a host. */
const unhandled = (): readonly unknown[] => {
  const caught: unknown[] = [];
  const listener = (error: unknown): void => void caught.push(error);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', listener);
  onTestFinished(() => {
    process.off('unhandledRejection', listener);
    for (const other of others) process.on('unhandledRejection', other);
  });
  return caught;
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe.each(validators)('An asynchronous schema, before %s', (_, validator) => {
  it.each(asynchronous)('is refused, and leaves no unhandled rejection: %s', async (_where, schema) => {
    const caught = unhandled();
    const evil = await toolOf('evil', schema, validator);
    await expect(validate(evil)).rejects.toMatchObject({
      code: 'definition_invalid',
      message: expect.stringContaining('"evil.x": its inputSchema cannot be used: it has the member $async'),
    });
    await turn();
    expect(caught).toEqual([]);
  });

  it('leaves the schemas of another server alone', async () => {
    const evil = await toolOf('evil', asynchronous[0]?.[1] ?? {}, validator);
    const good = await toolOf('good', { type: 'object' }, validator);
    for (let round = 0; round < 10; round += 1) {
      const [, one, other] = await Promise.allSettled([validate(evil), validate(good), validate(good)]);
      expect([one.status, other.status]).toEqual(['fulfilled', 'fulfilled']);
    }
  });
});

it.each([
  ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
  ['properties', { properties: { a: {} }, type: 'object' }, { properties: { a: {} }, type: 'object' }],
])('A model is shown the schema of a tool with %s', async (_, schema, shown) => {
  const { input } = await toolOf('post', schema);
  expect(jsonSchemaOf(input)).toEqual(shown);
  expect(await input['~standard'].validate({ b: 1 })).toEqual({ value: { b: 1 } });
});

describe('A validator of the host', () => {
  const later = { getValidator: () => () => Promise.reject(new Error('later')) };

  it.each([
    ['itself', later],
    ['bounded', boundedValidator(later as never)],
  ])('that returns a promise (%s) is refused, and its rejection is handled', async (_, validator) => {
    const caught = unhandled();
    const tool = await toolOf('post', { type: 'object' }, validator as never); // its type forbids it
    await expect(validate(tool)).rejects.toMatchObject({
      code: 'definition_invalid',
      message: expect.stringContaining('returned a promise'),
    });
    await turn();
    expect(caught).toEqual([]);
  });

  it('is used for every call within the time limit', async () => {
    const tool = await toolOf('post', wanting, new AjvJsonSchemaValidator());
    for (let round = 0; round < 5; round += 1)
      expect(await validate(tool, { a: 1 })).toEqual({ value: { a: 1 } });
  });
});

it('A bounded validator in a client refuses results with an asynchronous schema', async () => {
  const caught = unhandled();
  const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
  const outputSchema = { $async: true, type: 'object', required: ['a'] } as never; // its type knows no $async
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'x', inputSchema: { type: 'object' }, outputSchema }],
  }));
  server.setRequestHandler('tools/call', () => ({ content: [], structuredContent: {} }));
  const jsonSchemaValidator = boundedValidator(new AjvJsonSchemaValidator());
  const client = new Client({ name: 'c', version: '1' }, { jsonSchemaValidator });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await client.connect(ours);
  onTestFinished(() => client.close());
  const called = async () => {
    await client.listTools();
    return client.callTool({ name: 'x', arguments: {} });
  };
  await expect(called()).rejects.toThrow('$async');
  await turn();
  expect(caught).toEqual([]);
});
