import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createOrchestrator, defineTaskClass, type Model } from 'agentcharter';
import { mcpTools, type McpContract } from 'agentcharter/adapters/mcp';
import { tablePolicy } from 'agentcharter/policies';
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

// A server of another vendor, in its own process, on a folder of this example.
const folder = await realpath(await mkdtemp(join(tmpdir(), 'archive-')));
await writeFile(join(folder, 'draft.txt'), 'Rent rises by 2 % in May.');
const server = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/dist/index.js',
);
const client = new Client({ name: 'archive', version: '1' });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [server, folder], stderr: 'ignore' }),
);

// Its annotations are trusted. Only you can say how to undo a move. write_file has no rollback, so it is omitted.
const Move = z.object({ source: z.string(), destination: z.string() });
const move: McpContract = {
  rollback: {
    describe: (input) => {
      const { source, destination } = Move.parse(input);
      return {
        type: 'fs.move_file',
        target: destination,
        payload: { source: destination, destination: source },
      };
    },
    run: async ({ payload }) => client.callTool({ name: 'move_file', arguments: Move.parse(payload) }),
  },
};
const tools = await mcpTools(client, {
  server: 'fs',
  isTrusted: true,
  only: ['read_text_file', 'write_file', 'move_file'],
  contracts: { move_file: move },
  onOmitted: ({ names }) => console.log(`omitted: ${names.join(', ')}`),
});
for (const { name, tier } of tools) console.log(`${name}: ${tier}`);

// A language model goes here. This one reads and moves. On request it tries to overwrite, with a tool that it does not have.
const at = (name: string) => join(folder, name);
const read = { tool: 'fs.read_text_file', arguments: { path: at('draft.txt') } };
const write = { tool: 'fs.write_file', arguments: { path: at('draft.txt'), content: '' } };
const rename = { tool: 'fs.move_file', arguments: { source: at('draft.txt'), destination: at('final.txt') } };
const sure = { canProceed: true, confidence: 0.9, explanation: 'As asked.' };
const model: Model = {
  answer: async ({ asks, request, evidence }) => {
    if (asks === 'correction') return { choice: 'beyondCapability', explanation: 'I cannot overwrite.' };
    if (asks === 'draft') return { ...sure, payload: { read: evidence.length } };
    return { ...sure, calls: request['overwrite'] === true ? [read, write] : [read, rename] };
  },
};

const orchestrator = createOrchestrator({
  taskClasses: [
    defineTaskClass({
      id: 'filing',
      tools: tools.map(({ name }) => name),
    }),
  ],
  tools,
  model,
  policy: tablePolicy({
    rules: [{ tools: ['fs.move_file'], verdict: 'allow', reason: 'filing' }],
  }),
});
orchestrator.on('question', async ({ question, message }) => {
  console.log(`${question.kind}: ${message.explanation}`);
  await orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'kim' });
});

const identity = { agent_id: 'archivist', owner_id: 'acme', control_class: 'human-supervised' };
for (const overwrite of [true, false]) {
  const { taskId } = await orchestrator.submit({ taskClass: 'filing', payload: { overwrite }, identity });
  const { outcome, reasons } = await orchestrator.settled(taskId);
  console.log([outcome, ...reasons.map(({ code }) => code)].join(', '), await readdir(folder));
}
await orchestrator.close();
await client.close();
await rm(folder, { recursive: true });
