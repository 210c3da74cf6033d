import { courseNames, type CourseName } from './courses.ts';
import type { Boundary, Place } from './fate.ts';
import { boundariesIn, resolvedIn } from './laws.ts';
import type { Outcome } from './trial.ts';

/** What trials come to, together. */
export interface Figures {
  readonly workflows: number;
  readonly kills: number;
  readonly restarts: number;
  /** Effects that were made again under their key. */
  readonly repeated: number;
  /** Requests under a key that the tool server knew: it did nothing. */
  readonly known: number;
  readonly adopted: number;
  readonly asked: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

export const figuresOf = (outcomes: readonly Outcome[]): Figures => {
  const resolved = outcomes.map(resolvedIn);
  return {
    workflows: outcomes.length,
    kills: sum(outcomes.map(({ lives }) => lives.filter(({ wasKilled }) => wasKilled).length)),
    restarts: sum(outcomes.map(({ lives }) => lives.length - 1)),
    repeated: sum(resolved.map(({ repeated }) => repeated)),
    known: sum(outcomes.map(({ repeated }) => repeated)),
    adopted: sum(resolved.map(({ adopted }) => adopted)),
    asked: sum(resolved.map(({ asked }) => asked)),
  };
};

export const inOneLine = ({ workflows, kills, restarts, repeated, known, adopted, asked }: Figures): string =>
  `${workflows} workflows, ${kills} kills, ${restarts} restarts: ${repeated} effects made again under their key ` +
  `(${known} of them known to the tool), ${adopted} adopted by a look-up, ${asked} left to a person`;

const meanings: Readonly<Record<Place, string>> = {
  before: 'before the transaction',
  within: 'inside it, only the record written',
  uncommitted: 'inside it, everything written and not committed',
  torn: 'while it is committed, the log cut off',
  committed: 'after it, the confirmation lost',
  unsent: 'before the request to a tool',
  sent: 'the request sent, done after the death',
  answered: 'after the answer, which is not recorded',
};

export interface Row {
  readonly place: string;
  readonly boundaries: number;
}

const isOf =
  (place: Place) =>
  ({ at }: Boundary): boolean =>
    at === place;

/** The boundaries of the workflows by their places, for a page: the same however many of them a run has tried. */
export const rowsOf = (undisturbed: Readonly<Record<CourseName, Outcome>>): readonly Row[] =>
  courseNames.flatMap((workflow) => {
    const [life] = undisturbed[workflow].lives;
    if (life === undefined) return [];
    return (Object.keys(meanings) as Place[]).flatMap((place) => {
      const boundaries = boundariesIn(life).filter(isOf(place)).length;
      return boundaries === 0 ? [] : [{ place: meanings[place], boundaries }];
    });
  });
