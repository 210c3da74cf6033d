import type { Context, Duty } from '../../../machines/index.ts';
import type { TaskSnapshot } from './chart.ts';

/** The duties of people, of others and of time. */
const waiting: ReadonlySet<Duty['kind']> = new Set([
  'ask',
  'await',
  'refine',
  'wake',
] satisfies Duty['kind'][]);

type Writes = Pick<Context, 'calls' | 'effects'>;

const isMove = (before: string | undefined, after: string): boolean =>
  before !== after && (after === 'started' || before === 'started' || after === 'succeeded');

/** Returns whether a write began or ended: without its chart, a task is ended by its last snapshot. */
const hasWriteMoved = (before: Writes, after: Writes): boolean =>
  before.effects !== after.effects ||
  Object.entries(after.calls).some(
    ([id, { tier, status }]) => tier !== 'read_only' && isMove(before.calls[id]?.status, status),
  );

/**
 * Returns whether a fact is recorded with the snapshot that it leads to: where the task comes to rest, and where a
 * write begins or ends. The facts between are replayed.
 */
export const isSnapshotTaken = (before: Writes, after: Writes, duties: readonly Duty[]): boolean =>
  duties.every(({ kind }) => waiting.has(kind)) || hasWriteMoved(before, after);

/**
 * Returns the text of a snapshot, as `JSON.stringify` of XState's persisted snapshot writes it.
 *
 * The chart spawns no actor, and its context is plain data: it need not be searched for actors, as XState does.
 */
export const snapshotText = ({
  status,
  output,
  error,
  value,
  historyValue,
  context,
}: TaskSnapshot): string => {
  const history = Object.entries(historyValue).map(
    ([node, states]) => [node, states.map(({ id }) => ({ id }))] as const,
  );
  return JSON.stringify({
    status,
    output,
    error,
    value,
    historyValue: Object.fromEntries(history),
    context,
    children: {},
  });
};
