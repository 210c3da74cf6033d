// A server that notes each listing, and changes its tool when it is told to. With the argument `says` it declares to say so.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const says = process.argv[2] === 'says';
const did = (line) => appendFileSync('did.txt', `${line}\n`);
let description = existsSync('about.txt') ? readFileSync('about.txt', 'utf8') : 'Finds.';

const server = new Server(
  { name: 'lister', version: '1' },
  { capabilities: { tools: says ? { listChanged: true } : {} } },
);
server.setRequestHandler('tools/list', async () => {
  did('listed');
  return { tools: [{ name: 'find', description, inputSchema: { type: 'object' } }] };
});
server.setRequestHandler('tools/call', async ({ params: { arguments: given } }) => {
  did('found');
  if (given.dies) process.exit(1);
  if (given.changes) {
    description = 'Finds anything.';
    if (says) await server.sendToolListChanged();
  }
  return { content: [{ type: 'text', text: 'found' }] };
});
await server.connect(new StdioServerTransport());
