import type { Deadline, Intent, Standing } from '../ports/store.ts';
import { hashOfText } from './seal.ts';

/** What is stored beside a record, and can be read without it. */
export interface Beside {
  readonly standing: Omit<Standing, 'head'>;
  readonly deadlines: readonly Deadline[];
  readonly intents: readonly Intent[];
}

/** SHA-256 over what is stored beside a record, so that nobody moves a deadline or changes what the inbox shows unseen. */
export const hashOfBeside = ({ standing, deadlines, intents }: Beside): string => {
  const { taskId, threadId, parent, size, at, isSettled, isOwed, asking, summary } = standing;
  const running = deadlines.map(({ of, id, at: end }) => [of, id, end]);
  const begun = intents.map(({ kind, key, tool }) => [kind, key, tool]);
  const told = [taskId, threadId, parent, size, at, isSettled, isOwed, asking, summary];
  return hashOfText(JSON.stringify([told, running, begun]));
};
