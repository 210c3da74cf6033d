import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createElicitations, mcpTools, type McpToolsOptions } from '../../../../src/adapters/mcp/index.ts';
import { call } from '../../core/shell/scripted.ts';
import { fixtureOf, spawned, type FixtureOptions } from './fixture.ts';

type Sdk = 'first' | 'second';

const connected = async (sdk: Sdk) => {
  const elicitations = createElicitations();
  const client = await spawned('server-everything', ['stdio'], ({ first, second }) => {
    if (sdk === 'second') second.setRequestHandler('elicitation/create', elicitations.answer);
    else first.setRequestHandler(ElicitRequestSchema, elicitations.answer);
    return sdk === 'second' ? second : first;
  });
  return { client, elicitations };
};

const asking = 'trigger-elicitation-request';

describe.each([['second'], ['first']] as const)('server-everything behind the %s SDK', (sdk) => {
  let told: Awaited<ReturnType<typeof connected>>;
  beforeAll(async () => {
    told = await connected(sdk);
  });
  afterAll(() => told.client.close());

  const setUp = async (fixtureOptions: FixtureOptions, given: Partial<McpToolsOptions> = {}) => {
    const { client, elicitations } = told;
    const tools = await mcpTools(client, { server: 'all', isTrusted: true, elicitations, ...given });
    return { client, tools, ...fixtureOf(tools, fixtureOptions) };
  };

  it('has the tiers of its annotations', async () => {
    const { tools } = await setUp({});
    const tierOf = Object.fromEntries(tools.map(({ name, tier }) => [name, tier]));
    expect(tierOf).toMatchObject({
      'all.echo': 'read_only',
      'all.get-structured-content': 'read_only',
      'all.trigger-long-running-operation': 'read_only',
      'all.gzip-file-as-resource': 'write_low_risk',
      'all.toggle-simulated-logging': 'write_low_risk',
      'all.trigger-elicitation-request': 'write_low_risk',
    });
  });

  it('returns structured output when the tool has an output schema, and its content otherwise', async () => {
    const calls = [
      call('all.echo', { message: 'hello' }),
      call('all.get-structured-content', { location: 'Chicago' }),
    ];
    const { orchestrator, submit, evidence } = await setUp({ calls });
    const taskId = await submit();
    await orchestrator.settled(taskId);
    expect((await evidence(taskId)).map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ tool: 'echo', content: [{ type: 'text', text: 'Echo: hello' }] }),
        expect.objectContaining({
          structured: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
        }),
      ]),
    );
  });

  it('is not called with arguments that fail its schema', async () => {
    const { orchestrator, submit, turns } = await setUp({
      calls: [call('all.get-structured-content', { location: 'Atlantis' })],
    });
    await orchestrator.settled(await submit());
    const [, second] = turns;
    expect(second?.asks).toBe('correction');
    expect(second?.rejected?.issues[0]?.path).toContain('/calls/0/arguments');
  });

  it('is aborted when a call exceeds its deadline', async () => {
    const long = 'trigger-long-running-operation';
    const contracts = { [long]: { deadline: 100 } };
    const { orchestrator, submit } = await setUp(
      { calls: [call(`all.${long}`, { duration: 30, steps: 1 })] },
      { contracts },
    );
    const { reasons } = await orchestrator.settled(await submit());
    expect(reasons.map(({ code }) => code)).toContain('TOOL_TIMEOUT');
  });

  it('waits for a person when it asks a question, and continues with the answer', async () => {
    const { orchestrator, submit, question, answer, evidence } = await setUp(
      { calls: [call(`all.${asking}`)] },
      { contracts: { [asking]: { asksFirst: true } } },
    );
    const taskId = await submit();
    const entry = await question();
    expect(entry.question.kind).toBe('tool');
    expect(entry.message.explanation).toBe('all asks: Please provide inputs for the following fields:');
    await answer(entry, 'edit', { value: { name: 'Kim', check: true } });
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(JSON.stringify(await evidence(taskId))).toContain('- Name: Kim');
  });

  it('receives a decline when the call may not wait', async () => {
    const { orchestrator, submit, evidence } = await setUp({ calls: [call(`all.${asking}`)] });
    const taskId = await submit();
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(JSON.stringify(await evidence(taskId))).toContain('User declined');
  });

  it('is not called for a tool that needs an MCP task', async () => {
    const { client } = await setUp({});
    const { tools } = await client.listTools();
    if (!tools.some(({ name }) => name === 'simulate-research-query')) return;
    const { orchestrator, submit } = await setUp({
      calls: [call('all.simulate-research-query', { topic: 'tides' })],
    });
    const taskId = await submit();
    await orchestrator.settled(taskId);
    const failed = (await orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'call.failed');
    expect(failed?.brought.explanation).toBe('it can only be called as an MCP task');
  });
});
