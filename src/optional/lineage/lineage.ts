import type { UpFormatMessage } from '../../../schema/index.ts';
import type { LineageFinding } from './findings.ts';
import { linksOf } from './links.ts';
import { idOf, readMessages, type PlacedMessage } from './read.ts';

/** A message and its replies. */
export interface LineageNode {
  readonly message: UpFormatMessage;
  readonly children: readonly LineageNode[];
}

/** The messages of one threadId, as trees of replies. */
export interface LineageThread {
  readonly threadId: string;
  readonly roots: readonly LineageNode[];
}

/** The threads of messages, and the problems in them (UpFormat 2.1). */
export interface Lineage {
  readonly threads: readonly LineageThread[];
  /** In the order of the messages. */
  readonly findings: readonly LineageFinding[];
}

interface MutableNode extends LineageNode {
  readonly children: MutableNode[];
}

const leafOf = ({ message }: PlacedMessage): MutableNode => ({ message, children: [] });

/**
 * Arranges messages as trees by `parentMessageId`, by thread; each readable message occurs once.
 *
 * Threads, roots and children are sorted by timestamp, then by input order. Invalid messages become findings;
 * nothing is thrown. A tree can be as deep as its thread is long: walk it with a loop. UpFormat 2.1, Table 1.
 */
export const lineageOf = (messages: readonly unknown[]): Lineage => {
  const { placed, findings: readFindings } = readMessages(messages);
  const { parents, findings: linkFindings } = linksOf(placed);
  const inTime = [...placed.values()].toSorted((one, other) => one.at - other.at);
  const nodes = new Map(inTime.map((one) => [one, leafOf(one)]));
  const threads = new Map<string, { readonly threadId: string; readonly roots: MutableNode[] }>();
  for (const [one, node] of nodes) {
    const { threadId } = one.message;
    const thread = threads.get(idOf(threadId)) ?? { threadId, roots: [] };
    threads.set(idOf(threadId), thread);
    const parent = parents.get(one);
    const siblings = parent === undefined ? thread.roots : nodes.get(parent)?.children;
    siblings?.push(node);
  }
  return {
    threads: [...threads.values()],
    findings: [...readFindings, ...linkFindings].toSorted((one, other) => one.index - other.index),
  };
};
