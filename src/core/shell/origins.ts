import type { HeldCode } from '../../../machines/index.ts';
import type { UpFeedback } from '../../../schema/index.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import type { Issue } from '../../base/errors.ts';
import { hasValueAt } from '../../base/feedback/place.ts';
import { freeNamesOf } from '../../gates/origins/free-names.ts';
import { heldCodes, judgedOrigins } from '../../gates/origins/holds.ts';
import { joinedAll } from '../../gates/origins/label.ts';
import { namesAndLeavesOf } from '../../gates/origins/leaves.ts';
import { originsOf } from '../../gates/origins/origins.ts';
import { keptReferences, resolveReferences, type ResolvedArguments } from '../../gates/origins/references.ts';
import type { CallDocument, RequestDocument } from '../../base/ports/ledger.ts';
import type { Origin } from '../../base/ports/origin.ts';
import type { Tool } from '../../base/ports/tool.ts';
import { lookupIn, type Lookup } from '../kernel/projection/provenance.ts';
import { rejected, type Read, type RejectedOutput } from './read-arguments.ts';
import type { LiveTask } from './live-task.ts';

/** Returns what the values of a task's next proposal are looked for in; `feedback` is an edit that brings it. */
export const lookupFor = ({ view }: LiveTask, feedback?: UpFeedback): Lookup =>
  lookupIn(view.projection, feedback);

/** Replaces the model's references in a call's arguments, or returns what is wrong with them. */
export const resolvedArguments = (
  { sources }: Lookup,
  given: unknown,
  path: string,
): ResolvedArguments | RejectedOutput => {
  const resolved = resolveReferences(given, sources);
  if (!('issues' in resolved)) return resolved;
  return rejected(resolved.issues.map((issue) => ({ ...issue, path: path + issue.path })));
};

/** Whether a JSON Pointer names a value or something in it. */
const isIn = (pointer: string, holder: string): boolean => `${pointer}/`.startsWith(`${holder}/`);

/**
 * Returns why arguments do not fit their schema, without what that says of values that the model is not shown: a schema
 * may name them in the issue of any argument, and in its path.
 */
export const withoutHidden = (
  fault: RejectedOutput,
  { hidden }: ResolvedArguments,
  given: unknown,
  path: string,
): RejectedOutput => {
  if (hidden.length === 0) return fault;
  const message = 'does not fit the input schema, with a value that you are not shown';
  const secrets = hidden.map((at) => path + at);
  const shown = fault.issues.map((issue): Issue => ({
    path:
      secrets.find((at) => isIn(issue.path, at)) ??
      (hasValueAt(given, issue.path.slice(path.length)) ? issue.path : path),
    message,
  }));
  return rejected([...new Map(shown.map((issue) => [issue.path, issue])).values()], fault.cause);
};

/**
 * Whether it matters where the arguments of a tool come from: it writes, it says so, or its result depends on it, as it does
 * where not everyone may read what the model was shown.
 */
const isAsked = (
  { tier, flows, labels, child }: Tool,
  { mandate }: RequestDocument,
  { shown }: Lookup['provenance'],
): boolean =>
  tier !== 'read_only' ||
  shown.readers !== 'anyone' ||
  flows !== undefined ||
  labels === 'arguments' ||
  child !== undefined ||
  mandate !== undefined;

/** Returns the labels of the result: as declared, or those of the arguments together. */
const labelsOf = ({ labels }: Tool, values: readonly Origin[]): Pick<CallDocument, 'labels'> => {
  if (labels === undefined) return {};
  return { labels: labels === 'arguments' ? { '': joinedAll(values) } : labels };
};

/** What is recorded of a call's origins, and why it is held. */
export interface Traced {
  readonly document: Pick<CallDocument, 'origins' | 'labels'>;
  readonly held?: readonly HeldCode[];
}

/** Returns where the arguments of a call come from, and whether its tool and its run accept that. */
export const tracedCall = (
  { view: { projection } }: LiveTask,
  tool: Tool,
  read: Read,
  { lookup, resolved }: { readonly lookup: Lookup; readonly resolved: ResolvedArguments },
): Traced => {
  const { request } = projection;
  const isFree = freeNamesOf(tool);
  const isTraced =
    isAsked(tool, request, lookup.provenance) ||
    resolved.references.length > 0 ||
    namesAndLeavesOf(read.value).some((leaf) => leaf.isName && isFree(leaf));
  if (!isTraced) return { document: labelsOf(tool, []) };
  const references = keptReferences(resolved.references, resolved.value, read.value);
  const { shown } = lookup.provenance;
  const values = originsOf(read.value, lookup.sources, shown, { references, isFree });
  const judged = { tool: tool.name, input: read.value, values, flows: tool.flows };
  const origins = deepFreeze(judgedOrigins(judged, lookup.provenance, request.mandate));
  const held = heldCodes(origins);
  return { document: { origins, ...labelsOf(tool, values) }, ...(held.length > 0 && { held }) };
};
