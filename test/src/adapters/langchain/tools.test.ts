import { ToolMessage } from '@langchain/core/messages';
import { DynamicTool } from '@langchain/core/tools';
import { Command } from '@langchain/langgraph';
import { defineTool, defineTaskClass } from 'agentcharter';
import { type OmittedTools, createGuard, type CallOutcome } from 'agentcharter/guard';
import { guardTools } from 'agentcharter/adapters/langchain';
import { tool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { notKeptKey } from '../../../../src/base/canonical/kept.ts';
import { identity } from './fixture.ts';

const returns = (name: string, schema: object, seen: unknown[] = []) =>
  tool(
    async (given: unknown) => {
      seen.push(given);
      return { ok: true };
    },
    { name, description: `It is ${name}.`, schema: schema as never }, // each kind of schema that the framework takes
  );

const rollback = {
  describe: () => ({ type: 'inverse', target: 'it', payload: {} }),
  run: async () => ({}),
};

/** One call of one guarded tool. */
const made = async (
  given: object,
  input: object,
  tier: 'read_only' | 'write_low_risk' = 'read_only',
): Promise<CallOutcome> => {
  const { tools } = guardTools([given], { [nameOf(given)]: { tier } });
  const ids = tools.map(({ name }) => name);
  await using guard = createGuard({
    tools,
    taskClasses: [defineTaskClass({ id: 'job', tools: ids })],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
  });
  const run = await guard.begin({ taskClass: 'job', payload: {}, identity });
  return await run.call(ids[0] ?? '', input);
};

const nameOf = (given: object): string => ('name' in given ? String(given.name) : '');

const answers = (returned: unknown) =>
  tool(async () => returned, { name: 'a', description: 'Answers.', schema: z.object({}) });
const declined = (content: ToolMessage['content']) =>
  new ToolMessage({ content, status: 'error', tool_call_id: '1' });
const blocks = [{ type: 'text', text: 'Card declined' }];

it('names and arguments of tools are known to the compiler', () => {
  const schema = z.object({ city: z.string() });
  const weather = tool(async () => 'rain', { name: 'weather', description: 'Weather.', schema });
  const { tools } = guardTools([weather], {
    weather: { tier: 'read_only', summary: ({ city }) => city satisfies string },
  });
  tools[0]?.name satisfies 'weather' | undefined;
  // @ts-expect-error -- the tool has no such argument
  const wrong = () => guardTools([weather], { weather: { summary: ({ town }) => String(town) } });
  // @ts-expect-error -- there is no such tool
  const unknown = () => guardTools([weather], { wether: {} });
  expect([wrong, unknown]).toHaveLength(2);
});

describe('guardTools', () => {
  it('treats a tool without a contract as a high-risk write', () => {
    const { tools } = guardTools([returns('a', z.object({})), returns('b', z.object({}))], {
      a: { rollback },
      b: { tier: 'read_only' },
    });
    expect(tools.map(({ name, description, tier }) => [name, description, tier])).toEqual([
      ['a', 'It is a.', 'write_high_risk'],
      ['b', 'It is b.', 'read_only'],
    ]);
  });

  it('hides a high-risk tool without rollback from the agent, and warns once', () => {
    const omitted: OmittedTools[] = [];
    const given = ['a', 'b', 'c'].map((name) => returns(name, z.object({})));
    const contracts = { b: { tier: 'read_only' }, c: { tier: 'write_high_risk' } } as const;
    // @ts-expect-error -- `c` says that it is high-risk and has no rollback
    const guarded = guardTools(given, contracts, [], { onOmitted: (told) => omitted.push(told) });
    expect(guarded.tools.map(({ name }) => name)).toEqual(['b']);
    expect(guarded.bind(() => Promise.reject(new Error('no run'))).map(({ name }) => name)).toEqual(['b']);
    expect(omitted).toEqual([
      { names: ['a', 'c'], message: expect.stringContaining('"a": its rollback is required') },
    ]);
  });

  it('refuses a contract of an unknown tool', () => {
    expect(() => guardTools([returns('a', z.object({}))], { b: {} })).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        message: expect.stringContaining('expected one of a'),
      }),
    );
  });

  it('refuses tools that a provider or a client of the graph runs', () => {
    const headless = tool({ name: 'where', description: 'Where are you?', schema: z.object({}) });
    for (const elsewhere of [{ type: 'web_search' }, headless])
      expect(() => guardTools([elsewhere])).toThrow(expect.objectContaining({ code: 'definition_invalid' }));
  });

  it('shows an agent its tools and ours, with their input schemas', () => {
    const own = defineTool({
      name: 'own',
      description: 'Ours.',
      tier: 'read_only',
      input: z.object({ a: z.string() }),
      call: async () => ({}),
    });
    const { tools, bind } = guardTools([returns('a', z.object({ b: z.int() }))], { a: { rollback } }, [own]);
    expect(tools.map(({ name }) => name)).toEqual(['a']);
    const shown = bind(() => Promise.reject(new Error('no run')));
    expect(shown.map(({ name, description }) => [name, description])).toEqual([
      ['a', 'It is a.'],
      ['own', 'Ours.'],
    ]);
    expect(shown.map(({ schema }) => schema)).toMatchObject([
      { properties: { b: { type: 'integer' } } },
      { properties: { a: { type: 'string' } } },
    ]);
  });

  it('reads arguments by the schema of the tool: zod, JSON Schema, or a text', async () => {
    const json = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const text = new DynamicTool({
      name: 'text',
      description: 'Takes a text.',
      func: async (said) => `heard ${said}`,
    });
    expect(await made(returns('a', z.object({ a: z.string() })), { a: 'b' })).toMatchObject({
      status: 'done',
    });
    expect(await made(returns('a', json), { a: 'b' })).toMatchObject({ status: 'done' });
    expect(await made(text, { input: 'it' })).toMatchObject({ status: 'done', result: 'heard it' });
    for (const schema of [z.object({ a: z.string() }), json])
      expect(await made(returns('a', schema), { a: 1 })).toMatchObject({
        status: 'refused',
        code: 'OUTPUT_INVALID',
      });
  });

  it('reads arguments once, so that the tool gets what the policy and the approver saw', async () => {
    const seen: unknown[] = [];
    const doubling = z.object({ cents: z.int().transform((cents) => cents * 2) });
    const dated = z.object({ at: z.string().transform((at) => new Date(at)) });
    await made(returns('a', doubling, seen), { cents: 2 });
    await made(returns('a', dated, seen), { at: '2026-11-21' });
    expect(seen).toEqual([{ cents: 4 }, { at: new Date('2026-11-21') }]);
  });

  it('takes the content of a ToolMessage as the result', async () => {
    for (const content of ['42', blocks]) {
      const message = new ToolMessage({ content, tool_call_id: '1', artifact: { rows: [1] } });
      expect(await made(answers(message), {})).toMatchObject({ status: 'done', result: content });
    }
  });

  it.each([['Card declined'], [blocks]])('fails with the words of an error message: %j', async (content) => {
    expect(await made(answers(declined(content)), {})).toMatchObject({
      status: 'refused',
      code: 'TOOL_FAILED',
      explanation: expect.stringContaining('Card declined'),
    });
    const write = await made(answers(declined(content)), {}, 'write_low_risk');
    expect(write.status).toBe('paused'); // it may have happened
  });

  it('fails a read that returns a Command, and keeps no Command of a write', async () => {
    const returned = new Command({ update: { messages: [] } });
    expect(await made(answers(returned), {})).toMatchObject({
      status: 'refused',
      explanation: expect.stringContaining('returned a Command of LangGraph'),
    });
    expect(await made(answers(returned), {}, 'write_low_risk')).toMatchObject({
      status: 'done',
      result: { [notKeptKey]: expect.stringContaining('a Command of LangGraph') },
    });
  });
});
