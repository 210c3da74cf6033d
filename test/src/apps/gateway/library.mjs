// A server that answers with more than text, and has resources and prompts. Its arguments are its town, and the URI of a book.
import { appendFileSync } from 'node:fs';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const library = new McpServer({ name: 'library', version: '1' });
const title = z.string();
const shelf = { title: 'Emma', shelf: 7 };
const outputSchema = z.object({ title, shelf: z.int() });
const copy = { type: 'text', text: JSON.stringify(shelf, null, 2) };
const more = [
  { type: 'text', text: 'It is on shelf 7.', annotations: { audience: ['user'] } },
  { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  { type: 'resource_link', uri: 'book://emma', name: 'Emma' },
  { type: 'resource', resource: { uri: 'book://emma/1', text: 'Emma Woodhouse, handsome' } },
];
library.registerTool('find', { inputSchema: z.object({ title }), outputSchema }, () => ({
  content: more,
  structuredContent: shelf,
}));
library.registerTool('locate', { inputSchema: z.object({ title }), outputSchema }, () => ({
  content: [copy],
  structuredContent: shelf,
}));
library.registerTool('scan', { inputSchema: z.object({ title }), outputSchema }, () => ({
  content: [{ type: 'image', data: 'A'.repeat(3_000_000), mimeType: 'image/png' }],
  structuredContent: shelf,
}));
library.registerTool('lend', { inputSchema: z.object({ title }), outputSchema }, ({ title }) => {
  appendFileSync('did.txt', `lent ${title}\n`);
  return { content: more, structuredContent: shelf };
});
const page = (uri, name) => ({ contents: [{ uri: uri.href, text: `${name} of ${process.argv[2]}` }] });
const uri = process.argv[3] ?? 'book://emma';
library.registerResource('emma', uri, { mimeType: 'text/plain' }, (at) => page(at, 'Emma'));
const pages = new ResourceTemplate(`${process.argv[2]}://{book}/{page}`, { list: undefined });
library.registerResource('page', pages, {}, (at) => page(at, 'a page'));
const argsSchema = z.object({ book: z.string() });
library.registerPrompt('praise', { description: 'Praises a book.', argsSchema }, ({ book }) => ({
  messages: [{ role: 'user', content: { type: 'text', text: `Praise ${book} of ${process.argv[2]}.` } }],
}));
await library.connect(new StdioServerTransport());
