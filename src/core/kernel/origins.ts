import { isDeepStrictEqual } from 'node:util';
import type { ProposedCall } from '../../../machines/index.ts';
import { heldCodes, judgedOrigins, originsVersion } from '../../gates/origins/holds.ts';
import { originsOf, type IsFreeName } from '../../gates/origins/origins.ts';
import { keptReferences, resolveReferences } from '../../gates/origins/references.ts';
import type { CallDocument, LedgerEntry, LedgerRecord, RecordPayload } from '../../base/ports/ledger.ts';
import type { OriginsDocument } from '../../base/ports/origin.ts';
import type { Projection } from './projection/projection.ts';
import { recordedCalls } from './projection/proposals.ts';
import { lookupIn, type Lookup } from './projection/provenance.ts';

/** The documents that origins are computed from. */
const read = [
  'request',
  'output',
  'rejected',
  'calls',
  'evidence',
  'explanation',
  'feedback',
  'message',
  'payload',
  'reasons',
] as const satisfies readonly (keyof RecordPayload)[];

/** Returns whether a record still has every document that origins are computed from. */
export const hasOrigins = ({ brought, documents }: LedgerRecord): boolean =>
  read.every((name) => documents[name] === undefined || brought[name] !== undefined);

/** Returns the calls that a fact proposes. */
export const proposedIn = ({ fact }: Pick<LedgerEntry, 'fact'>): readonly ProposedCall[] => {
  if (fact?.type === 'plan.proposed' || fact?.type === 'calls.proposed') return fact.calls;
  return fact?.type === 'human.responded'
    ? [...(fact.plan?.calls ?? []), ...(fact.call ? [fact.call] : [])]
    : [];
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
  const names = new Set(recorded.values.flatMap(({ at, isName }) => (isName ? at : [])));
  const isFree: IsFreeName = ({ pointer }) => names.has(pointer); // the schema of the tool is not on record
  const values = originsOf(call.arguments, sources, provenance.shown, { references, isFree });
  const { tool, arguments: input } = call;
  return judgedOrigins({ tool, input, values, flows: recorded.flows }, provenance, mandate);
};

/** Returns origins without the words of their holds: another version of the library may choose others. */
const withoutWords = ({ holds = [], ...rest }: OriginsDocument): object => ({
  ...rest,
  holds: holds.map(({ code, at }) => ({ code, at })),
});

/**
 * Returns the first call of a record whose origins are not those that the records before it give, with what differs;
 * `null` for none.
 */
export const originsFault = (projection: Projection, record: LedgerEntry): string | null => {
  const { feedback } = record.brought;
  const recorded = recordedCalls(record);
  const proposed = proposedIn(record);
  if (recorded.length === 0) return null;
  const lookup = lookupIn(projection, record.fact?.type === 'human.responded' ? feedback : undefined);
  for (const { call, given } of recorded) {
    const { tier, held = [] } = proposed.find(({ id }) => id === call.id) ?? {};
    const { origins } = call;
    if (origins === undefined && held.length === 0 && tier === 'read_only') continue;
    const isByTheseRules = origins?.version === originsVersion; // what others found is taken as it is
    const made = isByTheseRules ? computed(call, given, lookup, projection.request, origins) : origins;
    if (
      origins === undefined ||
      made === undefined ||
      !isDeepStrictEqual(withoutWords(made), withoutWords(origins))
    )
      return `the values of ${call.tool} do not come from where its record says`;
    const codes = heldCodes(made);
    if (!isDeepStrictEqual(codes, held))
      return `${call.tool} is ${held.join(', ') || 'not held'}, and its values say ${codes.join(', ') || 'otherwise'}`;
  }
  return null;
};
