import { deepFreeze } from '../canonical/deep-freeze.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import { joined, labelOf, lowered, trusted } from '../origins/label.ts';
import type { RequestDocument } from '../ports/ledger.ts';
import type { Labels } from '../ports/origin.ts';

const isDefault = (labels: Labels): boolean =>
  Object.keys(labels).every((pattern) => pattern === '') &&
  labelOf(labels, trusted).integrity === 'trusted' &&
  labelOf(labels, trusted).readers === 'anyone';

/**
 * Returns a request with what its task class says of it: the labels of its payload, of people's answers and of the
 * context, and its mandate. The request of another task's call is never trusted more than the arguments of that call.
 */
export const labelledRequest = (
  request: RequestDocument,
  { labels: own = {}, mandate }: Pick<DefinedTaskClass, 'labels' | 'mandate'>,
): RequestDocument => {
  const { labels: given, ...rest } = request;
  const labels = lowered(own.request ?? {}, labelOf(given?.request ?? {}, trusted), trusted);
  const context = joined({ ...trusted, ...own.context }, given?.context ?? trusted);
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
