import { definitionError } from './definition-error.ts';
import { withoutUndefined } from '../../../machines/without-undefined.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { frozenCopy, valueBounds } from '../canonical/freeze.ts';
import { unreadable } from '../canonical/unreadable.ts';
import { CharterError } from '../errors.ts';
import { readLimits } from './read-json.ts';

/**
 * The resources that one foreign server may use in this process.
 *
 * One budget covers a whole listing (all of its pages), one card, or one result. All schemas of the server share the
 * time for schemas, over any ten seconds.
 */
export interface ForeignBudget {
  /** Bytes of one listing over all of its pages, or of one card, as JSON in UTF-8. Default: 4 MiB. */
  readonly listingBytes: number;
  /**
   * Bytes of one result, artifact, message or question, as JSON in UTF-8. Default: 1 MiB; at most 64 MiB, for results whose large
   * values are kept in `blobs`.
   */
  readonly resultBytes: number;
  /** Levels of nested arrays and objects in everything that it sends. Default, and most: 64. */
  readonly depth: number;
  /** Tools of one listing, or skills of one card. Default: 5,000. */
  readonly tools: number;
  /** Parts, artifacts and messages of one answer. Default: 1,000. */
  readonly parts: number;
  /** Pages of one listing. Default: 100. */
  readonly pages: number;
  /** Milliseconds that all of its schemas together may take in any ten seconds. Default: 1,000. */
  readonly schemaTime: number;
}

/** The default budget of a foreign server. */
export const foreignBudget: ForeignBudget = Object.freeze({
  listingBytes: 4_194_304,
  resultBytes: readLimits.bytes,
  depth: readLimits.depth,
  tools: 5_000,
  parts: 1_000,
  pages: 100,
  schemaTime: 1_000,
});

/** The window in which time for schemas is counted, in milliseconds. */
export const schemaWindow = 10_000;

type Limit = keyof ForeignBudget;

/** The unit of each limit, for messages. */
const units: Readonly<Record<Limit, string>> = {
  listingBytes: 'bytes in one listing',
  resultBytes: 'bytes in one answer',
  depth: 'levels of nesting',
  tools: 'tools in one listing',
  parts: 'parts in one answer',
  pages: 'pages in one listing',
  schemaTime: 'milliseconds for its schemas',
};

/** The maximum number of members in one value, as for any input. */
const { members } = valueBounds;

/** The maximum size that can be stored and read back. */
const maximum: Partial<ForeignBudget> = { resultBytes: 64 * readLimits.bytes, depth: readLimits.depth };

const limitsOf = Object.keys(units) as readonly Limit[]; // the keys of a record of limits

const issuesIn = (given: Partial<ForeignBudget>): readonly { path: string; message: string }[] => [
  ...Object.keys(given)
    .filter((key) => !limitsOf.some((limit) => limit === key))
    .map((key) => ({ path: `/budget/${key}`, message: `expected one of ${limitsOf.join(', ')}` })),
  ...limitsOf.flatMap((limit) => {
    const value: unknown = given[limit];
    const highest = maximum[limit] ?? Number.MAX_SAFE_INTEGER;
    const isFit = Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= highest;
    if (value === undefined || isFit) return [];
    const range = `from 1${limit in maximum ? ` to ${highest}` : ''}`;
    return [{ path: `/budget/${limit}`, message: `expected a whole number ${range}` }];
  }),
];

/**
 * Returns a budget with the defaults filled in. Throws `definition_invalid`; `definition` names the owner of the
 * option.
 */
export const budgetOf = (definition: string, given: Partial<ForeignBudget> = {}): ForeignBudget => {
  const issues = issuesIn(given);
  if (issues.length === 0) return Object.freeze({ ...foreignBudget, ...withoutUndefined(given) });
  throw definitionError(definition, issues);
};

