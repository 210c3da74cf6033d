import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { place, talk } from './talk.mjs';

const transport = 'url' in place ? { type: 'http', ...place } : new Experimental_StdioMCPTransport(place);
const client = await createMCPClient({ transport });
const tools = await client.tools();
await talk({
  tools: () => Object.keys(tools),
  call: (name, given) => tools[name].execute(given, { toolCallId: name, messages: [] }),
  close: () => client.close(),
});
