import { Fact, stateName } from '../../machines/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { CharterError } from '../errors.ts';
import type { Environment } from './environment.ts';
import type { Statement } from './record.ts';
import type { Task } from './task.ts';
import { isChild } from './view.ts';

/** The ports of facts from outside. */
export type OutsiderPorts = Pick<Environment, 'tools'>;

const outsiderFacts = ['dependency.met', 'task.cancelled'] as const;
const isOutsiderFact = (type: string): type is (typeof outsiderFacts)[number] =>
  outsiderFacts.some((allowed) => allowed === type);

const factNotYours = (fact: string, message: string): CharterError<'fact_not_yours'> =>
  new CharterError('fact_not_yours', message, { fact, accepts: outsiderFacts });

/** Reads a fact that an outsider may submit. Throws `fact_not_yours` or `document_invalid`. */
export const readOutsiderFact = (given: unknown): Fact => {
  const type = typeof given === 'object' && given !== null && 'type' in given ? String(given.type) : '';
  if (isOutsiderFact(type)) return parseDocument('Fact', Fact, given);
  throw factNotYours(
    type,
    `${JSON.stringify(type)} is not for outsiders to state: expected ${outsiderFacts.join(' or ')}`,
  );
};

/** Submits a fact. If the chart does not accept it, throws `fact_refused` with what the task waits for. */
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

/** Submits a caller's fact. Throws `fact_not_yours` if it is about a child task, whose end only the child reports. */
export const submitFromOutside = async (
  task: Task,
  environment: OutsiderPorts,
  fact: Fact,
  statement: Statement,
): Promise<void> => {
  const { context } = task.view.snapshot;
  if (fact.type === 'dependency.met' && isChild(context, fact.dependency, environment))
    throw factNotYours(
      fact.type,
      `${fact.dependency} is a nested task: only that task reports its own outcome`,
    );
  await submitOrThrow(task, fact, statement);
};
