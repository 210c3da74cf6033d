import { definitionError } from '../../base/boundary/definition-error.ts';
import { unknownAmong } from '../../base/boundary/did-you-mean.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import type { Issue } from '../../base/errors.ts';
import type { TaskClasses, Tools } from '../../base/define/inferred.ts';
import { memberNames } from '../proof/check-options.ts';
import { loadModules } from '../scenario/scenario.ts';
import { TestFailure } from '../failure.ts';
import { unknownNameIn, type Charter } from '../scenario/world.ts';
import { valueText } from '../value-text.ts';
import { Choices, largest } from './choices.ts';
import type { AnySimulated, Simulated } from './given.ts';
import { Broken, type SimulatedRun } from './laws.ts';
import { Order } from './order.ts';

/** Which orders of events are tried. */
export interface SimulationOptions {
  /** Decides all orders; 1 by default. */
  readonly seed?: number;
  /** The number of orders; 1,000 by default. */
  readonly orders?: number;
  /** The path to one order of the seed, from the message of a failure: only this one is tried. */
  readonly path?: string;
  /** Whether a failing order is made shorter, by up to 600 more; `true` by default. */
  readonly shrink?: boolean;
  /** Called after each order, with the number of those that were tried. */
  readonly onProgress?: (orders: number) => void;
}

/** What a simulation tried. Look at it once: what never happened was not tested. */
export interface Simulation {
  readonly seed: number;
  readonly orders: number;
  /** How tasks ended, by state and outcome, and how often. */
  readonly ends: Readonly<Record<string, number>>;
  readonly records: number;
  /** Writes and rollbacks that happened. */
  readonly effects: number;
  /** Deaths of a process. */
  readonly deaths: number;
}

const loadFastCheck = async () => {
  try {
    return await import('fast-check');
  } catch (cause) {
    const message = 'simulate needs its package: npm install --save-dev fast-check';
    throw definitionError('simulate', [{ path: '', message }], { cause });
  }
};

/** The numbers that decide an order, and the shorter orders that are tried after a failure. */
const [mostNumbers, mostShorter] = [400, 600];

const optionNames = memberNames<SimulationOptions>({
  seed: true,
  orders: true,
  path: true,
  shrink: true,
  onProgress: true,
});
const givenNames = memberNames<AnySimulated>({
  request: true,
  model: true,
  agents: true,
  tools: true,
  people: true,
  answers: true,
  laws: true,
});

const unknownNames = (given: object, known: readonly string[], path: string): readonly Issue[] =>
  unknownAmong(Object.keys(given), known).map(({ name, hint }) => ({
    path: `${path}/${name}`,
    message: `is unknown: expected one of ${known.join(', ')}${hint}`,
  }));

const isLaw = (law: unknown): boolean =>
  isObject(law) && typeof law['name'] === 'string' && typeof law['holds'] === 'function';

/** Throws `definition_invalid` for what cannot be simulated. */
const check = (charter: Charter, given: AnySimulated, options: SimulationOptions): void => {
  const { seed = 1, orders = 1 } = options;
  const { request, laws = [] } = given;
  const misnamed = unknownNameIn(charter, given);
  const classes = charter.taskClasses.map(({ id }) => id);
  const issues = [
    ...unknownNames(options, optionNames, ''),
    ...unknownNames(given, givenNames, '/given'),
    ...(misnamed === null ? [] : [{ path: '/given', message: misnamed }]),
    ...(classes.includes(request.taskClass)
      ? []
      : [{ path: '/given/request/taskClass', message: `expected one of ${classes.join(', ')}` }]),
    ...(Array.isArray(laws) && laws.every(isLaw)
      ? []
      : [{ path: '/given/laws', message: 'expected a list of laws: { name, holds }' }]),
    ...(Number.isSafeInteger(orders) && orders >= 1
      ? []
      : [{ path: '/orders', message: 'expected a whole number from 1' }]),
    ...(Number.isSafeInteger(seed) ? [] : [{ path: '/seed', message: 'expected a whole number' }]),
  ];
  if (issues.length > 0) throw definitionError('simulate', issues);
};

/** What a reader of the clock or of another source of chance breaks. */
const sameEachTime =
  'an order is the same each time: let policies, verifiers, model and agents decide by what they are given';

