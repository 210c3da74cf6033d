import { isCharterError } from '../errors.ts';
import { valueAt } from '../feedback/place.ts';
import type { Flow, Flows, Hold, Label, Origin } from '../ports/origin.ts';
import { covering } from './label.ts';

/** Names in `from` that are no tool's. */
const reserved: readonly string[] = ['request', 'answers'];

/** Returns whether a place is among what a flow names: only the alias of a tool's result ends with its number. */
const isAmong = (from: readonly string[], source: string): boolean => {
  const tool = /^(.*)#\d+$/s.exec(source)?.[1];
  if (tool !== undefined) return !reserved.includes(tool) && from.includes(tool);
  return from.includes(source === 'request' ? 'request' : 'answers');
};

const placesIn = ({ found }: Origin): string =>
  found.length === 0
    ? 'it was found nowhere in this run'
    : `it was found in ${found.map(({ source, pointer }) => `${source}${pointer === '' ? '' : ` at ${pointer}`}`).join(', ')}`;

const integrityFault = ({ integrity, choice }: Flow, origin: Origin, shown: Label): string | null => {
  if (integrity !== 'trusted') return null;
  if (origin.integrity !== 'trusted') return `expected a trusted value; ${placesIn(origin)}`;
  if (choice === 'any' || shown.integrity === 'trusted') return null;
  return 'expected a trusted choice; the model chose after it had read what is not trusted';
};

const sourceFault = ({ from }: Flow, origin: Origin): string | null =>
  from === undefined || origin.found.some(({ source }) => isAmong(from, source))
    ? null
    : `expected a value from ${from.join(' or ')}; ${placesIn(origin)}`;

const namesAt = (input: unknown, pointer: string): readonly unknown[] => {
  try {
    const named = valueAt(input, pointer, '');
    return Array.isArray(named) ? named : [named];
  } catch (error) {
    if (isCharterError(error, 'feedback_inapplicable')) return []; // an argument that is left out
    throw error;
  }
};

const readersFault = ({ readers: of }: Flow, { readers }: Origin, input: unknown): string | null => {
  if (of === undefined || readers === 'anyone') return null;
  const named = namesAt(input, of);
  const others = named.filter((name) => !readers.some((reader) => reader === name));
  if (named.length > 0 && others.length === 0) return null;
  // the value of that argument is not repeated: it may be one that the model is not shown
  const allowed = readers.length === 0 ? 'no one' : `only ${readers.join(', ')}`;
  return `${allowed} may read it, and ${of} names ${named.length === 0 ? 'no one' : 'someone else'}`;
};

const faultsOf = (flow: Flow, origin: Origin, shown: Label, input: unknown): readonly string[] =>
  [integrityFault(flow, origin, shown), sourceFault(flow, origin), readersFault(flow, origin, input)].flatMap(
    (fault) => fault ?? [],
  );

/** Returns why a call is held: every value whose origin its tool does not accept. */
export const forbiddenFlows = (
  flows: Flows,
  values: readonly Origin[],
  shown: Label,
  input: unknown,
): readonly Hold[] =>
  values.flatMap((origin) => {
    const [flow] = covering(flows, origin.at);
    if (flow === undefined) return [];
    return faultsOf(flow, origin, shown, input).map((why) => ({
      code: 'FLOW_FORBIDDEN',
      at: origin.at,
      why,
    }));
  });
