import * as z from 'zod';
import { Fact, stateName } from '../../../machines/index.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { CharterError } from '../../base/errors.ts';
import { visibleJson } from '../../base/text/foreign-text.ts';
import type { Statement } from '../kernel/statement.ts';
import { isChild } from '../kernel/view.ts';
import type { Environment } from './environment.ts';
import type { Task } from './task.ts';

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
    `only the orchestrator may send the fact ${JSON.stringify(type)}: send ${outsiderFacts.join(' or ')}`,
  );
};

/** The fact of a cancellation. */
export const cancellation = (urgent: boolean): Fact => ({
  type: 'task.cancelled',
  ...(urgent && { urgent }),
});

const Cancelling = z.looseObject({ urgent: z.boolean().default(false) });

/** Reads whether a cancellation is urgent. Throws `document_invalid`. */
export const urgencyOf = (who: unknown): boolean => parseDocument('Cancellation', Cancelling, who).urgent;

/** A refused fact of a task. `remedy` says what it accepts; by default, nothing. */
interface RefusedFact {
  readonly fact: string;
  readonly state: string;
  readonly about?: string;
  readonly accepts?: readonly string[];
  readonly remedy?: string;
}

/** Returns the error for a fact that the chart does not accept; `accepts` are the facts that an outsider may send now. */
export const factRefused = (
  taskId: string,
  { fact, state, about = '', accepts = [], remedy = 'it accepts no more facts' }: RefusedFact,
): CharterError<'fact_refused'> => {
  const message = `task ${taskId} does not accept ${fact}${about} in ${state}: ${remedy}`;
  return new CharterError('fact_refused', message, { taskId, fact, state, accepts });
};

/** The maximum number of dependencies in an error. */
const shownDependencies = 10;

const refusalOf = (
  { taskId, view }: Task,
  fact: Fact,
  ports: Pick<Environment, 'tools'>,
): CharterError<'fact_refused'> => {
  const { snapshot, context } = view;
  const dependencies = Object.keys(context.dependencies).filter((one) => !isChild(context, one, ports));
  const named = dependencies.slice(0, shownDependencies).map(visibleJson).join(', ');
  const accepts = outsiderFacts.filter((type) =>
    type === 'dependency.met' ? dependencies.length > 0 : snapshot.can({ type }),
  );
  const sendable = accepts.map((type) => (type === 'dependency.met' ? `${type} of ${named}` : type));
  return factRefused(taskId, {
    fact: fact.type,
    state: stateName(snapshot.value),
    ...(fact.type === 'dependency.met' && { about: ` of ${visibleJson(fact.dependency)}` }),
    accepts,
    ...(accepts.length > 0 && { remedy: `send ${sendable.join(' or ')}` }),
  });
};

/** Submits a fact. If the chart does not accept it, throws `fact_refused` with the facts that it accepts. */
export const submitOrThrow = async (
  task: Task,
  ports: Pick<Environment, 'tools'>,
  fact: Fact,
  statement: Statement,
): Promise<void> => {
  if (!(await task.submitFact(fact, statement))) throw refusalOf(task, fact, ports);
};

/** Submits a caller's fact. Throws `fact_not_yours` if it is about a child task, whose end only the child reports. */
export const submitFromOutside = async (
  task: Task,
  environment: Pick<Environment, 'tools'>,
  fact: Fact,
  statement: Statement,
): Promise<void> => {
  const { context } = task.view.snapshot;
  if (fact.type === 'dependency.met' && isChild(context, fact.dependency, environment))
    throw factNotYours(
      fact.type,
      `dependency ${JSON.stringify(fact.dependency)} is a nested task, which reports its own end: answer its questions or cancel it`,
    );
  await submitOrThrow(task, environment, fact, statement);
};
