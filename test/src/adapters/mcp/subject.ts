import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer, type ToolAnnotations } from '@modelcontextprotocol/server';
import type { CallContext } from 'agentcharter';
import { mcpTools } from 'agentcharter/adapters/mcp';
import { z } from 'zod';
import { loopOver } from '../by-hand/loop.ts';
import type { Subject, ToolSpec } from '../subject.ts';

const server = 'bank';

/** What a server says of its own tool; the host declares the tier all the same. */
const hintsOf = ({ contract: { tier } }: ToolSpec): ToolAnnotations => ({
  readOnlyHint: tier === 'read_only',
  destructiveHint: tier === 'write_high_risk',
});

/** A server that knows nothing of us: what its tools throw, its SDK answers as `isError`. */
const serverOf = (specs: readonly ToolSpec[]): McpServer => {
  const served = new McpServer({ name: server, version: '1' });
  for (const spec of specs) {
    const { name, description = '', input, execute } = spec;
    if (!(input instanceof z.ZodType)) throw new TypeError(`the SDK cannot print the schema of ${name}`);
    const described = { description, inputSchema: input, annotations: hintsOf(spec) };
    served.registerTool(name, described, async (given) => {
      const structuredContent = await execute(given, {} as CallContext); // these tools ask nothing of it
      return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
    });
  }
  return served;
};

/** Whoever calls the tools of a server decides when: here an agent by hand. */
export const subject: Subject = {
  framework: 'MCP',
  package: '@modelcontextprotocol/client',
  open: async (specs) => {
    const served = serverOf(specs);
    const client = new Client({ name: 'desk', version: '1' });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await served.connect(theirs);
    await client.connect(ours);
    const contracts = Object.fromEntries(specs.map(({ name, contract }) => [name, contract]));
    const tools = await mcpTools(client, { server, contracts });
    return {
      tools,
      ...loopOver(specs, `${server}.`),
      swaps: [],
      close: async () => {
        await client.close();
        await served.close();
      },
    };
  },
};
