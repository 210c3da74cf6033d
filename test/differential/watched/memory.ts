import { commitStep as commit, eraseDocuments as erase } from '../../../src/stores/memory/write.ts';
import { note } from './traces.ts';

export { emittedBy, insertTask } from '../../../src/stores/memory/write.ts';

/** The writes of the store in memory; whatever they write is noted. */
export const commitStep: typeof commit = (tables, step) => {
  const answer = commit(tables, step);
  if (answer === 'ok') note(step);
  return answer;
};

export const eraseDocuments: typeof erase = (tables, step, digest) => {
  const answer = erase(tables, step, digest);
  if (answer === 'ok') note(step);
  return answer;
};
