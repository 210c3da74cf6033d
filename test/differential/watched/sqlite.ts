import { eraseDocuments as erase, writeStep as write } from '../../../src/stores/sqlite/write.ts';
import { note } from './traces.ts';

export {
  fenced,
  insertCopy,
  textsOf,
  writeAll,
  writeAlone,
  type Outcome,
  type Prepared,
} from '../../../src/stores/sqlite/write.ts';

/** The writes of the store in a file; whatever they write is noted. */
export const writeStep: typeof write = (connection, step, texts) => {
  const written = write(connection, step, texts);
  if (written.answer === 'ok') note(step);
  return written;
};

export const eraseDocuments: typeof erase = (connection, check, step, digest) => {
  const written = erase(connection, check, step, digest);
  if (written.answer === 'ok') note(step);
  return written;
};
