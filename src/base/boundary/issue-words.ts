import type { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';
import { shownName } from '../text/foreign-text.ts';

/** The text between what is accepted and what was found, in a message of `issueWords`. */
export const foundAfter = /, (?=(?:was|but is missing)\b)/;

/** Returns whether an issue in these words is about a value that is missing. */
export const isMissing = ({ message }: { readonly message: string }): boolean =>
  message.endsWith(', but is missing');

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  function: 'a function',
  never: 'omitted',
  undefined: 'omitted',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  url: 'a URL',
  uuid: 'a UUID',
  email: 'an email address',
  datetime: 'a date and time such as 2026-01-31T12:00:00Z (RFC 3339)',
  date: 'a date such as 2026-01-31',
  base64: 'base64',
  base64url: 'base64url',
};

const kindNamed = (name: string): string =>
  (Object.hasOwn(kinds, name) ? kinds[name] : undefined) ?? `a ${name}`;

/** The limits that the checks of a schema set: of a number, or of a length. */
interface Limits {
  isInt: boolean;
  least?: number;
  above?: number;
  most?: number;
  below?: number;
}

/** A check of a zod schema, or a schema that is one. */
interface Check {
  readonly check?: string;
  readonly format?: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
}

const withCheck = (limits: Limits, { check, format, value, inclusive, minimum, maximum, length }: Check) => {
  if (check === 'number_format') return { ...limits, isInt: format?.includes('int') ?? false };
  if (check === 'min_length' && minimum !== undefined) return { ...limits, least: minimum };
  if (check === 'max_length' && maximum !== undefined) return { ...limits, most: maximum };
  if (check === 'length_equals' && length !== undefined) return { ...limits, least: length, most: length };
  if (typeof value !== 'number') return limits;
  if (check === 'greater_than') return { ...limits, [inclusive === true ? 'least' : 'above']: value };
  return check === 'less_than' ? { ...limits, [inclusive === true ? 'most' : 'below']: value } : limits;
};

const between = (least: number | undefined, most: number | undefined): string => {
  if (least === undefined) return most === undefined ? '' : ` of at most ${most}`;
  if (most === undefined) return ` of at least ${least}`;
  return least === most ? ` of exactly ${least}` : ` from ${least} to ${most}`;
};

const numberWithin = ({ isInt, above, below, ...limits }: Limits): string => {
  if (isInt) {
    const least = above === undefined ? limits.least : above + 1;
    return `a whole number${between(least, below === undefined ? limits.most : below - 1)}`;
  }
  const open = [
    ...(above === undefined ? [] : [` above ${above}`]),
    ...(below === undefined ? [] : [` below ${below}`]),
  ];
  return `a number${between(limits.least, limits.most)}${open.join(' and')}`;
};

const units: Readonly<Record<string, string>> = {
  string: 'a string',
  array: 'an array',
  set: 'a set',
  map: 'a map',
};

/** Returns a text or a list of a bounded length. */
const sized = (origin: string, { least, most }: Limits): string => {
  const one = units[origin] ?? kindNamed(origin);
  if (least === 1 && most === undefined) return `${one} that is not empty`;
  const range = between(least, most).replace(' from ', ' of ');
  return range === '' ? one : `${one}${range} ${origin === 'string' ? 'characters' : 'items'}`;
};

type Raw = z.core.$ZodRawIssue;

/** Returns the limits of the schema that raised an issue: a check alone does not know the others. */
const limitsOf = (issue: Raw): Limits => {
  const { schema, inst } = issue as { readonly schema?: Raw['inst']; readonly inst?: Raw['inst'] };
  const def = (schema ?? inst)?._zod.def as
    (Check & { readonly checks?: readonly z.core.$ZodCheck[] }) | undefined;
  const checks = (def?.checks ?? []).map((one): Check => one._zod.def);
  return [...(def === undefined ? [] : [def]), ...checks].reduce<Limits>(withCheck, { isInt: false });
};

/** Returns the limit of one check, for a schema whose checks do not state it, such as a tuple. */
const ownLimit = (issue: Raw): Partial<Limits> => {
  if (issue.code === 'too_small' && issue.inclusive === true) return { least: Number(issue.minimum) };
  return issue.code === 'too_big' && issue.inclusive === true ? { most: Number(issue.maximum) } : {};
};

const quoted = (value: unknown): string => (typeof value === 'string' ? shownName(value) : String(value));

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? quoted(values[0]) : `one of ${values.map(quoted).join(', ')}`;

/** The members of an issue about the format of a string; which ones it has depends on the format. */
interface Format {
  readonly format: string;
  readonly pattern?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly includes?: string;
}

/** Returns what a schema accepts, to follow `must be`; `null` if zod does not know it. */
const accepted = (issue: Raw): string | null => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'number' || issue.expected === 'int') return numberWithin(limitsOf(issue));
      return Object.hasOwn(units, issue.expected)
        ? sized(issue.expected, limitsOf(issue))
        : kindNamed(issue.expected);
    case 'too_small':
    case 'too_big': {
      const limits = { ...ownLimit(issue), ...limitsOf(issue) };
      const isNumber = issue.origin === 'number' || issue.origin === 'int';
      return isNumber ? numberWithin(limits) : sized(issue.origin, limits);
    }
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? oneOf(issue.options) : null;
    case 'invalid_format': {
      const { format, pattern, prefix, suffix, includes } = issue as Format;
      if (Object.hasOwn(formats, format)) return formats[format] ?? format;
      if (prefix !== undefined) return `a string that starts with ${quoted(prefix)}`;
      if (suffix !== undefined) return `a string that ends with ${quoted(suffix)}`;
      if (includes !== undefined) return `a string with ${quoted(includes)} in it`;
      return pattern === undefined ? `a valid ${format}` : `a string that matches ${pattern}`;
    }
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys': // `issuesOf` names each key
    case 'custom':
      return null;
  }
};

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : String(value);
  return kinds[typeof value] ?? `a ${typeof value}`;
};

const isShort = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= 40);

/**
 * Returns what was found. A value of the wrong content is shown if `showsValues`; otherwise only its kind is, and only
 * where it explains the error.
 */
const found = ({ code, input }: Raw, showsValues: boolean): string => {
  if (input === undefined) return ', but is missing';
  if (showsValues && isShort(input)) return `, was ${quoted(input)}`;
  return code === 'invalid_type' ? `, was ${kindOf(input).replace('true or false', 'a boolean')}` : '';
};

const nearest = (issue: Raw, showsValues: boolean): string =>
  showsValues && issue.code === 'invalid_value' && typeof issue.input === 'string'
    ? didYouMean(
        issue.input,
        issue.values.filter((value) => typeof value === 'string'),
      )
    : '';

const words = (issue: Raw, showsValues: boolean): string => {
  const what = accepted(issue);
  if (what === null) return 'is not accepted';
  return `must be ${what}${found(issue, showsValues)}${nearest(issue, showsValues)}`;
};

/** The options of a parse that replace zod's phrases by sentences of ours, where a schema has none of its own. */
export const issueWords = {
  /** For data: it is not quoted, because it may be confidential. */
  data: { error: (issue: Raw) => words(issue, false) },
  /** For what an author writes in code: short values are quoted. */
  definition: { error: (issue: Raw) => words(issue, true) },
} as const;
