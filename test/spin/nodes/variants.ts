/** What each run is held to, in the order in which the model numbers them. */
export const properties = ['once', 'true', 'fenced', 'ends'] as const;
export type Property = (typeof properties)[number];

/** How tasks end where nothing more happens, as the model numbers them. */
export const endings = ['done', 'not done', 'undone', 'not undone'] as const;
export type Ending = (typeof endings)[number];

/** The design, or the design without one part of it. */
export interface Variant {
  readonly name: string;
  readonly switches: readonly string[];
  readonly crashes: 0 | 1;
  readonly breaks: readonly Property[];
  /** The one that the shortest way is told of. */
  readonly shows: Property | null;
}

const idempotent = ['DECLARED=IDEMPOTENT', 'KEY'];
const reconcilable = ['DECLARED=RECONCILABLE'];
const fenced = ['DECLARED=RECONCILABLE', 'FENCED'];
const unsafe = ['DECLARED=UNSAFE'];

const holds = (name: string, switches: readonly string[], crashes: Variant['crashes'] = 0): Variant => ({
  name,
  switches,
  crashes,
  breaks: [],
  shows: null,
});

/** The property that comes first is the one whose shortest way is told. */
const fails = (
  name: string,
  switches: readonly string[],
  ...breaks: readonly [Property, ...Property[]]
): Variant => ({
  name,
  switches,
  crashes: 0,
  breaks: properties.filter((property) => breaks.includes(property)),
  shows: breaks[0],
});

/** The design: a tool of each declaration, and what its resource can do. */
export const designs: readonly Variant[] = [
  holds('idempotent: the resource knows the key', idempotent, 1),
  holds('reconcilable: the resource refuses older fences', fenced, 1),
  holds('reconcilable: the resource can do neither', reconcilable, 1),
  holds('unsafe: the resource can do neither, and a person decides', unsafe, 1),
];

export const variants: readonly Variant[] = [
  fails('the store checks no fence', [...idempotent, 'NO_STORE_FENCE'], 'fenced', 'true', 'ends'),
  fails('the resource knows no key', ['DECLARED=IDEMPOTENT'], 'once', 'true'),
  fails('no quarantine, looked up', [...reconcilable, 'NO_QUARANTINE'], 'once', 'true'),
  fails('no quarantine, a person decides', [...unsafe, 'NO_QUARANTINE'], 'once', 'true'),
  fails(
    'a quarantine shorter than the deadline of the call',
    [...unsafe, 'SHORT_QUARANTINE'],
    'once',
    'true',
  ),
  fails('a pause longer than the deadline of the call', [...reconcilable, 'LONG_PAUSE'], 'once', 'true'),
  holds('no quarantine, the resource refuses older fences', [...fenced, 'NO_QUARANTINE']),
  holds('a longer pause, the resource refuses older fences', [...fenced, 'LONG_PAUSE']),
  fails(
    'no quarantine, and a look-up that tells the resource no fence',
    [...fenced, 'NO_QUARANTINE', 'QUIET_LOOKUP'],
    'once',
    'true',
  ),
  fails('a lease by the clock of the node that takes', [...unsafe, 'TAKER_CLOCK'], 'once', 'true'),
  fails('no look at the clock before the request', [...unsafe, 'NO_CHECK'], 'once', 'true'),
  holds('no look at the clock, the resource refuses older fences', [...fenced, 'NO_CHECK']),
  fails(
    'a hold that was let go makes the store forget one that lapsed',
    [...unsafe, 'FORGETFUL'],
    'once',
    'true',
  ),
  fails('a task is let go while a call of it is under way', [...unsafe, 'HASTY_RELEASE'], 'once', 'true'),
  fails('an intent of another node is closed without a look', [...idempotent, 'HASTY_FAILURE'], 'true'),
  fails('a person is asked before the quarantine is over', [...idempotent, 'HASTY_QUESTION'], 'true'),
  { ...fails('no lease: a dead node keeps its task', [...unsafe, 'NO_LEASE'], 'ends'), crashes: 1 },
];