/** The budget of one foreign party, and its use so far. */
export interface Allowance {
  /** The party's name for errors, such as `server post` or `agent https://a.example`. */
  readonly party: string;
  readonly budget: ForeignBudget;
  /** Throws `budget_exceeded` if `sent` is more than the limit allows. */
  readonly check: (limit: Limit, sent: number) => void;
  /**
   * Reads a value that the party sent, as plain JSON: deeply frozen, with its size in bytes.
   *
   * Throws `budget_exceeded` for too many bytes or levels, and `input_unreadable` if it is not I-JSON (RFC 7493).
   * `document` names it in the error. `before` is the number of bytes that already count for the same limit.
   */
  readonly read: (
    document: string,
    value: unknown,
    limit: 'listingBytes' | 'resultBytes',
    before?: number,
  ) => { readonly value: unknown; readonly bytes: number };
  /** Returns the milliseconds that its schemas may still take. Throws `budget_exceeded` if there are none. */
  readonly schemaTimeLeft: () => number;
  /** Deducts milliseconds from the time for its schemas. */
  readonly spendSchemaTime: (milliseconds: number) => void;
  /** Returns the error for an exceeded limit; `sent` is `null` if the amount was not measured. */
  readonly exceeded: (limit: Limit, sent: number | null, cause?: unknown) => CharterError<'budget_exceeded'>;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)));

const loneSurrogate = /\p{Surrogate}/u;

/**
 * Returns whether parsed JSON is within bounds by a quick check. `frozenCopy` checks the rest precisely but takes
 * several times as long, which matters for thousands of mostly unused tools.
 */
const isPlainlyFit = (value: unknown, levels: number, remaining: { members: number }): boolean => {
  if (typeof value === 'string') return !loneSurrogate.test(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  const keys = Object.keys(value);
  remaining.members -= keys.length;
  return (
    remaining.members >= 0 &&
    keys.every((key) => {
      const member: unknown = Reflect.get(value, key);
      return key !== '__proto__' && !loneSurrogate.test(key) && isPlainlyFit(member, levels - 1, remaining);
    })
  );
};

/** Returns the JSON text of a value; `null` if it is nested too deeply. */
const textOf = (document: string, value: unknown): string | null => {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (cause) {
    if (cause instanceof RangeError) return null; // call stack exceeded
    throw unreadable(document, [], 'it cannot be written as JSON', 'one JSON value (RFC 8259)');
  }
};

/** Creates a counter of the milliseconds spent in the window, in steps of a second. */
const createTimer = (now: () => number) => {
  const spentIn = new Map<number, number>();
  const second = (): number => Math.floor(now() / 1_000);
  return {
    spend: (milliseconds: number): void => {
      const at = second();
      spentIn.set(at, (spentIn.get(at) ?? 0) + milliseconds);
    },
    spent: (): number => {
      const since = second() - schemaWindow / 1_000;
      for (const at of spentIn.keys()) if (at <= since) spentIn.delete(at);
      return [...spentIn.values()].reduce((sum, milliseconds) => sum + milliseconds, 0);
    },
  };
};

/** Returns the allowance of a foreign party. `now` is a monotonic clock in milliseconds. */
export const allowanceOf = (
  party: string,
  budget: ForeignBudget = foreignBudget,
  now: () => number = () => performance.now(),
): Allowance => {
  const timer = createTimer(now);

  const exceeded = (limit: Limit, sent: number | null, cause?: unknown): CharterError<'budget_exceeded'> => {
    const allowed = budget[limit];
    const came = sent === null ? `more than ${allowed} ${units[limit]}` : `${sent} ${units[limit]}`;
    const verb = limit === 'schemaTime' ? 'takes' : 'sends';
    const remedy =
      allowed === maximum[limit] ? 'have it need less' : `have it need less, or raise budget.${limit}`;
    const message = `${party} ${verb} ${came}, and its budget allows ${allowed}: ${remedy}`;
    return new CharterError('budget_exceeded', message, { party, limit, allowed, sent }, { cause });
  };

  const check = (limit: Limit, sent: number): void => {
    if (sent > budget[limit]) throw exceeded(limit, sent);
  };

  return {
    party,
    budget,
    check,
    exceeded,
    read: (document, value, limit, before = 0) => {
      const text = textOf(document, value);
      if (text === null) throw exceeded('depth', null);
      const bytes = Buffer.byteLength(text);
      check(limit, before + bytes);
      const plain = JSON.parse(text) as unknown;
      if (isPlainlyFit(plain, budget.depth, { members })) return { value: deepFreeze(plain), bytes };
      if (isDeeper(plain, budget.depth)) throw exceeded('depth', null);
      const bounds = { depth: budget.depth, members, text: Infinity }; // its bytes are counted above
      return { value: frozenCopy(plain, document, bounds), bytes };
    },
    schemaTimeLeft: () => {
      const remaining = budget.schemaTime - timer.spent();
      if (remaining <= 0) throw exceeded('schemaTime', null);
      return remaining;
    },
    spendSchemaTime: timer.spend,
  };
};
