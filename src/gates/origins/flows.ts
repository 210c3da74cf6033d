import { isCharterError } from '../../base/errors.ts';
import { valueAt } from '../../base/feedback/place.ts';
import type { Flow, Flows, Hold, Label, Origin, OriginPlace } from '../../base/ports/origin.ts';
import { normalForm } from './leaves.ts';
import { patternsBelow, patternsOver } from './label.ts';

/** Names in `from` that are no tool's. */
const reserved: readonly string[] = ['request', 'answers'];

/** Returns whether a place is among what a flow names: only the alias of a tool's result ends with its number. */
const isAmong = (from: readonly string[], source: string): boolean => {
  const tool = /^(.*)#\d+$/s.exec(source)?.[1];
  if (tool !== undefined) return !reserved.includes(tool) && from.includes(tool);
  return from.includes(source === 'request' ? 'request' : 'answers');
};

/** Returns places in words, each once; `of` says what is told of one. */
const listed = (found: readonly OriginPlace[], of: (place: OriginPlace) => string): string =>
  [...new Set(found.map(of))].join(', ');

/** Returns a place in words; of a result that the model is not shown without its members' names. */
const placeWords = ({ source, pointer, isEcho, isHidden }: OriginPlace): string =>
  `${source}${pointer === '' || isHidden === true ? '' : ` at ${pointer}`}${isEcho === true ? ', which repeats what it was asked' : ''}`;

const namesAt = (input: unknown, pointer: string): readonly unknown[] => {
  try {
    const named = valueAt(input, pointer, '');
    return Array.isArray(named) ? named : [named];
  } catch (error) {
    if (isCharterError(error, 'feedback_inapplicable')) return []; // an argument that is left out
    throw error;
  }
};

const foundIn = ({ at, isName, found, isUnsearched }: Origin, input: unknown): string => {
  if (isUnsearched)
    return 'it was not looked for: the call has too many values for all that this run has read';
  if (found.length === 0)
    return isName || namesAt(input, at).some((value) => normalForm(value) !== undefined)
      ? 'it was found nowhere in this run'
      : 'it says too little to be looked for: refer to it with $from';
  return `it was found in ${listed(found, placeWords)}`;
};

const integrityFault = (
  { integrity, choice }: Flow,
  origin: Origin,
  shown: Label,
  input: unknown,
): string | null => {
  if (integrity !== 'trusted') return null;
  if (origin.integrity !== 'trusted') return `expected a trusted value; ${foundIn(origin, input)}`;
  if (choice === 'any' || shown.integrity === 'trusted') return null;
  return 'expected a trusted choice; the model chose after it had read what is not trusted';
};

/**
 * Returns whether a value counts as one from this place. What a result repeats of its call's arguments counts if it is
 * trusted elsewhere: it was looked up. An untrusted place counts unless `isStrict`.
 */
export const isVouching = (
  { isEcho, isUntrusted }: OriginPlace,
  { integrity }: Pick<Label, 'integrity'>,
  isStrict: boolean,
): boolean => (isEcho === true ? integrity === 'trusted' : !isStrict || isUntrusted !== true);

const sourceFault = ({ from, integrity }: Flow, origin: Origin, input: unknown): string | null => {
  if (from === undefined) return null;
  const isStrict = integrity === 'trusted';
  return origin.found.some(
    (place) =>
      (isAmong(from, place.source) || (place.isEndorsed === true && from.includes('request'))) &&
      isVouching(place, origin, isStrict),
  )
    ? null
    : `expected a value from ${from.join(' or ')}; ${foundIn(origin, input)}`;
};

const readersFault = ({ readers: of }: Flow, { readers }: Origin, input: unknown): string | null => {
  if (of === undefined || readers === 'anyone') return null;
  const named = [of].flat().flatMap((pointer) => namesAt(input, pointer));
  const others = named.filter((name) => !readers.some((reader) => reader === name));
  if (named.length > 0 && others.length === 0) return null;
  // the value of that argument is not repeated: it may be one that the model is not shown
  const allowed = readers.length === 0 ? 'no one' : `only ${readers.join(', ')}`;
  return `${allowed} may read it, and ${[of].flat().join(' or ')} names ${named.length === 0 ? 'no one' : 'someone else'}`;
};

/** Returns why a value flows by none of these; a flow alone has a fault for each of its conditions. */
const faultsOf = (
  flows: Flow | readonly Flow[],
  origin: Origin,
  shown: Label,
  input: unknown,
): readonly string[] => {
  const faults = [flows]
    .flat()
    .map((flow) =>
      [
        integrityFault(flow, origin, shown, input),
        sourceFault(flow, origin, input),
        readersFault(flow, origin, input),
      ].flatMap((fault) => fault ?? []),
    );
  const [only = [], ...more] = faults;
  if (more.length === 0) return only;
  return faults.every(({ length }) => length > 0) ? [faults.map((one) => one.join('; ')).join('; or ')] : [];
};

/** Returns the patterns that decide a value: the most specific one, or else those of the members that it stands in place of. */
const patternsAt = (flows: Flows, { at, isName }: Origin, input: unknown): readonly string[] => {
  const patterns = Object.keys(flows);
  if (!isName && namesAt(input, at)[0] === null) return []; // models write it for each argument that they leave out
  const [pattern] = patternsOver(patterns, at);
  if (pattern !== undefined) return [pattern];
  if (isName) return [];
  const isNothing = typeof valueAt(input, at, '') === 'object'; // an empty list or object
  return isNothing ? [] : patternsBelow(patterns, at);
};

const isUnseen = ({ found }: Origin): boolean => found.some(({ isHidden }) => isHidden);

/** Returns the argument that a hold names: nothing of a value that the model is not shown, such as its members' names. */
const holdAt = (origin: Origin, pattern: string): string => {
  const { at } = origin;
  if (!isUnseen(origin)) return at;
  const named = pattern.split('/').findIndex((token) => token === '*');
  const length = named === -1 ? pattern.split('/').length : named;
  return at.split('/').slice(0, length).join('/');
};

/** Returns what a tool's flows say of each value that they decide: the argument that a hold names, and why it is held, if it is. */
export const flowChecks = (flows: Flows, values: readonly Origin[], shown: Label, input: unknown) =>
  values.flatMap((origin) =>
    patternsAt(flows, origin, input).map((pattern) => ({
      pattern,
      origin,
      at: holdAt(origin, pattern),
      whys: faultsOf(flows[pattern] ?? {}, origin, shown, input).map((why) =>
        origin.isName && !isUnseen(origin) ? `the name of this member: ${why}` : why,
      ),
    })),
  );

/** Returns why a call is held: every value whose origin its tool does not accept. */
export const forbiddenFlows = (...given: Parameters<typeof flowChecks>): readonly Hold[] =>
  flowChecks(...given).flatMap(({ at, whys }) => whys.map((why) => ({ code: 'FLOW_FORBIDDEN', at, why })));

/** Returns why a value is not accepted, without the numbers of results and the places in them. */
export const generalWhy = (why: string, { found }: Origin): string =>
  why.replaceAll(listed(found, placeWords), () => listed(found, ({ source }) => source.replace(/#\d+$/, '')));
