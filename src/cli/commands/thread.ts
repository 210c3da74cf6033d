import type { UpFormatMessage } from '../../../schema/index.ts';
import type { LineageNode } from '../../lineage/index.ts';
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

const printTree = async (roots: readonly LineageNode[], out: Printer): Promise<void> => {
  const open = roots.toReversed().map((node): [LineageNode, number] => [node, 0]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [{ message, children }, depth] = next;
    await print(message, Math.min(depth, maxDepth), out);
    open.push(...children.toReversed().map((child): [LineageNode, number] => [child, depth + 1]));
  }
};

export const thread = command({
  name: 'thread',
  description: 'Shows the messages of a thread, each below the one that it answers.',
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
        const { lineageOf } = await import('../../lineage/index.ts');
        for (const { roots } of lineageOf(messages).threads) await printTree(roots, terminal.out);
      }
      return 0;
    }),
});
