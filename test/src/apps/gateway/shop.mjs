// A server of another vendor, which knows nothing of the gateway. What it did is in `did.txt` of its folder.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

if (existsSync('down.txt')) {
  console.error('the till is closed');
  process.exit(1);
}

const did = (line) => appendFileSync('did.txt', `${line}\n`);
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const about = existsSync('about.txt') ? readFileSync('about.txt', 'utf8').trim() : 'Pays money back.';

const shop = new McpServer({ name: 'shop', version: '1' });
const order = z.string();
shop.registerTool(
  'find_order',
  {
    description: 'Finds an order.',
    inputSchema: z.object({ order }),
    outputSchema: z.object({ order: z.string(), cents: z.int() }),
    annotations: { readOnlyHint: true },
  },
  ({ order }) => {
    did(`found ${order}`);
    if (order === 'o-404') return { ...text('There is no such order.'), isError: true };
    if (order === 'o-die') process.exit(1);
    return { ...text(`${order} was 12 EUR.`), structuredContent: { order, cents: 1200 } };
  },
);
shop.registerTool(
  'refund',
  { description: about, inputSchema: z.object({ order, cents: z.int() }) },
  ({ order, cents }) => {
    did(`refunded ${order} ${cents}`);
    if (order === 'o-die') process.exit(1);
    return text(`refunded ${cents}`);
  },
);
shop.registerTool(
  'cancel_refund',
  { description: 'Takes a refund back.', inputSchema: z.object({ order }) },
  ({ order }) => {
    did(`cancelled ${order}`);
    return text('cancelled');
  },
);
shop.registerTool(
  'remind',
  { description: 'Reminds the customer.', inputSchema: z.object({ order }) },
  ({ order }) => {
    did(`reminded ${order}`);
    return text(`reminded ${order}`);
  },
);
await shop.connect(new StdioServerTransport());
