import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

// The two MCP servers of `agentcharter gateway --demo`, a program of its own: they know nothing of a gateway.

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const order = z.string();

const orders = (server: McpServer): void => {
  server.registerTool(
    'find_order',
    { description: 'Finds an order.', inputSchema: z.object({ order }) },
    ({ order: id }) => text(`Order ${id} was 12 EUR, and was paid on Monday.`),
  );
};

const payments = (server: McpServer): void => {
  server.registerTool(
    'refund',
    { description: 'Pays money back.', inputSchema: z.object({ order, cents: z.int() }) },
    ({ order: id, cents }) => text(`Refunded ${cents} cents of order ${id}.`),
  );
  server.registerTool(
    'close_account',
    { description: 'Closes the account of a customer.', inputSchema: z.object({ customer: z.string() }) },
    ({ customer }) => text(`Closed the account of ${customer}.`),
  );
};

const name = process.argv[2] === 'payments' ? 'payments' : 'orders';
const server = new McpServer({ name, version: '1' });
({ orders, payments })[name](server);
await server.connect(new StdioServerTransport());
