import { unknownAmong } from '../../base/boundary/did-you-mean.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import type { ProofOptions } from './options.ts';
import type { PromisedRequirements, Promises } from './promises.ts';
import type { ProofSubject } from './subject.ts';

/** Returns the names of all members of a type. The compiler refuses a missing and an unknown one. */
export const memberNames = <Type extends object>(
  members: Readonly<Record<keyof Type, true>>,
): readonly string[] => Object.keys(members);

const optionNames = memberNames<ProofOptions>({ tools: true, promises: true, properties: true, limit: true });
const requirementNames = memberNames<PromisedRequirements>({ tools: true, verifiers: true });
const promiseNames = memberNames<Promises>({
  approvers: true,
  approved: true,
  uncalled: true,
  beforeWrite: true,
  beforeDeliver: true,
});

const refuse = (message: string): never => {
  throw new RangeError(`prove: ${message}`);
};

const checkNames = (what: string, given: Iterable<string>, known: readonly string[]): void => {
  const [unknown] = unknownAmong(given, known);
  if (unknown !== undefined)
    refuse(
      `unknown ${what} ${JSON.stringify(unknown.name)}: expected one of ${known.join(', ')}${unknown.hint}`,
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
