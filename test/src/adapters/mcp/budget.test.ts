import { describe, expect, it } from 'vitest';
import { mcpTools, type McpToolsOptions } from '../../../../src/adapters/mcp/index.ts';
import type { Tool } from '../../../../src/index.ts';
import { call } from '../../core/shell/scripted.ts';
import { crowd, foeOf, listedTool, type Foe } from './foe.ts';
import { fixtureOf } from './fixture.ts';
import { patience } from '../../../waits.ts';

const options = (budget: McpToolsOptions['budget'] = {}, ...read: readonly string[]): McpToolsOptions => ({
  server: 'foe',
  only: read,
  contracts: Object.fromEntries(read.map((name) => [name, { tier: 'read_only' as const }])),
  budget,
});
const deep = (levels: number): object => (levels === 1 ? {} : { of: deep(levels - 1) });

const backForEver = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
const bait = { a: `${'a'.repeat(40)}!` };
const validate = async (tool: Tool | undefined, value: unknown = bait) =>
  tool?.input['~standard'].validate(value);

const failure = async (tools: readonly Tool[], name = 'foe.take') => {
  const { orchestrator, submit } = fixtureOf(tools, { calls: [call(name)] });
  const taskId = await submit();
  await orchestrator.settled(taskId);
  const failed = (await orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'call.failed');
  return failed?.brought.explanation ?? null;
};

describe.each([['second'], ['first']] as const)('A tool listing over the %s SDK', (sdk) => {
  it.each([
    ['tools', {}, [crowd(100_001)], 100_001, 5_000],
    ['tools', { tools: 7 }, [crowd(4), crowd(4, 4)], 8, 7],
    ['pages', { pages: 3 }, [[], [], [], []], null, 3],
    [
      'listingBytes',
      { listingBytes: 4_000 },
      [[listedTool('a', { description: 'x'.repeat(4_000) })]],
      4_061,
      4_000,
    ],
    ['listingBytes', { listingBytes: 4_000 }, [crowd(50), crowd(50, 50)], expect.any(Number), 4_000],
    ['depth', {}, [[listedTool('a', { inputSchema: { type: 'object', of: deep(5_000) } })]], null, 64],
  ] as const)('over its %s is refused: %j', async (limit, budget, pages, sent, allowed) => {
    const { client } = await foeOf(pages, sdk);
    await expect(mcpTools(client, options(budget))).rejects.toMatchObject({
      code: 'budget_exceeded',
      details: { party: 'server foe', limit, sent, allowed },
      message: expect.stringContaining(limit === 'depth' ? 'have it need less' : `raise budget.${limit}`),
    });
  });

  it('is read again only until it names the called tool', async () => {
    const pages = [crowd(3), [listedTool('take')], crowd(3, 3)];
    const { client, foe } = await foeOf(pages, sdk);
    const tools = await mcpTools(client, options({}, 'take'));
    expect(foe.listed).toEqual([0, 1, 2]);
    foe.listed.length = 0;
    expect(await failure(tools)).toBeNull();
    expect([foe.listed, foe.called]).toEqual([[0, 1], ['take']]);
  });

  it('over the budget at a later reading prevents every call', async () => {
    const { client, foe } = await foeOf([[listedTool('take')]], sdk);
    const tools = await mcpTools(client, options({}, 'take'));
    foe.pages = [crowd(5_000), [listedTool('take')]];
    expect(await failure(tools)).toContain('server foe sends 5001 tools in one listing');
    expect(foe.called).toEqual([]);
  });

  it('compiles only the schemas that are used, when they are used', async () => {
    const broken = listedTool('broken', {
      inputSchema: { type: 'object', properties: { a: { pattern: '(' } } },
    });
    const outputSchema = { type: 'object', properties: { a: { pattern: '(' } } };
    const { client } = await foeOf([[listedTool('take'), broken, listedTool('loud', { outputSchema })]], sdk);
    const tools = await mcpTools(client, options({}, 'take', 'broken'));
    expect(await failure(tools)).toBeNull();
    await expect(validate(tools[1])).rejects.toMatchObject({
      code: 'definition_invalid',
      message: expect.stringContaining('tool "foe.broken": its inputSchema cannot be used: Invalid regular'),
    });
  });
});

