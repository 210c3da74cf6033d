import { pathOf, type Segment } from '../path.ts';
import { isNamed, isPhraseOf, kinds, phraseOf, type Kind } from './kinds.ts';
import type { Place } from './places.ts';
import { contradict, namedWords, splitName, stemmed, termOf, wordsIn } from './words.ts';

/** Values that a context keeps apart by one of these words are not values of a context without it. */
const reserved = stemmed(
  'sender reply noreply blocked blocklist blacklist blacklisted suppressed suppression unsubscribe unsubscribed bounced opted optout excluded',
);

const namesIn = (steps: readonly Segment[]): readonly string[] =>
  steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []));

const ownName = ({ steps }: Place): string => namesIn(steps).at(-1) ?? '';

/** Returns the steps of the object that has the value, or the list of values. */
const holderOf = ({ steps }: Place): readonly Segment[] =>
  steps.slice(0, steps.map(({ kind }) => kind).lastIndexOf('member'));

/** Returns all words of a value: its names, description and holders. */
const everyWord = ({ steps, text, around }: Place): ReadonlySet<string> =>
  new Set([...namesIn(steps).flatMap(namedWords), ...wordsIn(`${text} ${around}`)]);

/** Returns whether two sets of words have opposites, or one alone has a reserved word. */
const areApart = (here: ReadonlySet<string>, there: ReadonlySet<string>): boolean =>
  contradict(here, there) || reserved.some((word) => here.has(word) !== there.has(word));

/** A value of a context without schema whose description names a kind and nothing else. */
export interface KindOnly {
  readonly kind: Kind;
  readonly words: ReadonlySet<string>;
  /** Whether its name says something about such a value, such as `emailVerified` and `emailCount`. */
  readonly isAbout: boolean;
}

/** Returns the kind of a value, if its names and holders add at most a detail to it; `undefined` if there is none. */
export function kindOnlyOf(place: Place): KindOnly | undefined {
  const kind = place.isBare ? kinds.find((one) => isPhraseOf(one, place.text, ownerOf(place))) : undefined;
  if (kind === undefined) return undefined;
  const named = namedWords(ownName(place));
  const last = named.at(-1) ?? '';
  const isAbout =
    named.some((word) => kind.names.has(word)) && !kind.names.has(last) && !kind.values.has(last);
  return { kind, words: everyWord(place), isAbout };
}

/** Returns whether names distinguish two values whose descriptions only name their kind. */
export const areDenied = (from: KindOnly | undefined, to: KindOnly | undefined): boolean =>
  from !== undefined &&
  from.kind === to?.kind &&
  (from.isAbout !== to.isAbout || areApart(from.words, to.words));

/** Returns whether the ontology terms and tags of a value name the kind too, if there are any. */
const isTermed = ({ names, values }: Kind, { terms, tags, unit }: Place): boolean =>
  unit === undefined &&
  [...terms, ...tags].every((term) => {
    const words = namedWords(term.split(/[/#:]/u).at(-1) ?? '');
    return words.length > 0 && words.every((word) => names.has(word) || values.has(word));
  });

/** Returns whether a value is in at most one list, at no fixed position. */
const isPlain = ({ steps, arrays }: Place): boolean =>
  arrays.length <= 1 && steps.filter(({ kind }) => kind === 'element').length === arrays.length;

/** Returns the words of what a value belongs to: its list, and an entity of one word. */
function ownerOf(place: Place): ReadonlySet<string> {
  const around = wordsIn(place.around);
  const names = namesIn(holderOf(place)).flatMap(namedWords);
  return new Set(around.length === 1 ? [...names, ...around] : names);
}

/** Returns whether a source value says by name and description that it is of the kind, and nothing else. */
function isGivenAs(kind: Kind, place: Place, source: readonly Place[]): boolean {
  const holder = holderOf(place);
  const named = namedWords(ownName(place));
  const isOfOneThing = source.every((one) => [pathOf(holder), pathOf([])].includes(pathOf(holderOf(one))));
  const isInList = holder.length === 2 && holder[1]?.kind === 'element';
  return (
    isOfOneThing &&
    (holder.length === 0 || isInList) &&
    named.some((word) => kind.names.has(word)) &&
    isPhraseOf(kind, named.join(' '), new Set()) &&
    isPhraseOf(kind, place.text, ownerOf(place)) &&
    isNamed(kind, [...named, ...wordsIn(place.text)])
  );
}

/** Returns whether a target value is described as the kind, and neither names nor holders say anything else. */
function isTakenAs(kind: Kind, place: Place): boolean {
  const { names, values, neutral, uses } = kind;
  const named = namesIn(place.steps).flatMap(namedWords);
  const isUse = named.some((word) => uses.has(word));
  const says = (word: string): boolean => [names, values, neutral, uses].some((words) => words.has(word));
  return (
    named.every(says) &&
    (isUse || wordsIn(place.around).every(says)) &&
    isPhraseOf(kind, place.text, new Set()) &&
    isNamed(kind, phraseOf(place.text)?.[0] ?? [])
  );
}

/** Returns the only value that may be of the kind. */
function soleOf({ mention }: Kind, places: readonly Place[]): Place | undefined {
  const some = places.filter((place) => mention.test(`${ownName(place)} ${place.text}`.toLowerCase()));
  return some.length === 1 ? some[0] : undefined;
}

const isPlural = (word: string): boolean => /s$/iu.test(word) && termOf(word) !== word.toLowerCase();

/** Returns whether both the name and the description of a value speak of several. */
const isSeveral = (place: Place): boolean =>
  [ownName(place), place.text.split(/\b(?:of|for)\b/iu)[0] ?? ''].every((said) =>
    isPlural(
      splitName(said)
        .match(/\p{L}+/gu)
        ?.at(-1) ?? '',
    ),
  );

const asList = (place: Place): Place => {
  const steps: readonly Segment[] = [...place.steps, { kind: 'element', index: null }];
  return { ...place, steps, path: pathOf(steps), arrays: [...place.arrays, pathOf(steps)] };
};

/** A source value and a target value of one kind. */
export interface SameKind {
  readonly from: Place;
  readonly to: Place;
}

/**
 * Returns the values that names and descriptions identify: of contexts without constraints and schemas, if each
 * context has exactly one value of the kind. UpFormat 3.2.
 */
export function sameKinds(source: readonly Place[], target: readonly Place[]): readonly SameKind[] {
  if (![...source, ...target].every(({ isBare }) => isBare)) return [];
  return kinds.flatMap((kind) => {
    const [from, to] = [soleOf(kind, source), soleOf(kind, target)];
    if (from === undefined || to === undefined) return [];
    const isSame =
      !areApart(everyWord(from), new Set([...everyWord(to), ...kind.uses])) &&
      [from, to].every((place) => isPlain(place) && isTermed(kind, place)) &&
      isGivenAs(kind, from, source) &&
      isTakenAs(kind, to);
    return isSame ? [{ from, to }] : [];
  });
}

/**
 * Returns the target with a list where a list of values of its kind goes to a value that speaks of several:
 * `recipients` becomes `recipients[]`.
 */
export function withLists(source: readonly Place[], target: readonly Place[]): readonly Place[] {
  const lists = sameKinds(source, target).flatMap(({ from, to }) =>
    from.arrays.length > 0 && to.arrays.length === 0 && isSeveral(to) ? [to] : [],
  );
  return target.map((place) => (lists.includes(place) ? asList(place) : place));
}
