import { didYouMean } from '../../boundary/did-you-mean.ts';
import { isObject } from '../../boundary/is-object.ts';
import type { Promises } from './promises.ts';
import type { ProofSubject } from './subject.ts';

const optionNames = ['tools', 'promises', 'properties', 'limit'];
const requirementNames = ['tools', 'verifiers'];
const promiseNames = ['approvers', 'approved', 'uncalled', 'beforeWrite', 'beforeDeliver'];

const refuse = (message: string): never => {
  throw new RangeError(`prove: ${message}`);
};

const checkNames = (what: string, given: Iterable<string>, known: readonly string[]): void => {
  for (const name of given)
    if (!known.includes(name))
      refuse(
        `unknown ${what} ${JSON.stringify(name)}: expected one of ${known.join(', ')}${didYouMean(name, known)}`,
      );
};

/** Checks the form of what `prove` is given: a misspelt promise would otherwise be kept by every task class. */
export const checkOptions = (taskClass: unknown, options: unknown): void => {
  if (!isObject(taskClass) || !('contract' in taskClass))
    refuse('expected one task class of defineTaskClass, and then the options');
  if (!isObject(options) || !Array.isArray(options['tools']))
    return refuse('expected options with `tools`: an array of tools');
  checkNames('option', Object.keys(options), optionNames);
};

/** Checks that promises name what there is; a requirement that the task class lacks is found as a broken promise. */
export const checkPromises = ({ calls }: ProofSubject, promises: Promises): void => {
  const tools = calls.map(({ tool }) => tool);
  checkNames('promise', Object.keys(promises), promiseNames);
  checkNames('tool', [...(promises.approved ?? []), ...(promises.uncalled ?? [])], tools);
  for (const gate of [promises.beforeWrite, promises.beforeDeliver])
    checkNames('requirement', Object.keys(gate ?? {}), requirementNames);
};
