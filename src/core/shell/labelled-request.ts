import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import { joinedAll, labelOf, lowered, trusted, unlabelled } from '../../gates/origins/label.ts';
import type { RequestDocument } from '../../base/ports/ledger.ts';
import type { Label, Labels } from '../../base/ports/origin.ts';
import type { Tool } from '../../base/ports/tool.ts';

/** Returns the label of a request that an agent or a foreign model wrote: untrusted, unless the host trusts the sender. */
export const labelBy = (isTrusted: boolean): { readonly label?: Partial<Label> } =>
  isTrusted ? {} : { label: { integrity: 'untrusted' } };

const isDefault = (labels: Labels): boolean =>
  Object.keys(labels).every((pattern) => pattern === '') &&
  labelOf(labels, trusted).integrity === 'trusted' &&
  labelOf(labels, trusted).readers === 'anyone';

/**
 * Returns a request with what its task class says of it: the labels of its payload, of people's answers and of the
 * context, and its mandate. The request of another task's call is never trusted more than the arguments of that call, and
 * a description that others wrote is the first thing that the model is shown.
 */
export const labelledRequest = (
  request: RequestDocument,
  { labels: own = {}, mandate, tools: listed }: Pick<DefinedTaskClass, 'labels' | 'mandate' | 'tools'>,
  tools: ReadonlyMap<string, Pick<Tool, 'isForeign'>>,
): RequestDocument => {
  const { labels: given, ...rest } = request;
  const labels = lowered(own.request ?? {}, labelOf(given?.request ?? {}, trusted), trusted);
  const described = listed.some((name) => tools.get(name)?.isForeign === true) ? unlabelled : trusted;
  const context = joinedAll([{ ...trusted, ...own.context }, given?.context ?? trusted, described]);
  const stated = {
    ...(!isDefault(labels) && { request: labels }),
    ...(own.answers && { answers: own.answers }),
    ...(!isDefault({ '': context }) && { context }),
  };
  return deepFreeze({
    ...rest,
    ...(Object.keys(stated).length > 0 && { labels: stated }),
    ...(rest.mandate === undefined && mandate !== undefined && { mandate }),
  });
};
