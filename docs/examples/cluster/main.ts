import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { createOrchestrator, type InboxEntry } from 'agentcharter';
import { createConsole } from 'agentcharter/console';
import { verifyLedger } from 'agentcharter/ledger';
import { optionsOf, paymentsIn, type Told } from './charter.ts';
import { startServer } from './server.ts';

const { stdin, stderr } = process;

/** Performs tasks until the process that started it ends, or a deploy replaces it. */
const runNode = async (url: string, bank: string): Promise<void> => {
  const node = createOrchestrator(optionsOf(url, bank, (what) => process.send?.(what)));
  await node.recover();
  process.send?.('ready');
  await Promise.race(['disconnect', 'SIGTERM'].map((end) => once(process, end)));
  await node.close({ drain: 10_000 });
};

const said = async (nodes: readonly ChildProcess[], what: Told): Promise<ChildProcess> => {
  const each = nodes.map(async (node) => {
    for (;;) if ((await once(node, 'message'))[0] === what) return node;
  });
  return Promise.race(each);
};

/** Returns whether something else happens before the person presses Enter. */
const isFirst = async (other: Promise<unknown>, prompt: string): Promise<boolean> => {
  const line = createInterface({ input: stdin, output: stderr });
  const done = new AbortController();
  const entered = line.question(prompt, { signal: done.signal }).then(
    () => false,
    () => true,
  );
  void other.finally(() => done.abort());
  return entered.finally(() => line.close());
};

/** Three nodes on one server: the one that asks for an approval is killed, and another one goes on. */
const runCluster = async (): Promise<void> => {
  const server = await startServer();
  const folder = await mkdtemp(join(tmpdir(), 'bank-'));
  const bank = join(folder, 'payments.txt');
  const guest = createOrchestrator({ ...optionsOf(server.url, bank), role: 'guest' });
  const room = createConsole(guest, { identity: () => 'dana' });
  stderr.write(`The console: ${await room.listen()}\n`);
  await guest.list(); // the server has its tables before three nodes ask for them

  const program = process.argv[1] ?? '';
  const nodes = [1, 2, 3].map(() => fork(program, ['node', server.url, bank], { stdio: 'inherit' }));
  await Promise.all(nodes.map((node) => once(node, 'message')));
  console.log('Three nodes share one server.');

  const planned = said(nodes, 'planned');
  const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' } as const;
  const payload = { order: 'o-7', eur: 180 };
  const { taskId } = await guest.submit({ taskClass: 'support', payload, identity });
  const holder = await planned;
  let asked: InboxEntry | undefined;
  while (asked === undefined) {
    await setTimeout(20);
    [asked] = await guest.inbox();
  }
  console.log(`A node asks: ${asked.message.explanation}`);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  console.log('That node is killed.');

  const refunded = said(
    nodes.filter((node) => node !== holder),
    'refunded',
  );
  const settled = guest.settled(taskId);
  const isAnswered =
    stdin.isTTY && (await isFirst(settled, 'Press Enter to approve, or answer in the console. '));
  if (!isAnswered) await guest.respond({ type: 'approve', target: asked.message.messageId }, { by: 'dana' });
  console.log('dana approves.');
  await refunded;
  const { message } = await settled;
  const { verdict } = await verifyLedger(await guest.ledger(taskId));
  console.log(`Another node goes on, and the task is ${message.state}; its ledger is intact (${verdict}).`);
  console.log(`Refunds that the bank made: ${(await paymentsIn(bank)).length}`);

  if (stdin.isTTY) {
    stderr.write('The console stays open: Ctrl-C ends it.\n');
    await once(process, 'SIGINT');
  }
  for (const node of nodes) if (node.connected) node.disconnect();
  await room.close();
  await guest.close();
  await server.stop();
  await rm(folder, { recursive: true });
};

const [, , role, url = '', bank = ''] = process.argv;
await (role === 'node' ? runNode(url, bank) : runCluster());
