import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { place, talk } from './talk.mjs';

const client = new MultiServerMCPClient({ gateway: place });
const tools = await client.getTools();
await talk({
  tools: () => tools.map(({ name }) => name),
  call: (name, given) => tools.find((tool) => tool.name === name).invoke(given),
  close: () => client.close(),
});
