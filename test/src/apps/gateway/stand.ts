import { randomUUID } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';
import { builtPackage } from '../../../built.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The first file of the page, with a low risk too. */
export const charter = `
servers:
  shop: { command: node, args: [shop.mjs] }
tools:
  shop.find_order: { tier: read_only }
  shop.refund: { tier: write_high_risk, rollback: person }
`;

/** A folder with a charter and the shop. What did not end by then ends with the test. */
export const stand = async (file = charter): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await copyFile(new URL('shop.mjs', import.meta.url), join(folder, 'shop.mjs'));
  await writeFile(join(folder, 'charter.yaml'), file);
  return folder;
};

/** What the shop did in a folder. */
export const did = async (folder: string): Promise<readonly string[]> =>
  (await readFile(join(folder, 'did.txt'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

/** The command, as the package has it. */
export const program = async (): Promise<string> =>
  join((await builtPackage()).folder, 'dist/src/apps/cli/main.js');

/** What a client reads. */
export interface Heard {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: unknown;
}

/** A gateway over stdio, and its client. */
export interface Desk {
  readonly tools: () => Promise<readonly { readonly name: string; readonly annotations?: unknown }[]>;
  readonly call: (name: string, given?: Record<string, unknown>) => Promise<Heard>;
  /** What the gateway said on stderr. */
  readonly said: () => string;
  readonly leave: () => Promise<void>;
  /** Kills it, as a machine that loses power. */
  readonly kill: () => void;
}

/** A client of either SDK, whose signatures differ. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: Awaited<ReturnType<Desk['tools']>> }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

/** Returns the client of a connection, in few words. */
export const heardBy = (
  client: AnyClient,
  said: () => string = () => '',
  kill: () => void = () => {},
): Desk => ({
  tools: async () => (await client.listTools()).tools,
  call: async (name, given = {}) => {
    const result = (await client.callTool({ name, arguments: given })) as {
      readonly content: readonly { readonly text?: string }[];
      readonly isError?: boolean;
      readonly structuredContent?: unknown;
    };
    const text = result.content.map((one) => one.text ?? '').join('\n');
    return { text, isError: result.isError === true, structured: result.structuredContent };
  },
  said,
  leave: () => client.close(),
  kill,
});

const info = { name: 'a client', version: '1' };

/** Starts the gateway of a folder as an MCP client does. */
export const desk = async (folder: string, options: Seat = {}): Promise<Desk> => {
  const { client, ...seat } = await seated(folder, options);
  return heardBy(client, seat.said, seat.kill);
};

/** The texts of a result. */
export const textOf = (result: object): string =>
  (result as { readonly content: readonly { readonly text: string }[] }).content
    .map(({ text }) => text)
    .join('\n');

/** How a client shows forms. */
export type Forms = (request: { readonly params: { readonly message: string } }) => Promise<ElicitResult>;

interface Seat {
  readonly first?: boolean;
  readonly env?: Record<string, string>;
  readonly flags?: readonly string[];
  /** Another program than the command. */
  readonly by?: string;
  readonly forms?: Forms;
}

/** Starts the gateway of a folder, and connects a client of either SDK. */
export const seated = async (
  folder: string,
  { first = false, env = {}, flags = [], forms, by }: Seat = {},
) => {
  const started = {
    command: process.execPath,
    args: by === undefined ? [await program(), 'gateway', 'charter.yaml', ...flags] : [by, 'charter.yaml'],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe' as const,
  };
  const transport = first ? new FirstTransport(started) : new StdioClientTransport(started);
  let said = '';
  transport.stderr?.on('data', (chunk: unknown) => (said += String(chunk)));
  const options = { capabilities: forms === undefined ? {} : { elicitation: {} } };
  const client = first ? new FirstClient(info, options) : new Client(info, options);
  if (forms !== undefined && client instanceof FirstClient)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => forms({ params }));
  else if (forms !== undefined && client instanceof Client)
    client.setRequestHandler('elicitation/create', ({ params }) => forms({ params }));
  try {
    await client.connect(transport);
  } catch (error) {
    throw new Error(said, { cause: error });
  }
  onTestFinished(() => client.close());
  return { client, said: () => said, kill: () => void process.kill(transport.pid ?? 0, 'SIGKILL') };
};

const link = /answers? at (http:\S+\?token=\S+)/gi;

/** Opens the newest link to the console that a gateway printed, as a browser does. */
export const person = async (said: () => string) => {
  const url = new URL([...said().matchAll(link)].at(-1)?.[1] ?? 'http://no-link');
  const opened = await fetch(url, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const headers = { cookie, origin: url.origin, 'content-type': 'application/json' };
  const inbox = async () => {
    const listed = await fetch(new URL('/api/inbox', url), { headers });
    return (await listed.json()) as { readonly questions: readonly { readonly messageId: string }[] };
  };
  const answer = async (feedback: Record<string, unknown>): Promise<number> => {
    const { questions } = await inbox();
    const target = questions[0]?.messageId;
    const body = JSON.stringify({ feedback: { target, ...feedback }, key: randomUUID() });
    return (await fetch(new URL('/api/respond', url), { method: 'POST', headers, body })).status;
  };
  return { answer };
};
