import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../../../schema/index.ts';
import { packageRoot } from '../../../base/boundary/own-package.ts';
import { loadClient, loadClientStdio } from '../../gateway/peers.ts';
import { bad, good } from '../printer.ts';
import { asGuest } from '../stored.ts';
import type { ExitCode } from '../stop.ts';
import type { Terminal } from '../terminal.ts';

const operator = 'operator';
const refund = { order: 'o-7', cents: 500 };
/** Milliseconds after which the agent calls again. */
const pause = 1_000;

const programOf = (name: string): string =>
  fileURLToPath(new URL(`dist/src/apps/cli/${name}.js`, packageRoot()));

/** Returns the file of the demo. A path in JSON is one in YAML. */
const charterOf = (servers: string): string => `servers:
  orders: { command: node, args: [${servers}, orders] }
  payments: { command: node, args: [${servers}, payments] }
tools:
  orders.find_order: { tier: read_only }
  payments.refund: { tier: write_high_risk, rollback: person }
  payments.close_account: { tier: write_high_risk, rollback: person }
policy:
  - { tools: [payments.close_account], verdict: deny, reason: An agent closes no account. }
people: [${operator}]
`;

/** An MCP client that follows a script. */
interface Agent {
  readonly call: (tool: string, given: JsonObject) => Promise<string>;
  /** The link of the first question, from the words of the gateway. */
  readonly link: Promise<string>;
  readonly close: () => Promise<void>;
}

/** Starts the gateway of a folder as its MCP client does. */
const connect = async (folder: string, signal: AbortSignal): Promise<Agent> => {
  const [{ Client }, { StdioClientTransport }] = await Promise.all([loadClient(), loadClientStdio()]);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programOf('main'), 'gateway', 'charter.yaml'],
    cwd: folder,
    stderr: 'pipe',
  });
  let said = '';
  const link = new Promise<string>((resolve, reject) => {
    transport.stderr?.on('data', (chunk: unknown) => {
      said += String(chunk);
      const [, found] = /Answer at (\S+)\n/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    transport.stderr?.on('end', () => reject(new Error(`the gateway ended: ${said}`)));
  });
  link.catch(() => {}); // without a question no one waits for it
  const client = new Client({ name: 'agent', version: '1' });
  const close = (): Promise<void> => client.close();
  try {
    await client.connect(transport, { signal });
  } catch (cause) {
    await close();
    throw new Error(`the gateway did not start: ${said}`, { cause });
  }
  return {
    call: async (name, given) => {
      const { content } = await client.callTool({ name, arguments: given }, { signal });
      return content.map((one) => (one.type === 'text' ? one.text : one.type)).join(' ');
    },
    link,
    close,
  };
};

/** Approves what waits, as the person of the file. */
const approve = (folder: string, terminal: Terminal): Promise<ExitCode> =>
  asGuest({ store: undefined, config: join(folder, 'charter.yaml') }, terminal, async (guest) => {
    for (const { message } of await guest.inbox())
      await guest.respond({ type: 'approve', target: message.messageId }, { by: operator });
    return 0;
  });

/** Verifies the ledger of each task of the demo. */
const verify = (folder: string, terminal: Terminal): Promise<ExitCode> =>
  asGuest({ store: join(folder, '.agentcharter/tasks.db') }, terminal, async (guest) => {
    const { verifyLedger } = await import('../../../core/ledger/verify.ts');
    let code: ExitCode = 0;
    for (const { taskId } of await guest.list()) {
      const { intact, records } = await verifyLedger(await guest.ledger(taskId));
      await terminal.out.line(
        `The audit log of the agent's task has ${records} records. It is `,
        intact ? good('intact') : bad('not intact'),
        intact ? ': none was edited, dropped or swapped.' : '.',
      );
      if (!intact) code = 1;
    }
    return code;
  });

/** Plays the script in a folder. */
const play = async (folder: string, isAsked: boolean, signal: AbortSignal, terminal: Terminal) => {
  const { out } = terminal;
  const charter = charterOf(JSON.stringify(programOf('demo/servers')));
  await writeFile(join(folder, 'charter.yaml'), charter);
  await out.lines(
    `Between an agent and two MCP servers stands a gateway. This is its charter:\n\n${charter}`,
  );
  const agent = await connect(folder, signal);
  const tell = (tool: string, text: string): Promise<void> =>
    out.lines(`\nThe agent calls ${tool}, and reads: ${text}`);
  try {
    await tell('orders_find_order', await agent.call('orders_find_order', { order: refund.order }));
    const asked = await agent.call('payments_refund', refund);
    await tell('payments_refund', asked);
    if (isAsked) {
      const link = await agent.link;
      await out.lines(`\nYou are the operator. Approve or reject the refund in your browser:\n${link}`);
    } else {
      await approve(folder, terminal);
      await out.lines('\nNo one is asked here, so the demo answers as the operator, and approves.');
    }
    let outcome = await agent.call('payments_refund', refund);
    while (outcome.startsWith('payments_refund is not done yet')) {
      await setTimeout(pause, undefined, { signal });
      outcome = await agent.call('payments_refund', refund);
    }
    await tell('payments_refund again', outcome);
    await tell('payments_close_account', await agent.call('payments_close_account', { customer: 'c-1' }));
  } finally {
    await agent.close();
  }
  await out.line('');
  const code = await verify(folder, terminal);
  await out.line(
    'All of this was in a temporary folder, which is gone now. Your turn: docs/embed/gateway.md',
  );
  return code;
};

/**
 * Shows a gateway: a read, a write that waits for a person, a call that is refused, and the audit log. With `isAsked` the
 * person is the one at the terminal. Writes in a temporary folder only, and removes it. An interrupt ends it with code 0.
 */
export const gatewayDemo = async (isAsked: boolean, terminal: Terminal): Promise<ExitCode> => {
  const signal = terminal.interrupted();
  const folder = await mkdtemp(join(tmpdir(), 'agentcharter-demo-'));
  try {
    return await play(folder, isAsked, signal, terminal);
  } catch (error) {
    if (!signal.aborted) throw error;
    await terminal.out.line('The demo ends here.');
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};