const returning = async (answer: object, more: object) => {
  const { client, foe } = await foeOf([[listedTool('take', more)]]);
  foe.answer = answer;
  return mcpTools(client, options({}, 'take'));
};
describe('A tool result', () => {
  const outputSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

  it.each([
    [{ content: [], structuredContent: { a: 7 } }, 'does not match its outputSchema: data/a must be string'],
    [{ content: [] }, 'it has an outputSchema, but returned no structured content'],
    [{ content: [], structuredContent: { a: 'seven' } }, null],
  ])('is validated against its outputSchema: %j', async (answer, why) => {
    const reason = await failure(await returning(answer, { outputSchema }));
    if (why === null) expect(reason).toBeNull();
    else expect(reason).toContain(why);
  });
});

const slow = (name: string) => listedTool(name, { inputSchema: backForEver });
const six = ['a', 'b', 'c', 'd', 'e', 'f'];

const bound = async (pages: Foe['pages'], schemaTime: number, ...names: readonly string[]) =>
  mcpTools((await foeOf(pages)).client, options({ schemaTime }, ...names));

const identified = (type: string) => ({ $id: 'urn:of:a', type: 'object', properties: { a: { type } } });
const forEver = () => /^(a+)+$/.test(bait.a);

describe('Schemas of one server', () => {
  it('share one time limit, and never block the main thread', async () => {
    const tools = await bound([[...six.map(slow), listedTool('quick')]], 200, ...six, 'quick');
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    const results = await Promise.allSettled(tools.map((tool) => validate(tool)));
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(0);
    expect(results.map((result) => result.status === 'rejected' && String(result.reason.code))).toEqual(
      Array(7).fill('budget_exceeded'),
    );
  });

  it('leave the time limit of another server alone', async () => {
    const [one] = await bound([[slow('a')]], 200, 'a');
    const [other] = await bound([[listedTool('a')]], patience, 'a');
    const [first, second] = await Promise.allSettled([validate(one), validate(other)]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  });

  it('do not replace another server’s schemas with the same $id', async () => {
    const [one] = await bound([[listedTool('a', { inputSchema: identified('string') })]], patience, 'a');
    const [other] = await bound([[listedTool('a', { inputSchema: identified('number') })]], patience, 'a');
    expect(await validate(one, { a: 'x' })).toEqual({ value: { a: 'x' } });
    expect(await validate(other, { a: 'x' })).toMatchObject({
      issues: [{ message: 'data/a must be number' }],
    });
  });

  it('refuse arguments of any depth without a crash', async () => {
    const [tool] = await bound([[listedTool('a')]], patience, 'a');
    let value: object = {};
    for (let level = 0; level < 100_000; level += 1) value = { of: value };
    expect(await validate(tool, value)).toEqual({ issues: [{ message: 'it is nested too deeply' }] });
  });

  it('share one time limit even with the host’s validator', async () => {
    const validator = { getValidator: () => () => ({ valid: forEver() as true }) };
    const { client } = await foeOf([six.map(slow)]);
    const tools = await mcpTools(client, { ...options({ schemaTime: 50 }, ...six), validator });
    const results = await Promise.allSettled(tools.map((tool) => validate(tool)));
    expect(results.map((result) => result.status === 'rejected' && String(result.reason.code))).toEqual(
      Array(6).fill('budget_exceeded'),
    );
  });
});

it('An invalid budget is refused', async () => {
  const { client } = await foeOf([[]]);
  await expect(mcpTools(client, options({ tools: -1 }))).rejects.toMatchObject({
    code: 'definition_invalid',
    message: 'mcpTools: /budget/tools expected a whole number from 1',
  });
});
