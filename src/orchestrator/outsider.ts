import { Fact, stateName } from '../../machines/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { CharterError } from '../errors.ts';
import type { Environment } from './environment.ts';
import { isChild } from './intents.ts';
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

/** States a fact, or throws `fact_refused` with what the task waits for instead. */
export const state = async (task: Task, fact: Fact, statement: Statement): Promise<void> => {
  if (await task.state(fact, statement)) return;
  const accepts = task.duties().map(({ kind }) => kind);
  const where = stateName(task.snapshot.value);
  throw new CharterError(
    'fact_refused',
    `${where} does not take ${fact.type}; it waits for ${[...new Set(accepts)].join(', ') || 'nothing'}`,
    { taskId: task.taskId, fact: fact.type, state: where, accepts: [...new Set(accepts)] },
  );
};

/** States a fact from outside; what becomes of a child, only the child says. */
export const stateFromOutside = async (
  task: Task,
  environment: Environment,
  fact: Fact,
  statement: Statement,
): Promise<void> => {
  const { context } = task.snapshot;
  if (fact.type === 'dependency.met' && isChild(context, fact.dependency, environment))
    throw notYours(fact.type, `${fact.dependency} is a task of its own: it says itself what becomes of it`);
  await state(task, fact, statement);
};
