import { courseNames, declared, type CourseName } from './courses.ts';
import { places, type Boundary, type Place } from './fate.ts';
import type { End, Story } from './trial.ts';

/** What is known of each workflow from the run that nobody disturbed. */
export type Survey = Readonly<
  Record<CourseName, { readonly boundaries: readonly Boundary[]; readonly took: number }>
>;

interface Single extends Story {
  readonly boundary: Boundary;
}

/** The fraction of a multiple of the golden section. */
const fractionOf = (index: number): number => (index * 0.618_033_988_749_895) % 1;

/** In another order: what is taken first is spread over all. */
const spread = <One>(all: readonly One[]): readonly One[] =>
  [...all.entries()].toSorted(([one], [other]) => fractionOf(one) - fractionOf(other)).map(([, one]) => one);

const single = (course: CourseName, boundary: Boundary, index: number): Single => ({
  course,
  boundary,
  ends: [{ boundary: index + 1 }],
  cut: ((index * 37) % 100) / 100,
});

const isOfWrite = ({ boundary: { of } }: Single): boolean => Object.hasOwn(declared, of);

/**
 * One kill at each boundary of each workflow. First comes the death of a process that waits for a write, once a tool;
 * then the places take turns, so that the first few are of all kinds.
 */
export const everyBoundary = (survey: Survey): readonly Story[] => {
  const all = courseNames.flatMap((course) =>
    survey[course].boundaries.map((boundary, index) => single(course, boundary, index)),
  );
  const tools = Object.keys(declared);
  const first = tools.flatMap(
    (tool) => all.find(({ boundary: { at, of } }) => at === 'sent' && of === tool) ?? [],
  );
  const orderOf: readonly Place[] = [
    'torn',
    'uncommitted',
    'committed',
    'unsent',
    'answered',
    'sent',
    'within',
    'before',
  ];
  const ranks = new Map<Single, number>();
  for (const place of places) {
    const here = all.filter((one) => one.boundary.at === place && !first.includes(one));
    const [writes, others] = [here.filter(isOfWrite), spread(here.filter((one) => !isOfWrite(one)))];
    for (const [turn, one] of [...writes, ...others].entries())
      ranks.set(one, turn * orderOf.length + orderOf.indexOf(place));
  }
  const rankOf = (one: Single): number => ranks.get(one) ?? -1;
  return [...first, ...all.filter((one) => !first.includes(one)).toSorted((a, b) => rankOf(a) - rankOf(b))];
};

/** The same numbers from the same seed (mulberry32). */
export const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** A workflow that is killed up to three times, at a boundary or at any moment: also while it recovers. */
export const atRandom = (survey: Survey, random: () => number): Story => {
  const course = courseNames[Math.floor(random() * courseNames.length)] ?? 'hiring';
  const { boundaries, took } = survey[course];
  const one = (): End =>
    random() < 0.5 ? { boundary: 1 + Math.floor(random() * boundaries.length) } : { after: random() * took };
  return { course, ends: Array.from({ length: 1 + Math.floor(random() * 3) }, one), cut: random() };
};
