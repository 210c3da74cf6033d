import type { LineageCode, LineageFinding } from './findings.ts';
import { idOf, type Read, type PlacedMessage } from './read.ts';

type Parents = Map<PlacedMessage, PlacedMessage>;

const finding = (
  code: LineageCode,
  { index, message: { messageId } }: PlacedMessage,
  message: string,
): LineageFinding => ({ code, index, messageId, message: `message ${index + 1} ${message}` });

/** The parents that are named, and those that are not there. */
const named = (placed: Read['placed'], findings: LineageFinding[]): Parents => {
  const parents: Parents = new Map();
  for (const one of placed.values()) {
    const { parentMessageId, threadId } = one.message;
    if (parentMessageId === undefined) continue;
    const parent = placed.get(idOf(parentMessageId));
    if (parent === undefined) {
      findings.push(finding('orphan', one, `answers ${parentMessageId}, which is not there`));
    } else if (idOf(parent.message.threadId) !== idOf(threadId)) {
      const where = `which stands in thread ${parent.message.threadId}`;
      findings.push(finding('stranger', one, `answers ${parentMessageId}, ${where}`));
    } else {
      parents.set(one, parent);
    }
  }
  return parents;
};

/** Every circle of messages that answer each other, each once: a message has one parent at most. */
function* circles(placed: Read['placed'], parents: Parents): Generator<readonly PlacedMessage[]> {
  const seen = new Set<PlacedMessage>();
  for (const start of placed.values()) {
    const way: PlacedMessage[] = [];
    let at: PlacedMessage | undefined = start;
    for (; at !== undefined && !seen.has(at); at = parents.get(at)) {
      seen.add(at);
      way.push(at);
    }
    const entered = at === undefined ? -1 : way.indexOf(at); // -1 too where an earlier way goes on
    if (entered !== -1) yield way.slice(entered);
  }
}

const isEarlier = (one: PlacedMessage, other: PlacedMessage): boolean =>
  one.at === other.at ? one.index < other.index : one.at < other.at;

/** Cuts each circle at its earliest message, which loses its parent. */
const cut = (placed: Read['placed'], parents: Parents, findings: LineageFinding[]): void => {
  for (const circle of circles(placed, parents)) {
    const first = circle.reduce((earliest, one) => (isEarlier(one, earliest) ? one : earliest));
    parents.delete(first);
    const through = circle.length === 1 ? '' : `, through ${circle.length} messages`;
    findings.push(finding('cycle', first, `answers itself${through}`));
  }
};

/** The parent of each message that has one in its thread, without circles, and what is wrong with the others. */
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
