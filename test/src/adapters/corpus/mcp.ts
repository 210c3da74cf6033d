import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { mcpTools } from 'agentcharter/adapters/mcp';
import type { CallContext } from 'agentcharter';
import { z } from 'zod';
import type { ToolSpec } from '../subject.ts';
import type { Binding, Case } from './binding.ts';
import { loop } from './by-hand.ts';

const server = 'desk';

const Failed = z.object({
  isError: z.literal(true),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
});

/** A server sends JSON, whatever its tool returned: results that are no objects stand in one. */
const sent = (value: unknown) => {
  const failed = Failed.safeParse(value);
  if (failed.success) return failed.data;
  const text = JSON.stringify({ value });
  return {
    structuredContent: JSON.parse(text) as Record<string, unknown>,
    content: [{ type: 'text' as const, text: 'Done.' }],
  };
};

const Sent = z.object({ structured: z.strictObject({ value: z.unknown().optional() }) });

const valueIn = (payload: unknown): unknown => {
  const read = Sent.safeParse(payload);
  if (read.success) return read.data.structured.value ?? null;
  const {
    server: _server,
    tool: _tool,
    isUntrusted: _isUntrusted,
    ...rest
  } = payload as Record<string, unknown>;
  return rest;
};

const register = (served: McpServer, { name, description = '', input, execute }: ToolSpec): void => {
  if (!(input instanceof z.ZodType)) throw new TypeError(`the SDK cannot print the schema of ${name}`);
  served.registerTool(name, { description, inputSchema: input }, async (given) =>
    sent(await execute(given, {} as CallContext)),
  );
};

export const mcp: Binding = {
  name: 'MCP',
  open: async (cases: readonly Case[]) => {
    const specs = cases.flatMap((one) => one.specs);
    const served = new McpServer({ name: server, version: '1' });
    for (const spec of specs) register(served, spec);
    const client = new Client({ name: 'desk', version: '1' });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await served.connect(theirs);
    await client.connect(ours);
    const contracts = Object.fromEntries(
      specs.map(({ name, contract: { tier = 'write_high_risk' } }) => [name, { tier }]),
    );
    return {
      tools: await mcpTools(client, { server, contracts }),
      prefix: `${server}.`,
      play: loop(`${server}.`, valueIn),
      valueIn,
      close: async () => {
        await client.close();
        await served.close();
      },
    };
  },
};
