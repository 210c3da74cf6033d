/** What each run is held to, in the order in which the model numbers them. */
export const properties = ['once', 'true', 'stopped', 'heard', 'ends'] as const;
export type Property = (typeof properties)[number];

/** How tasks end where nothing more happens: as the model's states of the record, from 4 on. */
export const endings = ['in doubt', 'delivered', 'landed', 'stopped', 'reported'] as const;
export type Ending = (typeof endings)[number];

/** How many take part, and what befalls them. */
export interface Size {
  readonly processes: 2 | 3 | 4;
  readonly crashes: number;
  /** How many states Spin stores. */
  readonly states: number;
}

/** The design, or the design without one part of it. */
export interface Variant extends Size {
  readonly name: string;
  readonly switches: readonly string[];
  readonly breaks: readonly Property[];
  /** The one that the shortest way is told of. */
  readonly shows: Property | null;
}

/** What is asked of larger sizes too. */
export interface Design extends Variant {
  readonly larger: readonly Size[];
}

const size = (processes: Size['processes'], crashes: number, states: number): Size => ({
  processes,
  crashes,
  states,
});

const design = (
  name: string,
  switches: readonly string[],
  states: number,
  ...larger: readonly Size[]
): Design => ({ ...size(2, 1, states), name, switches, breaks: [], shows: null, larger });

const idempotent = ['DECLARED=IDEMPOTENT'];
const reconcilable = ['DECLARED=RECONCILABLE', 'NO_KEY'];
const unsafe = ['DECLARED=UNSAFE', 'NO_KEY'];

/** The design: a tool of each declaration; only an idempotent one is given a key that it honours. */
export const designs: readonly Design[] = [
  design(
    'idempotent: again, under the same key',
    idempotent,
    17_035,
    size(3, 2, 549_448),
    size(4, 1, 1_699_185),
    size(4, 2, 5_545_555),
  ),
  design(
    'reconcilable, no key: `lookup` says',
    reconcilable,
    17_899,
    size(3, 2, 554_764),
    size(4, 1, 1_763_569),
  ),
  design('unsafe, no key: a person decides', unsafe, 15_431, size(3, 2, 447_994), size(4, 1, 1_510_345)),
];

/** What the design still holds where one part of it is not needed. */
const also = (name: string, switches: readonly string[], crashes: number, states: number): Variant => ({
  ...size(2, crashes, states),
  name,
  switches,
  breaks: [],
  shows: null,
});

/** The property that comes first is the one whose shortest way is told. */
const fails = (
  name: string,
  switches: readonly string[],
  crashes: number,
  states: number,
  shows: Property,
  ...rest: readonly Property[]
): Variant => ({
  ...size(2, crashes, states),
  name,
  switches,
  breaks: properties.filter((one) => one === shows || rest.includes(one)),
  shows,
});

export const variants: readonly Variant[] = [
  also('nobody crashes: again, without a key', ['NO_KEY'], 0, 2_913),
  also('one answer, sent to every process at once', ['ONE_ANSWER'], 1, 12_343),
  fails('again, without a key', ['NO_KEY'], 1, 19_243, 'once', 'true'),
  fails('the tool forgets its keys', ['FORGETS'], 1, 29_487, 'once', 'true'),
  fails(
    '`lookup` says absent of what is under way',
    [...reconcilable, 'HASTY_LOOKUP'],
    1,
    24_727,
    'once',
    'true',
  ),
  fails('such a `lookup`, with a key', ['DECLARED=RECONCILABLE', 'HASTY_LOOKUP'], 1, 22_519, 'true'),
  fails(
    'a person says absent of what is under way',
    [...unsafe, 'HASTY_PERSON'],
    0,
    12_137,
    'once',
    'true',
    'stopped',
  ),
  fails('such a person, with a key', ['DECLARED=UNSAFE', 'HASTY_PERSON'], 0, 11_937, 'true', 'stopped'),
  fails('read, then write: no compare-and-swap', ['NAIVE'], 1, 118_811, 'heard', 'true', 'stopped'),
  fails(
    'read, then write, without a key',
    ['NAIVE', 'NO_KEY'],
    0,
    18_465,
    'once',
    'true',
    'stopped',
    'heard',
  ),
  fails('no lock', ['NO_OWNER'], 0, 31_353, 'true', 'stopped'),
  fails('no lock, again without a key', ['NO_OWNER', 'NO_KEY'], 0, 34_785, 'once', 'true', 'stopped'),
  fails('no lock, a person without a key', [...unsafe, 'NO_OWNER'], 0, 30_241, 'once', 'true', 'stopped'),
  fails('a lease in place of the lock', ['LEASE'], 0, 22_153, 'true', 'stopped'),
  fails('a lease, `lookup` without a key', [...reconcilable, 'LEASE'], 0, 38_385, 'once', 'true', 'stopped'),
  fails('a lock that outlives its holder', ['STALE_LOCK'], 1, 15_487, 'ends'),
  fails('the outcome before the effect', ['OUTCOME_FIRST'], 0, 569, 'true'),
  fails('no intent before the effect', ['NO_INTENT'], 0, 2_689, 'stopped', 'true'),
  fails('an intent is taken up again after a stop', ['FIRE_STOPPED'], 1, 16_643, 'stopped'),
  fails('an answer that is sent again has no key', ['NO_SEND_KEY'], 1, 19_487, 'heard'),
  fails('its key is looked for before the task is loaded', ['ONE_ANSWER', 'FIND_FIRST'], 0, 4_179, 'heard'),
  fails('who lost writes again without loading again', ['NO_RELOAD'], 0, 3_327, 'ends'),
];
