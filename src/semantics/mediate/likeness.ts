import { coverageOf, type Coverage } from './alike.ts';
import type { Place } from './places.ts';
import { contradict, isTurned, wordsIn } from './words.ts';

/** How alike two descriptions are. */
export interface Likeness {
  /** How much of what the target says the source says too, and the other way round; from 0 to 1. */
  readonly said: number;
  readonly answered: number;
  /** The same of what is said of that which holds them, both ways. */
  readonly near: number;
  /** Whether the target says a word that the source does not, and the other way round. */
  readonly wants: boolean;
  readonly adds: boolean;
  /** One says the opposite of the other, or the same in another order. */
  readonly isContrary: boolean;
  /** Things that are not the same hold them. */
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
  steps
    .flatMap((step) => (step.kind === 'member' ? [step.name] : []))
    .slice(-1)
    .join('')
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .replaceAll('_', ' ');

/** What is said of a value: the words themselves, those of what holds it, and whatever else may help to say them. */
interface Saying {
  readonly words: readonly string[];
  readonly own: ReadonlySet<string>;
  readonly holder: ReadonlySet<string>;
  readonly around: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

const sayingOf = (place: Place): Saying => {
  const words = wordsIn(place.text);
  const around = wordsIn(place.around);
  return {
    words,
    own: new Set(words),
    holder: new Set(wordsIn(place.holder)),
    around: new Set(around),
    all: new Set([...words, ...around, ...wordsIn(`${formatOf(place)} ${nameOf(place)}`)]),
  };
};

const lacks = (words: ReadonlySet<string>, among: ReadonlySet<string>): boolean =>
  [...words].some((word) => !among.has(word));

/** Whether each says a word of its own. */
const part = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  lacks(one, other) && lacks(other, one);

/** What a word or less says is said of many things: then what holds it has to be the same as well. */
const isElsewhere = (here: Saying, there: Saying): boolean =>
  part(here.holder, there.all) && part(there.holder, here.all)
    ? true
    : Math.min(here.own.size, there.own.size) < 2 && part(here.around, there.around);

const wordsOf = ({ words }: Saying): readonly string[] => words;

/** What is said of the values of a source, beside what is said of those of a target. */
export interface Comparison {
  /** Whether each says something that the other says too. */
  readonly areRelated: (from: Place, to: Place) => boolean;
  readonly likeness: (from: Place, to: Place) => Likeness;
}

/** Compares the values of a source with those of a target, by what is said of them. */
export function comparisonOf(source: readonly Place[], target: readonly Place[]): Comparison {
  const places = [...source, ...target];
  const sayings = new Map(places.map((place, id) => [place, { ...sayingOf(place), id }]));
  const sayingAt = (place: Place) => sayings.get(place) ?? { ...sayingOf(place), id: -1 };
  const coverage = (text: (saying: Saying) => Iterable<string>, help: (place: Place) => string): Coverage =>
    coverageOf(
      [...sayings].map(([place, saying]) => ({ text: [...text(saying)].join(' '), help: help(place) })),
    );
  const strict = coverage(wordsOf, formatOf);
  // What a value is called, and what holds it, may help a description; without one they say nothing.
  const wide = coverage(wordsOf, (place) => [...sayingAt(place).all].join(' '));
  const around = coverage(
    (saying) => saying.around,
    (place) => sayingAt(place).words.join(' '),
  );
  const areRelated = (from: Place, to: Place): boolean => {
    const [one, other] = [sayingAt(from).id, sayingAt(to).id];
    return strict(one, other) > 0 && strict(other, one) > 0;
  };
  const likeness = (from: Place, to: Place): Likeness => {
    const [here, there] = [sayingAt(from), sayingAt(to)];
    const share = (of: number, by: number): number =>
      areRelated(from, to) ? (strict(of, by) + wide(of, by)) / 2 : 0;
    return {
      said: share(there.id, here.id),
      answered: share(here.id, there.id),
      near: (around(here.id, there.id) + around(there.id, here.id)) / 2,
      wants: lacks(there.own, here.all),
      adds: lacks(here.own, there.all),
      isContrary:
        contradict(here.own, there.own) ||
        contradict(here.around, there.around) ||
        isTurned(here.words, there.words),
      isElsewhere: isElsewhere(here, there),
    };
  };
  return { areRelated, likeness };
}
