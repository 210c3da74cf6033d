import { describe, expect, it } from 'vitest';
import { mcpTools, type McpClient, type McpToolsOptions } from '../../../../src/adapters/mcp/index.ts';
import { causeOf, isCharterError, type CharterError } from '../../../../src/base/errors.ts';
import { foeOf, listedTool } from './foe.ts';

const raw = /[\p{C}\p{Zl}]/u;
const foul = 'a\u202e\u200b\n\u001b[2J\u2028b';

const refusal = async (client: McpClient, options: Partial<McpToolsOptions> = {}): Promise<CharterError> => {
  const error: unknown = await mcpTools(client, { server: 'foe', ...options }).then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!isCharterError(error)) throw new Error(`expected an error of ours, not ${causeOf(error)}`);
  return error;
};

const harmless = { annotations: { readOnlyHint: true } };

/** Texts of a value, however deep, but for JSON Pointers: a program follows those. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => (key === 'path' ? [] : [key, ...textsIn(member)]))
    : [];
};

const listing = async (...tools: readonly unknown[]): Promise<McpClient> => (await foeOf([tools])).client;

/** A client that a host made: it hands on what the SDK's would refuse. */
const handMade = (listTools: McpClient['listTools']): McpClient => ({
  listTools,
  callTool: async () => ({}),
});

const cases: readonly (readonly [string, () => Promise<McpClient>, Partial<McpToolsOptions>, RegExp])[] = [
  ['similar names', () => listing(listedTool(foul), listedTool(foul.toUpperCase())), {}, /\\u202e/],
  ['unselected names', () => listing(listedTool(foul)), { only: ['x'] }, /\\u202e/],
  [
    'names that are too long',
    () => listing(listedTool('\u202e'.repeat(200), harmless)),
    { isTrusted: true },
    /tool name/,
  ],
  ['members of a tool', () => listing({ name: 'x', inputSchema: foul }), {}, /not valid/],
  [
    'keys of a schema',
    () => listing(listedTool('x', { inputSchema: { [foul]: '\ud800' } })),
    { isTrusted: true },
    /\\u202e/,
  ],
  [
    'cursors',
    async () => handMade(async () => ({ tools: [], nextCursor: foul })),
    {},
    /cursor was repeated|before/,
  ],
  [
    'an error of the server',
    async () => handMade(() => Promise.reject(new Error(foul))),
    {},
    /^server foe could not list its tools: Error: a\\u202e/,
  ],
];

describe('An error with text from a server', () => {
  it.each(cases)('escapes every hidden character: %s', async (_, client, options, expected) => {
    const { message, details } = await refusal(await client(), options);
    expect(message).toMatch(expected);
    expect(message).not.toMatch(raw);
    expect(message.length).toBeLessThan(4_000);
    for (const text of textsIn(details)) expect(text).not.toMatch(raw);
  });

  it('keeps the original as its cause', async () => {
    const cause = new Error('offline');
    expect(await refusal(handMade(() => Promise.reject(cause)))).toMatchObject({
      code: 'document_invalid',
      cause,
    });
  });

  it('escapes hidden characters in the warning about hidden tools', async () => {
    const messages: string[] = [];
    await mcpTools(await listing(listedTool(foul)), {
      server: 'foe',
      onOmitted: ({ message }) => messages.push(message),
    });
    expect(messages).toEqual([expect.stringContaining('\\u202e')]);
    expect(messages[0]).not.toMatch(raw);
  });

  it('shortens a long list of names', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => listedTool(`tool_${at}_${'x'.repeat(60)}`));
    const { message } = await refusal(await listing(...many), { only: ['tool_1'] });
    expect(message.length).toBeLessThan(4_000);
    expect(message).toContain('more');
  });

  it('escapes hidden characters when a schema is used', async () => {
    const inputSchema = { type: 'object', properties: { [foul]: { type: 'string', pattern: `${foul}(` } } };
    const required = { type: 'object', required: [foul] };
    const tools = [listedTool('broken', { inputSchema }), listedTool('wanting', { inputSchema: required })];
    const contracts = { broken: { tier: 'read_only' }, wanting: { tier: 'read_only' } } as const;
    const [broken, wanting] = await mcpTools(await listing(...tools), { server: 'foe', contracts });
    const caught = await Promise.resolve(broken?.input['~standard'].validate({})).catch(
      (error: unknown) => error,
    );
    expect(isCharterError(caught, 'definition_invalid') && caught.message).toMatch(/\\u202e/);
    expect(isCharterError(caught) && caught.message).not.toMatch(raw);
    const checked = JSON.stringify(await wanting?.input['~standard'].validate({}));
    expect(JSON.parse(checked)).toMatchObject({ issues: [{ message: expect.stringContaining('\\u202e') }] });
    expect(checked).not.toMatch(raw);
  });
});
