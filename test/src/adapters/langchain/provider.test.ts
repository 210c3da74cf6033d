import { RunnableLambda } from '@langchain/core/runnables';
import { END, MessagesAnnotation, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { charterMiddleware, deliverNode, guardTools, runGraph } from 'agentcharter/adapters/langchain';
import { createGuard, type Run } from 'agentcharter/guard';
import { defineTaskClass } from 'agentcharter';
import { AIMessage, createAgent, fakeModel, tool } from 'langchain';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asked, calls, identity, openFixture } from './fixture.ts';
import { Hosting } from './hosting.ts';
import { scripted } from './scripted.ts';
import { hidePlanned } from '../../../planned.ts';

/** LangChain prints what a handler throws, before it stops the run. */
beforeEach(() => hidePlanned('error', /^Error in handler GraphWatch, /));

const refused = { code: 'definition_invalid' };

const shapes: readonly (readonly [what: string, tool: object, isTaken: boolean])[] = [
  ['a function', { type: 'function', function: { name: 'a' } }, true],
  ['a function of Responses', { type: 'function', name: 'a', parameters: {} }, true],
  ['a tool with an input_schema', { name: 'a', input_schema: {} }, true],
  ['functionDeclarations', { functionDeclarations: [] }, true],
  ['a toolSpec', { toolSpec: {} }, true],
  ['a web search', { type: 'web_search_preview' }, false],
  ['a dated tool', { type: 'computer_20250124', name: 'computer' }, false],
  ['hosted MCP', { type: 'mcp', server_label: 'files' }, false],
  ['googleSearch', { googleSearch: {} }, false],
  ['googleSearch next to functions', { functionDeclarations: [], googleSearch: {} }, false],
  ['a search that claims to be invoked here', { type: 'web_search', invoke: null }, false],
  ['a search with an invoke and a schema', { type: 'web_search', invoke: () => '', schema: {} }, false],
  [
    'a definition of the provider in a tool',
    { invoke: () => '', schema: {}, extras: { providerToolDefinition: { type: 'web_search' } } },
    false,
  ],
  ['a cachePoint', { cachePoint: { type: 'default' } }, true],
];

const members: readonly (readonly [member: object, isTaken: boolean])[] = [
  [{ model: 'm', temperature: 1, topP: 1, stop: ['x'], generationConfig: { maxOutputTokens: 1 } }, true],
  [{ tools: [], mcp_servers: [], prompt: undefined }, true],
  [{ prompt: { id: 'pmpt_1' } }, false],
  [{ cachedContent: 'cachedContents/1' }, false],
  [{ searchParameters: { mode: 'on' } }, false],
  [{ mcpServers: [{ url: 'x' }] }, false],
  [{ extra_body: { tools: [{ type: 'web_search' }] } }, false],
  [{ modelKwargs: { web_search_options: {} } }, false],
  [{ options: { body: { tools: [{ type: 'web_search' }] } } }, false],
  [{ toolConfig: { tools: [{ systemTool: { name: 'nova_grounding' } }] } }, false],
  [{ previous_response_id: 'r' }, false],
  [{ enable_search: true }, false],
];

const graphWith = (run: Run, model: Pick<Hosting, 'invoke'>) =>
  new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('deliver', deliverNode(run, { again: 'model' }), { ends: ['model', END] })
    .addEdge(START, 'model')
    .addEdge('model', 'deliver')
    .compile({ checkpointer: new MemorySaver() });

const sending = (always: object) => new Hosting([{ answer: { good: true } }], () => undefined, always);

describe('A model request in a graph', () => {
  it.each(shapes)('with %s is sent only if that is called here', async (_, shown, isTaken) => {
    const fixture = openFixture();
    await using _guard = fixture.guard;
    const run = await fixture.begin();
    const graph = graphWith(run, sending({}).bindTools([shown]));
    const stop = runGraph(graph, run, asked);
    if (isTaken) expect(await stop).toMatchObject({ status: 'delivered' });
    else await expect(stop).rejects.toMatchObject(refused);
  });
});

describe('A member of a model request', () => {
  it.each(members)('is sent only if it is known to start nothing: %j', async (member, isTaken) => {
    const fixture = openFixture();
    await using _guard = fixture.guard;
    const run = await fixture.begin();
    const stop = runGraph(graphWith(run, sending(member)), run, asked);
    if (isTaken) expect(await stop).toMatchObject({ status: 'delivered' });
    else await expect(stop).rejects.toMatchObject(refused);
  });

  it('is sent if the host names it in providerKeys', async () => {
    const fixture = openFixture();
    await using _guard = fixture.guard;
    const run = await fixture.begin();
    const options = { providerKeys: ['mirostat'] };
    const stop = runGraph(graphWith(run, sending({ mirostat: 1 })), run, asked, {}, options);
    expect(await stop).toMatchObject({ status: 'delivered' });
  });
});

const text = { type: 'text', text: '{}' };

const hostedBlocks: readonly (readonly [what: string, message: AIMessage])[] = [
  [
    'a search',
    new AIMessage({ content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }] }),
  ],
  ['search results', new AIMessage({ content: [{ type: 'web_search_tool_result', content: [] }] })],
  ['a call of Responses', new AIMessage({ content: '{}', additional_kwargs: { tool_outputs: [{}] } })],
  ['a grounding', new AIMessage({ content: '{}', response_metadata: { groundingMetadata: {} } })],
  [
    'a grounding in snake_case',
    new AIMessage({ content: '{}', response_metadata: { grounding_metadata: {} } }),
  ],
  ['tool runs', new AIMessage({ content: '{}', additional_kwargs: { executed_tools: [{}] } })],
  [
    'a search count',
    new AIMessage({
      content: '{}',
      response_metadata: { usage: { server_tool_use: { web_search_requests: 1 } } },
    }),
  ],
  [
    'a web citation',
    new AIMessage({ content: [{ ...text, annotations: [{ type: 'url_citation', url: 'https://x' }] }] }),
  ],
  ...[
    { type: 'executableCode', executableCode: { code: '1' } },
    { type: 'codeExecutionResult', codeExecutionResult: { output: '1' } },
    { executableCode: { code: '1' } },
    { type: 'computer_call' },
    { type: 'mcp_list_tools' },
    { type: 'mcp_approval_request' },
    { type: 'non_standard', value: { type: 'mcp_call' } },
  ].map((block): readonly [string, AIMessage] => [
    JSON.stringify(block),
    new AIMessage({ content: [block, text] as never }),
  ]),
];

