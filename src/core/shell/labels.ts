import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import { unknownResults } from '../../base/define/unknown-members.ts';
import type { Issue } from '../../base/errors.ts';
import type { Labels } from '../../base/ports/origin.ts';
import type { Tool } from '../../base/ports/tool.ts';

/** Returns the issues of flows that name a source which is no tool here. */
export const unknownSources = (tools: ReadonlyMap<string, Tool>): readonly Issue[] => {
  const known = ['request', 'answers', ...tools.keys()];
  return [...tools.values()].flatMap(({ name, flows = {} }) =>
    Object.entries(flows).flatMap(([pointer, flow]) =>
      [flow]
        .flat()
        .flatMap(({ from = [] }) => from)
        .filter((source) => !known.includes(source))
        .map((source) => ({
          path: `/tools/${name}/flows${pointer}/from`,
          message: `unknown source ${JSON.stringify(source)}: expected one of ${known.join(', ')}${didYouMean(source, known)}`,
        })),
    ),
  );
};

/** The patterns of what a child delivers in the result of a task tool. Nothing else there has members. */
const payloads = ['/payload', '/*'] as const;

/** Returns the labels of what is below a place, by their pointers there. */
const labelsBelow = (place: string, labels: Labels | 'arguments'): Labels =>
  Object.fromEntries(
    Object.entries(labels === 'arguments' ? {} : labels)
      .filter(([pointer]) => pointer.startsWith(`${place}/`))
      .map(([pointer, label]) => [pointer.slice(place.length), label]),
  );

/** Returns the issues of task tools with labels of a member that the output of the task class cannot have. */
export const unknownLabels = (
  tools: ReadonlyMap<string, Tool>,
  taskClasses: ReadonlyMap<string, DefinedTaskClass>,
): readonly Issue[] =>
  [...tools.values()].flatMap(({ name, child, labels = {} }) => {
    const output = child && taskClasses.get(child.taskClass)?.output;
    return payloads
      .flatMap((place) => unknownResults(output, labelsBelow(place, labels), place))
      .map(({ path, message }) => ({ path: `/tools/${name}${path}`, message }));
  });

/** Warns once of tools that read and say nothing of their results, if another tool asks where its arguments come from. */
export const warnOfUnlabelled = (tools: readonly Tool[]): void => {
  const unlabelled = tools.filter(({ tier, labels }) => tier === 'read_only' && labels === undefined);
  if (unlabelled.length === 0 || tools.every(({ flows }) => flows === undefined)) return;
  const names = unlabelled.map(({ name }) => name).join(', ');
  process.emitWarning(
    `results of these tools are untrusted, because they have no labels: ${names}; add labels to each, such as { '': { integrity: 'untrusted' } }`,
    { code: 'AGENTCHARTER_UNLABELLED' },
  );
};
