// A server whose writes are undone by an id that only their results have.
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const did = (line) => appendFileSync('did.txt', `${line}\n`);
const till = new McpServer({ name: 'till', version: '1' });
const order = z.string();
till.registerTool('refund', { inputSchema: z.object({ order }) }, ({ order }) => {
  did(`refunded ${order}`);
  const ids = { 'o-none': {}, 'o-huge': { refund: { id: 2 ** 60 } } };
  const structuredContent = ids[order] ?? { refund: { id: `r-${order}` } };
  return { content: [{ type: 'text', text: 'refunded' }], structuredContent };
});
till.registerTool('note', { inputSchema: z.object({ order }) }, ({ order }) => {
  did(`noted ${order}`);
  const text = order === 'o-large' ? 'x'.repeat(2_000_000) : `n-${order}`;
  return { content: [{ type: 'text', text }] };
});
till.registerTool('undo', { inputSchema: z.object({ id: z.string(), order }) }, ({ id, order }) => {
  did(`undid ${id} of ${order}`);
  return { content: [] };
});
await till.connect(new StdioServerTransport());
