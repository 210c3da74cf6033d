import {
  commitStep as commit,
  eraseDocuments as erase,
  type Written,
} from '../../../src/stores/sqlite/write.ts';
import { note } from './traces.ts';

export type { Written };

/** The writes of the store in a file; whatever they write is noted. */
export const commitStep: typeof commit = (connection, check, step) => {
  const written = commit(connection, check, step);
  if (written.answer === 'ok') note(step);
  return written;
};

export const eraseDocuments: typeof erase = (connection, check, step, digest) => {
  const written = erase(connection, check, step, digest);
  if (written.answer === 'ok') note(step);
  return written;
};