/** Returns the order at a path. Throws `definition_invalid` for a path that is of no order. */
const orderAt = (sample: () => readonly number[][]): readonly number[][] => {
  try {
    return sample();
  } catch (cause) {
    const message = 'expected the path of a failure of this seed, as its message has it';
    throw definitionError('simulate', [{ path: '/path', message }], { cause });
  }
};

class Tally {
  readonly ends = new Map<string, number>();
  records = 0;
  effects = 0;
  deaths = 0;

  add({ settled, records, effects }: SimulatedRun, deaths: number): void {
    const end = `${settled.state} ${settled.outcome}`;
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
    this.records += records.length;
    this.effects += effects.length;
    this.deaths += deaths;
  }
}

/** Returns the law that an order breaks; `null` for none. */
const lawBrokenIn = async (order: Order, tally?: Tally): Promise<Broken | null> => {
  try {
    const run = await order.run();
    tally?.add(run, order.deaths);
    return null;
  } catch (error) {
    return error instanceof Broken ? error : new Broken('nothing is thrown but typed errors', error);
  }
};

const causeOf = ({ cause }: Broken): string => {
  if (cause === undefined) return '';
  return `\n${cause instanceof Error ? (cause.stack ?? cause.message) : valueText(cause)}`;
};

/**
 * Runs one task of a charter in many orders of events, and checks that the laws of the library, and yours, hold in each.
 *
 * A seed decides when the model, the tools, the policy, the verifiers and the store answer, which calls and writes fail or lose their
 * answer, when time passes, when the process dies and is started again on the same store, and what people say. The orchestrator, its charts
 * and gates, policies, verifiers and approvals run as they are; they must read the time from what they are given.
 *
 * Throws an `AssertionError` with the broken law, the shortest order that was found, as sentences, and the seed and path that replay it; and
 * `definition_invalid` for unknown names, and without the peer `fast-check`.
 */
export const simulate = async <
  const Has extends Tools = readonly [],
  const Classes extends TaskClasses = TaskClasses,
>(
  charter: Charter<Has, Classes>,
  given: Simulated<Has, Classes>,
  options: SimulationOptions = {},
): Promise<Simulation> => {
  const { seed = 1, orders = 1_000, path, shrink = true, onProgress } = options;
  const all = charter as unknown as Charter; // the same, without its names
  const around = given as unknown as AnySimulated; // as above
  check(all, around, options);
  const fc = await loadFastCheck();
  await loadModules();
  const orderOf = (numbers: readonly number[]): Order => new Order(all, around, new Choices(numbers));
  const tally = new Tally();
  let tried = 0;
  let shorter = 0;
  let law: string | null = null;
  const holds = async (numbers: readonly number[]): Promise<boolean> => {
    if (law === null) {
      const broken = await lawBrokenIn(orderOf(numbers), tally);
      law = broken?.law ?? null;
      tried += 1;
      onProgress?.(tried);
      return broken === null;
    }
    shorter += 1;
    if (shorter > mostShorter) return true;
    const broken = await lawBrokenIn(orderOf(numbers));
    return broken?.law !== law; // a shorter order that breaks another law is another failure
  };
  const numbers = fc.array(fc.noBias(fc.nat(largest)), { maxLength: mostNumbers, size: 'max' });
  const fail = async (failing: readonly number[], at: string, pathTo: string): Promise<never> => {
    const order = orderOf(failing);
    const broken = await lawBrokenIn(order);
    const sentence = broken === null ? sameEachTime : broken.law;
    throw new TestFailure(
      `Expected that ${sentence}.\nIt is not so in ${at}.${broken === null ? '' : causeOf(broken)}\n\n` +
        `What happened:\n${order.thread}\n\nReplay it with { seed: ${seed}, path: '${pathTo}' }.`,
      { cause: broken },
    );
  };
  if (path !== undefined) {
    const [replayed] = orderAt(() => fc.sample(numbers, { seed, path, numRuns: 1 }));
    if (replayed !== undefined && !(await holds(replayed))) await fail(replayed, 'this order', path);
  } else {
    const found = await fc.check(fc.asyncProperty(numbers, holds), {
      seed,
      numRuns: orders,
      endOnFailure: !shrink,
    });
    if (found.counterexample !== null)
      await fail(found.counterexample[0], `order ${tried} of ${orders}`, found.counterexamplePath);
  }
  const { records, effects, deaths } = tally;
  return Object.freeze({
    seed,
    orders: tried,
    ends: Object.freeze(Object.fromEntries(tally.ends)),
    records,
    effects,
    deaths,
  });
};
