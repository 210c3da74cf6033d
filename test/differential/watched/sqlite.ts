import {
  commitStep as commit,
  eraseDocuments as erase,
  textsOf,
  writeSteps as write,
  type Outcome,
  type StepText,
} from '../../../src/stores/sqlite/write.ts';
import { note } from './traces.ts';

export { textsOf, type Outcome, type StepText };

/** The writes of the store in a file; whatever they write is noted. */
export const commitStep: typeof commit = (connection, check, one) => {
  const written = commit(connection, check, one);
  if (written.answer === 'ok') note(one.step);
  return written;
};

export const writeSteps: typeof write = (connection, check, steps) => {
  const written = write(connection, check, steps);
  for (const [{ step }, outcome] of written) if ('answer' in outcome && outcome.answer === 'ok') note(step);
  return written;
};

export const eraseDocuments: typeof erase = (connection, check, step, digest) => {
  const written = erase(connection, check, step, digest);
  if (written.answer === 'ok') note(step);
  return written;
};
