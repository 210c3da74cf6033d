import { supersedesKey } from '../../../core/kernel/messages.ts';
import { callsByMessage, type CallLine } from '../../../core/ledger/call-lines.ts';
import { lineageOf, type LineageNode } from '../../../optional/lineage/lineage.ts';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import type { ThreadPage, ThreadRow } from '../wire.ts';
import { brief } from './brief.ts';
import { offsetIn, pageOf } from './page-of.ts';

/** Messages on one page of a thread. */
const size = 50;
/** Tasks of a thread whose calls are shown; the latest ones. */
const maxTasks = 50;

interface Open {
  readonly node: LineageNode;
  readonly depth: number;
  readonly answers: number | null;
}

/**
 * Returns a tree as rows, each below its parent. The last reply keeps the indentation of its parent and the
 * others are indented. So the indentation shows branches, and a long chain stays flat.
 */
const rowsOf = (roots: readonly LineageNode[]): readonly Open[] => {
  const rows: Open[] = [];
  const open: Open[] = roots.toReversed().map((node) => ({ node, depth: 0, answers: null }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    const answers = rows.push(next);
    for (const [index, child] of [...node.children.entries()].toReversed()) {
      const isLast = index === node.children.length - 1;
      open.push({ node: child, depth: isLast ? depth : depth + 1, answers });
    }
  }
  return rows;
};

const superseded = (messages: readonly UpFormatMessage[]): ReadonlySet<unknown> =>
  new Set(messages.map((message) => message[supersedesKey]).filter((messageId) => messageId !== undefined));

/** Returns the calls of the thread's tasks, by the message that each follows. */
const callsOfThread = async (
  orchestrator: Orchestrator,
  threadId: string,
): Promise<ReadonlyMap<string, readonly CallLine[]>> => {
  const { items } = await orchestrator.list({ threadId, limit: maxTasks, order: 'newest' });
  const perTask = await Promise.all(
    items.map(async ({ taskId }) => {
      const [records, documents] = await Promise.all([
        orchestrator.ledger(taskId),
        orchestrator.documents(taskId),
      ]);
      return callsByMessage(records, documents);
    }),
  );
  return new Map(perTask.flatMap((calls) => [...calls]));
};

/** Returns the messages of a thread as a tree (UpFormat 2.1), with its integrity errors. */
export const threadPage = async (
  orchestrator: Orchestrator,
  threadId: string,
  query: URLSearchParams,
): Promise<ThreadPage> => {
  const messages = await orchestrator.thread(threadId);
  const { threads, findings } = lineageOf(messages);
  const { items, ...place } = pageOf(rowsOf(threads.flatMap(({ roots }) => roots)), offsetIn(query), size);
  const gone = superseded(messages);
  const calls = await callsOfThread(orchestrator, threadId);
  return {
    ...place,
    rows: items.map(({ node: { message }, depth, answers }): ThreadRow => ({
      calls: calls.get(message.messageId) ?? [],
      message: brief(message),
      depth,
      answers,
      isSuperseded: gone.has(message.messageId),
    })),
    findings: findings.map(({ message }) => message),
  };
};
