import { coverageOf, type Coverage } from './alike.ts';
import { areDenied, kindOnlyOf, type KindOnly } from './same-kind.ts';
import type { Place } from './places.ts';
import { contradict, isReordered, splitName, wordsIn } from './words.ts';

/** The similarity of two descriptions. */
export interface Likeness {
  /** How much of the target's words the source has, and the reverse; 0 to 1. */
  readonly sourceCoverage: number;
  readonly targetCoverage: number;
  /** The same for the words of their holders. */
  readonly near: number;
  /** Whether the target has a word that the source lacks, and the reverse. */
  readonly wants: boolean;
  readonly adds: boolean;
  /** Whether they contradict each other, or have the same words in another order. */
  readonly isContrary: boolean;
  /** Whether their holders differ. */
  readonly isElsewhere: boolean;
}

const formatWords: Readonly<Record<string, string>> = {
  email: 'email mail address',
  'idn-email': 'email mail address',
  uri: 'uri url link',
  url: 'uri url link',
  'date-time': 'date time timestamp',
  date: 'date day',
  time: 'time',
  uuid: 'uuid identifier id',
};

const formatOf = ({ constraints: { format } }: Place): string =>
  typeof format === 'string' && Object.hasOwn(formatWords, format) ? (formatWords[format] ?? '') : '';

const nameOf = ({ steps }: Place): string =>
  splitName(steps.flatMap((step) => (step.kind === 'member' ? [step.name] : [])).at(-1) ?? '');

/** The words of a value: its own, its holder's, and others that may help. */
interface WordSets {
  readonly words: readonly string[];
  readonly own: ReadonlySet<string>;
  readonly holder: ReadonlySet<string>;
  readonly around: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
  readonly kindOnly: KindOnly | undefined;
}

const wordSetsOf = (place: Place): WordSets => {
  const words = wordsIn(place.text);
  const around = wordsIn(place.around);
  return {
    words,
    own: new Set(words),
    holder: new Set(wordsIn(place.holder)),
    around: new Set(around),
    all: new Set([...words, ...around, ...wordsIn(`${formatOf(place)} ${nameOf(place)}`)]),
    kindOnly: kindOnlyOf(place),
  };
};

const lacks = (words: ReadonlySet<string>, among: ReadonlySet<string>): boolean =>
  [...words].some((word) => !among.has(word));

/** Returns whether each has a word of its own. */
const part = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  lacks(one, other) && lacks(other, one);

/** Returns whether a short description needs equal holders, and they differ. */
const isElsewhere = (here: WordSets, there: WordSets): boolean =>
  part(here.holder, there.all) && part(there.holder, here.all)
    ? true
    : Math.min(here.own.size, there.own.size) < 2 && part(here.around, there.around);

const wordsOf = ({ words }: WordSets): readonly string[] => words;

/** A comparison of source and target values. */
export interface Comparison {
  /** Returns whether they share a word. */
  readonly areRelated: (from: Place, to: Place) => boolean;
  readonly likeness: (from: Place, to: Place) => Likeness;
}

/** Compares source values with target values by their words. */
export function comparisonOf(source: readonly Place[], target: readonly Place[]): Comparison {
  const places = [...source, ...target];
  const wordSets = new Map(places.map((place, id) => [place, { ...wordSetsOf(place), id }]));
  const wordSetsAt = (place: Place) => wordSets.get(place) ?? { ...wordSetsOf(place), id: -1 };
  const coverage = (text: (saying: WordSets) => Iterable<string>, help: (place: Place) => string): Coverage =>
    coverageOf(
      [...wordSets].map(([place, saying]) => ({ text: [...text(saying)].join(' '), help: help(place) })),
    );
  const strict = coverage(wordsOf, formatOf);
  // names and holders only help descriptions; without one they do not count
  const wide = coverage(wordsOf, (place) => [...wordSetsAt(place).all].join(' '));
  const around = coverage(
    (saying) => saying.around,
    (place) => wordSetsAt(place).words.join(' '),
  );
  const areRelated = (from: Place, to: Place): boolean => {
    const [one, other] = [wordSetsAt(from).id, wordSetsAt(to).id];
    return strict(one, other) > 0 && strict(other, one) > 0;
  };
  const likeness = (from: Place, to: Place): Likeness => {
    const [here, there] = [wordSetsAt(from), wordSetsAt(to)];
    const share = (of: number, by: number): number =>
      areRelated(from, to) ? (strict(of, by) + wide(of, by)) / 2 : 0;
    return {
      sourceCoverage: share(there.id, here.id),
      targetCoverage: share(here.id, there.id),
      near: (around(here.id, there.id) + around(there.id, here.id)) / 2,
      wants: lacks(there.own, here.all),
      adds: lacks(here.own, there.all),
      isContrary:
        contradict(here.own, there.own) ||
        contradict(here.around, there.around) ||
        areDenied(here.kindOnly, there.kindOnly) ||
        isReordered(here.words, there.words),
      isElsewhere: isElsewhere(here, there),
    };
  };
  return { areRelated, likeness };
}
