import type { LineageCode, LineageFinding } from './findings.ts';
import { idOf, type Read, type PlacedMessage } from './read.ts';

type Parents = Map<PlacedMessage, PlacedMessage>;

const finding = (
  code: LineageCode,
  { index, message: { messageId } }: PlacedMessage,
  message: string,
): LineageFinding => ({ code, index, messageId, message: `message ${index + 1} ${message}` });

/** Returns the existing parents, and reports the missing ones. */
const named = (placed: Read['placed'], findings: LineageFinding[]): Parents => {
  const parents: Parents = new Map();
  for (const one of placed.values()) {
    const { parentMessageId, threadId } = one.message;
    if (parentMessageId === undefined) continue;
    const parent = placed.get(idOf(parentMessageId));
    if (parent === undefined) {
      findings.push(finding('orphan', one, `answers ${parentMessageId}, which is missing`));
    } else if (idOf(parent.message.threadId) !== idOf(threadId)) {
      const where = `which is in thread ${parent.message.threadId}`;
      findings.push(finding('stranger', one, `answers ${parentMessageId}, ${where}`));
    } else {
      parents.set(one, parent);
    }
  }
  return parents;
};

/** Yields every cycle of parents once; a message has at most one parent. */
function* circles(placed: Read['placed'], parents: Parents): Generator<readonly PlacedMessage[]> {
  const seen = new Set<PlacedMessage>();
  for (const start of placed.values()) {
    const path: PlacedMessage[] = [];
    let at: PlacedMessage | undefined = start;
    for (; at !== undefined && !seen.has(at); at = parents.get(at)) {
      seen.add(at);
      path.push(at);
    }
    const entered = at === undefined ? -1 : path.indexOf(at); // -1 also if an earlier path continues
    if (entered !== -1) yield path.slice(entered);
  }
}

const isEarlier = (one: PlacedMessage, other: PlacedMessage): boolean =>
  one.at === other.at ? one.index < other.index : one.at < other.at;

/** Breaks each cycle at its earliest message, which loses its parent. */
const cut = (placed: Read['placed'], parents: Parents, findings: LineageFinding[]): void => {
  for (const circle of circles(placed, parents)) {
    const first = circle.reduce((earliest, one) => (isEarlier(one, earliest) ? one : earliest));
    parents.delete(first);
    const through = circle.length === 1 ? '' : `, through ${circle.length} messages`;
    findings.push(finding('cycle', first, `answers itself${through}`));
  }
};

/** Returns the parent of each message within its thread, without cycles, and the problems. */
export const linksOf = (
  placed: Read['placed'],
): {
  readonly parents: ReadonlyMap<PlacedMessage, PlacedMessage>;
  readonly findings: readonly LineageFinding[];
} => {
  const findings: LineageFinding[] = [];
  const parents = named(placed, findings);
  cut(placed, parents, findings);
  for (const [one, parent] of parents) {
    if (one.at < parent.at) {
      findings.push(finding('time_backwards', one, `is older than message ${parent.index + 1}, its parent`));
    }
  }
  return { parents, findings };
};
