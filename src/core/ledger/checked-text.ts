import { isPlainContainer, mostRecursion } from '../../base/canonical/walk.ts';
import { leadOf, type Lead, type Plan, type PlanOf, type Rule } from './checked-plan.ts';

/** The state of one reading. */
export interface Reading {
  /** The canonical text so far (RFC 8785). */
  text: string;
  /** Whether the text ends within a string, whose closing quote is still to be written. */
  isOpen: boolean;
  /** The open containers. */
  depth: number;
  /** How many members and code units may still be read: one container may be a member of many others. */
  left: number;
}

/** Less than the limits of a record, whatever is counted. */
const mostText = 1_000_000;

/** Begins a reading, after a text. */
export const newReading = (text: string, left = mostText): Reading => ({
  text,
  isOpen: false,
  depth: 0,
  left,
});

/** Returns the text of a reading, with the last quote. */
export const textOf = ({ text, isOpen }: Reading): string => (isOpen ? `${text}"` : text);

/** Adds a text as it is. */
export const addText = (text: string, reading: Reading, lead: Lead): true => {
  reading.text += reading.isOpen ? lead.closing : lead.plain;
  reading.text += text;
  reading.isOpen = false;
  return true;
};

/** Ends a list or an object. */
export const addEnd = (end: ']' | '}', reading: Reading): true => {
  reading.text += reading.isOpen ? `"${end}` : end;
  reading.isOpen = false;
  return true;
};

/** Adds a string that JSON writes without an escape. */
export const addSafeString = (value: string, reading: Reading, lead: Lead): boolean => {
  reading.left -= value.length;
  reading.text += reading.isOpen ? lead.closingAndOpening : lead.opening;
  reading.text += value;
  reading.isOpen = true;
  return reading.left >= 0;
};

/** Matches a text that JSON may write with an escape, or that may have a lone surrogate. */
const unusualText = /[^ !#-[\]-~]/;

const addString = (value: string, rule: Rule, reading: Reading, lead: Lead): boolean => {
  const { pattern, isString, isSafe } = rule;
  if (isString === null || value.length > reading.left) return false;
  if (pattern === null ? !isString(value) : !pattern.test(value)) return false;
  if (isSafe || !unusualText.test(value)) return addSafeString(value, reading, lead);
  reading.left -= value.length;
  return value.isWellFormed() && addText(JSON.stringify(value), reading, lead);
};

/** Adds a number, unless it is an integer that `frozenCopy` may refuse. */
const addNumber = (value: number, { isNumber }: Rule, reading: Reading, lead: Lead): boolean => {
  const isExact = Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
  return isExact && isNumber?.(value) === true && addText(`${value}`, reading, lead);
};

/** Returns a member of a plain container; `undefined` for one that is hidden, or computed by a getter. */
export const valueAt = (container: object, key: PropertyKey): unknown => {
  const member = Object.getOwnPropertyDescriptor(container, key);
  return member?.enumerable === true ? member.value : undefined;
};

const firstItem = leadOf('[');
const nextItem = leadOf(',');

const addItems = (list: readonly unknown[], rule: Rule, reading: Reading, lead: Lead): boolean => {
  const { item, isLength } = rule;
  const { length } = list;
  reading.left -= length;
  if (item === null || isLength?.(length) !== true || reading.left < 0) return false;
  if (length === 0) return addText('[]', reading, lead);
  addText('', reading, lead);
  reading.depth += 1;
  for (let at = 0; at < length; at += 1)
    if (!add(valueAt(list, at), item, reading, at === 0 ? firstItem : nextItem)) return false;
  reading.depth -= 1;
  return addEnd(']', reading);
};

/**
 * Returns how an object is read that is no list; `null` if it does not fit. It has no hidden names, so that the members
 * of its schema can be read from it later.
 */
export const planIn = (value: object, planOf: PlanOf | null, reading: Reading): Plan | null => {
  const plan = planOf === null ? null : planOf(Object.getOwnPropertyNames(value), value);
  if (plan !== null) reading.left -= plan.size;
  return reading.left < 0 ? null : plan;
};

const addMembers = (value: object, rule: Rule, reading: Reading, lead: Lead): boolean => {
  const plan = planIn(value, rule.planOf, reading);
  if (plan === null) return false;
  addText(plan.start, reading, lead);
  reading.depth += 1;
  for (const member of plan.members)
    if (!add(valueAt(value, member.key), member.rule, reading, member.lead)) return false;
  reading.depth -= 1;
  return addEnd('}', reading);
};

/**
 * Checks a value and adds its canonical text to a reading, in one pass. Returns `false` for a value that does not fit,
 * and for an unusual one, which may fit: the schema decides on both, and the reading is of no more use.
 *
 * An added value is plain data within the limits of a record, as `frozenCopy` reads it, and no code of its owner was
 * run.
 */
export const add = (value: unknown, rule: Rule, reading: Reading, lead: Lead): boolean => {
  if (value === null) return rule.isNull && addText('null', reading, lead);
  if (typeof value === 'object') {
    if (reading.depth === mostRecursion || !isPlainContainer(value)) return false;
    return Array.isArray(value)
      ? addItems(value, rule, reading, lead)
      : addMembers(value, rule, reading, lead);
  }
  const text = rule.texts?.get(value);
  if (text !== undefined) return addText(text, reading, lead);
  if (typeof value === 'string') return addString(value, rule, reading, lead);
  return typeof value === 'number' && addNumber(value, rule, reading, lead);
};
