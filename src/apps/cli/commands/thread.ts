import type { UpFormatMessage } from '../../../../schema/index.ts';
import type { CallLine } from '../../../core/ledger/call-lines.ts';
import type { LineageNode } from '../../../optional/lineage/index.ts';
import { command, jsonFlag, storeFlag } from '../command.ts';
import { faint, type Printer } from '../printer.ts';
import { asGuest } from '../stored.ts';
import { usage } from '../stop.ts';

const print = (
  { timestamp, agentId = '', state, explanation }: UpFormatMessage,
  depth: number,
  out: Printer,
): Promise<void> =>
  out.line(faint(`${timestamp}  `), `${'  '.repeat(depth)}${agentId} ${state}: ${explanation}`);

/** The maximum depth that is shown by indentation. */
const maxDepth = 12;

type Calls = ReadonlyMap<string, readonly CallLine[]>;

const printCall = (
  { tool, arguments: given, end, why, at }: CallLine,
  depth: number,
  out: Printer,
): Promise<void> =>
  out.line(
    faint(`${at}  `),
    `${'  '.repeat(depth + 1)}calls ${tool}${given === '' ? '' : ` with ${given}`}: ${end}${why === '' ? '' : `, ${why}`}`,
  );

const printTree = async (roots: readonly LineageNode[], calls: Calls, out: Printer): Promise<void> => {
  const open = roots.toReversed().map((node): [LineageNode, number] => [node, 0]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [{ message, children }, depth] = next;
    const indented = Math.min(depth, maxDepth);
    await print(message, indented, out);
    for (const line of calls.get(message.messageId) ?? []) await printCall(line, indented, out);
    open.push(...children.toReversed().map((child): [LineageNode, number] => [child, depth + 1]));
  }
};

export const thread = command({
  name: 'thread',
  description: 'Shows the messages of a thread, each below the one that it answers, and the tool calls.',
  args: { thread: { description: 'the thread, or a task in it' } },
  flags: { store: { ...storeFlag, isRequired: true }, json: jsonFlag },
  example: 'thread 01936d5e-0000-7000-8000-000000000001 --store tasks.db',
  run: ({ flags: { store, json }, args: { thread: asked } }, terminal) =>
    asGuest({ store }, terminal, async (guest) => {
      const [of] = await guest.list({ taskId: asked });
      const threadId = of?.threadId ?? asked;
      const messages = await guest.thread(threadId);
      if (messages.length === 0) throw usage(`there is no thread ${JSON.stringify(asked)}`);
      if (json) await terminal.out.json({ threadId, messages });
      else {
        const { lineageOf } = await import('../../../optional/lineage/index.ts');
        const { callsByMessage } = await import('../../../core/ledger/call-lines.ts');
        const calls = new Map<string, readonly CallLine[]>();
        for (const { taskId } of await guest.list({ threadId })) {
          const made = callsByMessage(await guest.ledger(taskId), await guest.documents(taskId));
          for (const [messageId, lines] of made) calls.set(messageId, lines);
        }
        for (const { roots } of lineageOf(messages).threads) await printTree(roots, calls, terminal.out);
      }
      return 0;
    }),
});
