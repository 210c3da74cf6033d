import { clausesOf } from '../../../machines/index.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { omissionOf } from '../../base/define/omitted.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import type { Issue } from '../../base/errors.ts';
import type { Policy, PolicyOfRules } from '../../base/ports/policy.ts';

type Kind = 'tool' | 'verifier' | 'task class';
type Known = ReadonlyMap<string, unknown>;

const optionOf: Readonly<Record<Kind, string>> = {
  tool: 'tools',
  verifier: 'verifiers',
  'task class': 'taskClasses',
};

/** Returns what is wrong with each name that is not known, and what is accepted. */
const unknownWords = (kind: Kind, names: readonly string[], known: Known): readonly string[] =>
  names
    .filter((name) => !known.has(name))
    .map((name) => {
      const title = `unknown ${kind} ${JSON.stringify(name)}`;
      const omission = kind === 'tool' ? omissionOf(name) : undefined;
      if (omission !== undefined) return `${title}: ${omission}`;
      const among =
        known.size === 0
          ? `\`${optionOf[kind]}\` has none`
          : `expected one of ${[...known.keys()].join(', ')}`;
      const hint = kind === 'tool' ? ' (bindings omit a high-risk tool without a rollback)' : '';
      return `${title}: ${among}${hint}${didYouMean(name, known.keys())}`;
    });

/** Returns the issues of a task class that names a tool or a verifier which does not exist. */
export const unknownNames = (
  { id, tools, contract }: DefinedTaskClass,
  knownTools: Known,
  knownVerifiers: Known,
): readonly Issue[] => {
  const { beforeWrite, beforeDeliver } = contract;
  const evidence = [...beforeWrite.evidence, ...beforeDeliver.evidence]
    .flatMap(clausesOf)
    .flatMap(({ tool }) => tool ?? []);
  const verifiers = [...beforeWrite.verifiers, ...beforeDeliver.verifiers];
  return [
    ...unknownWords('tool', [...tools, ...evidence], knownTools),
    ...unknownWords('verifier', verifiers, knownVerifiers),
  ].map((message) => ({ path: `/taskClasses/${id}`, message }));
};

/** Returns the issues of a policy whose rules name a tool or a task class that does not exist. */
export const unknownInRules = (
  policy: (Policy & Partial<Pick<PolicyOfRules, 'ruleNames'>>) | undefined,
  knownTools: Known,
  knownTaskClasses: Known,
): readonly Issue[] =>
  (policy?.ruleNames ?? []).flatMap(({ rule, tools, taskClasses }) =>
    [
      ...unknownWords('tool', tools, knownTools),
      ...unknownWords('task class', taskClasses, knownTaskClasses),
    ].map((words) => ({ path: '/policy', message: `rule ${rule} names the ${words}` })),
  );
