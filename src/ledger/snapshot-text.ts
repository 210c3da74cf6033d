import type { SnapshotFrom } from 'xstate';
import type { taskMachine } from '../../machines/index.ts';

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
}: SnapshotFrom<typeof taskMachine>): string => {
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
