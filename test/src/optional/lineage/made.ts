import type { UpFormatMessage } from '../../../../schema/index.ts';
import { lineageOf, type Lineage, type LineageNode } from '../../../../src/optional/lineage/index.ts';
import { fitting } from '../../../schema/arbitraries.ts';

/** Returns the UUID of a number. */
export const uuid = (number: number): string =>
  `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** The differences from a plain message: its number, its parent's number, its second, its thread's number. */
interface Given extends Partial<UpFormatMessage> {
  readonly id: number;
  readonly answers?: number;
  readonly second?: number;
  readonly thread?: number;
}

export const messageOf = ({ id, answers, second = id, thread = 0, ...more }: Given): UpFormatMessage => ({
  messageId: uuid(id),
  threadId: uuid(1_000_000 + thread),
  ...(answers !== undefined && { parentMessageId: uuid(answers) }),
  timestamp: new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString(),
  state: 'submitted',
  payload: {},
  explanation: `number ${id}`,
  ...more,
});

/** Random messages without unreadable content, such as integers beyond 2^53-1. */
export const readable = fitting['upformat-message']
  .filter((value) => lineageOf([value]).threads.length === 1)
  .map((value) => value as UpFormatMessage);

/** A node with its thread, its parent and its siblings in order. */
export interface Place {
  readonly node: LineageNode;
  readonly threadId: string;
  readonly parent: LineageNode | undefined;
}

/** Returns every node of a lineage at any depth. */
export const placesIn = ({ threads }: Lineage): readonly Place[] => {
  const places: Place[] = threads.flatMap(({ threadId, roots }) =>
    roots.map((node) => ({ node, threadId, parent: undefined })),
  );
  for (const { node, threadId } of places)
    for (const child of node.children) places.push({ node: child, threadId, parent: node });
  return places;
};

/** Draws a small tree by message numbers: `1(2 3(4))`, with a bar between threads. */
export const drawn = ({ threads }: Lineage): string => {
  const one = ({ message: { messageId }, children }: LineageNode): string => {
    const number = Number.parseInt(messageId.slice(-12), 16);
    return children.length === 0 ? `${number}` : `${number}(${children.map(one).join(' ')})`;
  };
  return threads.map(({ roots }) => roots.map(one).join(' ')).join(' | ');
};

/** Lists findings by code and index. */
export const found = ({ findings }: Lineage): readonly string[] =>
  findings.map(({ code, index }) => `${code} ${index}`);
