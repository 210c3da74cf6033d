import { Fact, stateName } from '../../machines/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { CharterError } from '../errors.ts';
import type { Environment } from './environment.ts';
import { isChild } from './view.ts';
import type { Statement } from './record.ts';
import type { Task } from './task.ts';

const outsiderFacts = ['dependency.met', 'task.cancelled'] as const;
const isOutsiderFact = (type: string): type is (typeof outsiderFacts)[number] =>
  outsiderFacts.some((allowed) => allowed === type);

const notYours = (fact: string, message: string): CharterError<'fact_not_yours'> =>
  new CharterError('fact_not_yours', message, { fact, accepts: outsiderFacts });

/** Reads a fact that somebody outside states. Throws `fact_not_yours` or `document_invalid`. */
export const readOutsiderFact = (given: unknown): Fact => {
  const type = typeof given === 'object' && given !== null && 'type' in given ? String(given.type) : '';
  if (isOutsiderFact(type)) return parseDocument('Fact', Fact, given);
  throw notYours(
    type,
    `${JSON.stringify(type)} is not for outsiders to state: expected ${outsiderFacts.join(' or ')}`,
  );
};

/** Submits a fact. Throws `fact_refused`, with what the task waits for, if the chart does not take it. */
export const submitOrThrow = async (task: Task, fact: Fact, statement: Statement): Promise<void> => {
  if (await task.submitFact(fact, statement)) return;
  const accepts = task.view.duties.map(({ kind }) => kind);
  const where = stateName(task.view.snapshot.value);
  throw new CharterError(
    'fact_refused',
    `${where} does not take ${fact.type}; it waits for ${[...new Set(accepts)].join(', ') || 'nothing'}`,
    { taskId: task.taskId, fact: fact.type, state: where, accepts: [...new Set(accepts)] },
  );
};

/** Submits a fact of a caller. Throws `fact_not_yours` if it is about a child task: only the child reports its end. */
export const submitFromOutside = async (
  task: Task,
  environment: Environment,
  fact: Fact,
  statement: Statement,
): Promise<void> => {
  const { context } = task.view.snapshot;
  if (fact.type === 'dependency.met' && isChild(context, fact.dependency, environment))
    throw notYours(fact.type, `${fact.dependency} is a task of its own: it says itself what becomes of it`);
  await submitOrThrow(task, fact, statement);
};