const own: readonly (readonly [what: string, message: AIMessage])[] = [
  ['reasoning', new AIMessage({ content: [{ type: 'thinking', thinking: 'So.' }, text] })],
  [
    'a citation of a given document',
    new AIMessage({ content: [{ ...text, citations: [{ type: 'char_location', cited_text: 'a' }] }] }),
  ],
  [
    'a search count of zero',
    new AIMessage({
      content: '{}',
      additional_kwargs: { annotations: [], tool_outputs: [] },
      response_metadata: { usage: { server_tool_use: { web_search_requests: 0 } }, model_name: 'm' },
    }),
  ],
];

describe('A model response', () => {
  it.each(hostedBlocks)('with %s of its provider is not delivered', async (_, message) => {
    const fixture = openFixture();
    await using _guard = fixture.guard;
    const run = await fixture.begin();
    const agentOf = () =>
      createAgent({
        model: fakeModel().respond(message),
        middleware: [charterMiddleware(fixture.guarded, run)],
        checkpointer: new MemorySaver(),
      });
    await expect(runGraph(agentOf(), run, asked)).rejects.toMatchObject(refused);
    const alone = agentOf().invoke(asked, { configurable: { thread_id: run.taskId } });
    await expect(alone).rejects.toMatchObject({ cause: refused });
    expect((await run.progress()).outcome).not.toBe('success');
  });
});

describe('A model response without provider work', () => {
  it.each(own)('with %s is delivered', async (_, message) => {
    const fixture = openFixture();
    await using _guard = fixture.guard;
    const run = await fixture.begin();
    const agent = createAgent({
      model: fakeModel().respond(message),
      middleware: [charterMiddleware(fixture.guarded, run)],
      checkpointer: new MemorySaver(),
    });
    expect(await runGraph(agent, run, asked)).toMatchObject({ status: 'delivered' });
  });
});

describe('A tool called by the ledger', () => {
  it('may call its own tools and models', async () => {
    const look = tool(async () => 'seen', { name: 'look', description: 'Looks.', schema: z.object({}) });
    const outer = tool(
      async () => {
        const reply = await scripted([{ answer: { fine: true } }]).invoke('Is it fine?');
        return `${await look.invoke({})} ${reply.text}`;
      },
      { name: 'ask', description: 'Asks.', schema: z.object({}) },
    );
    const guarded = guardTools([outer], { ask: { tier: 'read_only' } });
    await using guard = createGuard({
      tools: guarded.tools,
      taskClasses: [defineTaskClass({ id: 'job', tools: ['ask'] })],
    });
    const run = await guard.begin({ taskClass: 'job', payload: {}, identity });
    const agent = createAgent({
      model: scripted([calls(['c1', 'ask', {}]), { answer: { good: true } }]),
      middleware: [charterMiddleware(guarded, run)],
      checkpointer: new MemorySaver(),
    });
    expect(await runGraph(agent, run, asked)).toMatchObject({ status: 'delivered' });
    expect((await run.progress()).evidence.map(({ payload }) => payload)).toEqual(['seen {"fine":true}']);
  });
});

describe('A runnable guarded as a tool', () => {
  it('is called by the ledger, with its inner runnables and tools', async () => {
    const look = tool(async () => 'seen', { name: 'look', description: 'Looks.', schema: z.object({}) });
    const runnable = RunnableLambda.from(async () => `${await look.invoke({})} at last`);
    const guarded = guardTools(
      [runnable.asTool({ name: 'ask', description: 'Asks.', schema: z.object({}) })],
      { ask: { tier: 'read_only' } },
    );
    await using guard = createGuard({
      tools: guarded.tools,
      taskClasses: [defineTaskClass({ id: 'job', tools: ['ask'] })],
    });
    const run = await guard.begin({ taskClass: 'job', payload: {}, identity });
    const agent = createAgent({
      model: scripted([calls(['c1', 'ask', {}]), { answer: { good: true } }]),
      middleware: [charterMiddleware(guarded, run)],
      checkpointer: new MemorySaver(),
    });
    expect(await runGraph(agent, run, asked)).toMatchObject({ status: 'delivered' });
    expect((await run.progress()).evidence.map(({ payload }) => payload)).toEqual(['seen at last']);
  });
});

describe('Deeply nested arguments', () => {
  it('are refused in words that the model reads, and the run continues', async () => {
    const fixture = openFixture();
    await using _ = fixture.guard;
    const run = await fixture.begin();
    const levels = 5_000;
    const deep = Array.from({ length: levels }).reduce<object>((of) => ({ of }), {});
    const agent = fixture.agent(run, [calls(['c1', 'note', { line: deep }]), { answer: { good: true } }]);
    expect(await runGraph(agent, run, asked)).toMatchObject({ status: 'delivered' });
    const { values } = await agent.graph.getState({ configurable: { thread_id: run.taskId } });
    expect(JSON.stringify(values)).toContain('arguments at ');
    expect(fixture.done).toEqual([]);
  });
});
