import { coverageOf, type Coverage } from './alike.ts';
import type { Place } from './places.ts';
import { areStrangers, contradict } from './words.ts';

/** How alike two descriptions are. */
export interface Likeness {
  /** How much of what the target says the source says too, and the other way round; from 0 to 1. */
  readonly said: number;
  readonly answered: number;
  /** The same of what is said of that which holds them, both ways. */
  readonly near: number;
  /** One says the opposite of the other. */
  readonly isContrary: boolean;
  /** Things that have nothing to do with each other hold them. */
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

const idOf = (side: 'from' | 'to', { path }: Place): string => `${side}:${path}`;
const textOf = ({ text }: Place): string => text;

/** Compares the values of a source with those of a target, by what is said of them. */
export function likenessOf(
  source: readonly Place[],
  target: readonly Place[],
): (from: Place, to: Place) => Likeness {
  const sides = [
    ...source.map((place) => ['from', place] as const),
    ...target.map((place) => ['to', place] as const),
  ];
  const coverage = (text: (place: Place) => string, help: (place: Place) => string): Coverage =>
    coverageOf(
      new Map(sides.map(([side, place]) => [idOf(side, place), { text: text(place), help: help(place) }])),
    );
  const strict = coverage(textOf, formatOf);
  // What a value is called, and what holds it, may help a description; without one they say nothing.
  const wide = coverage(textOf, (place) => `${formatOf(place)} ${nameOf(place)} ${place.around}`);
  const around = coverage(({ around }) => around, textOf);
  return (from, to) => {
    const [one, other] = [idOf('from', from), idOf('to', to)];
    const isTold = strict(one, other) > 0 && strict(other, one) > 0;
    const share = (of: string, by: string): number => (isTold ? (strict(of, by) + wide(of, by)) / 2 : 0);
    return {
      said: share(other, one),
      answered: share(one, other),
      near: (around(one, other) + around(other, one)) / 2,
      isContrary: contradict(from.text, to.text) || contradict(from.holder, to.holder),
      isElsewhere: areStrangers(from.holder, to.holder),
    };
  };
}
