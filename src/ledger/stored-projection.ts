import type { Deadline, Intent, Standing } from '../ports/store.ts';
import { hashOfText } from './seal.ts';

/** What is stored next to a record, derived from it: index entry, deadlines and intents. */
export interface StoredProjection {
  readonly standing: Omit<Standing, 'head'>;
  readonly deadlines: readonly Deadline[];
  readonly intents: readonly Intent[];
}

/** Returns the SHA-256 of a stored projection. A record holds it, so that an edited deadline or inbox entry is found. */
export const hashOfProjection = ({ standing, deadlines, intents }: StoredProjection): string => {
  const { taskId, threadId, parent, size, at, isSettled, isOwed, asking, summary } = standing;
  const running = deadlines.map(({ of, id, at: end }) => [of, id, end]);
  const begun = intents.map(({ kind, key, tool }) => [kind, key, tool]);
  const entry = [taskId, threadId, parent, size, at, isSettled, isOwed, asking, summary];
  return hashOfText(JSON.stringify([entry, running, begun]));
};
