import { isDeepStrictEqual } from 'node:util';
import type { ProposedCall } from '../../machines/index.ts';
import { isObject } from '../boundary/is-object.ts';
import { holdsOn } from '../origins/holds.ts';
import { originsOf } from '../origins/origins.ts';
import { keptReferences, resolveReferences } from '../origins/references.ts';
import type { CallDocument, LedgerEntry, LedgerRecord, RecordPayload } from '../ports/ledger.ts';
import type { OriginsDocument } from '../ports/origin.ts';
import type { Projection } from './projection/projection.ts';
import { lookupIn, type Lookup } from './projection/provenance.ts';

/** The documents that origins are computed from. */
const read = [
  'request',
  'output',
  'rejected',
  'calls',
  'evidence',
  'feedback',
  'message',
  'payload',
] as const satisfies readonly (keyof RecordPayload)[];

/** Returns whether a record still has every document that origins are computed from. */
export const hasOrigins = ({ brought, documents }: LedgerRecord): boolean =>
  read.every((name) => documents[name] === undefined || brought[name] !== undefined);

const proposedIn = ({ fact }: LedgerEntry): readonly ProposedCall[] => {
  if (fact?.type === 'plan.proposed' || fact?.type === 'calls.proposed') return fact.calls;
  return fact?.type === 'human.responded'
    ? [...(fact.plan?.calls ?? []), ...(fact.call ? [fact.call] : [])]
    : [];
};

const givenTo = ({ brought: { output, payload } }: LedgerEntry, at: number): unknown => {
  const calls = (output?.payload ?? payload)?.['calls'];
  const one: unknown = Array.isArray(calls) ? calls[at] : undefined;
  return isObject(one) ? one['arguments'] : undefined;
};

/** Returns the origins that the ledger gives a call; `undefined` if one of its references names nothing. */
const computed = (
  call: CallDocument,
  given: unknown,
  { sources, provenance }: Lookup,
  { mandate }: Projection['request'],
  recorded: OriginsDocument,
): OriginsDocument | undefined => {
  const resolved = resolveReferences(given ?? call.arguments, sources);
  if ('issues' in resolved) return undefined;
  const references = keptReferences(resolved.references, resolved.value, call.arguments);
  const { flows } = recorded;
  const { shown } = provenance;
  const values = originsOf(call.arguments, sources, shown, references);
  const { tool, arguments: input } = call;
  const holds = holdsOn({ tool, input, values, flows }, provenance, mandate);
  return { shown, values, ...(flows && { flows }), ...(holds.length > 0 && { holds }) };
};

const codesOf = ({ holds = [] }: OriginsDocument): readonly string[] => [
  ...new Set(holds.map(({ code }) => code)),
];

/**
 * Returns the first call of a record whose origins are not those that the records before it give, with what differs;
 * `null` for none.
 */
export const originsFault = (projection: Projection, record: LedgerEntry): string | null => {
  const { calls = [], feedback } = record.brought;
  const proposed = proposedIn(record);
  if (calls.length === 0) return null;
  const lookup = lookupIn(projection, record.fact?.type === 'human.responded' ? feedback : undefined);
  for (const [at, call] of calls.entries()) {
    const held = proposed.find(({ id }) => id === call.id)?.held ?? [];
    const { origins } = call;
    if (origins === undefined && held.length === 0) continue;
    const made = origins && computed(call, givenTo(record, at), lookup, projection.request, origins);
    if (made === undefined || !isDeepStrictEqual(made, origins))
      return `the values of ${call.tool} do not come from where its record says`;
    if (!isDeepStrictEqual(codesOf(made), held))
      return `${call.tool} is ${held.join(', ') || 'not held'}, and its values say ${codesOf(made).join(', ') || 'otherwise'}`;
  }
  return null;
};
