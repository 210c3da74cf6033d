import { isUsualKey } from '../../base/canonical/walk.ts';

/** The values that a schema accepts, by their type; `null` accepts none of a type. */
export interface Rule {
  readonly isNull: boolean;
  /** The texts of single values. */
  readonly texts: ReadonlyMap<unknown, string> | null;
  /** A pattern that is the whole of `isString`. */
  readonly pattern: RegExp | null;
  readonly isString: ((value: string) => boolean) | null;
  /** JSON writes each accepted string without an escape. */
  readonly isSafe: boolean;
  readonly isNumber: ((value: number) => boolean) | null;
  readonly isLength: ((length: number) => boolean) | null;
  /** The rule of the items of a list. */
  readonly item: Rule | null;
  readonly planOf: PlanOf | null;
}

/** The text before a value, such as `,"name":`; with a quote where one begins after it, or ends before it. */
export interface Lead {
  readonly plain: string;
  readonly opening: string;
  readonly closing: string;
  readonly closingAndOpening: string;
}

export const leadOf = (plain: string): Lead => ({
  plain,
  opening: `${plain}"`,
  closing: `"${plain}`,
  closingAndOpening: `"${plain}"`,
});

/** A member of an object. */
export interface Member {
  readonly rule: Rule;
  readonly isOptional: boolean;
}

/** The members of an object, and those that it does not name; `null` if there are none. */
export interface Shape {
  readonly members: ReadonlyMap<string, Member>;
  readonly others: Rule | null;
  readonly isKey: (key: string) => boolean;
  /** Members that are no part of its text. */
  readonly leftOut?: ReadonlySet<string>;
}

/** How the objects with the same keys in the same order are read. */
export interface Plan {
  readonly keys: readonly string[];
  /** Begins an object without members; the lead of a first member begins the others. */
  readonly start: '{' | '';
  /** In canonical order. */
  readonly members: readonly { readonly key: string; readonly lead: Lead; readonly rule: Rule }[];
  /** The number of members and of code units of their keys. */
  readonly size: number;
}

/** Returns how an object with these keys is read; `null` if it does not fit. */
export type PlanOf = (keys: readonly string[], container: object) => Plan | null;

/** Returns the plan for objects with these keys; `null` if they do not fit the shape. */
const planFor = (keys: readonly string[], { members, others, isKey, leftOut }: Shape): Plan | null => {
  for (const [key, { isOptional }] of members) if (!isOptional && !keys.includes(key)) return null;
  const planned: Plan['members'][number][] = [];
  let before = '{';
  for (const key of keys.toSorted()) {
    const rule = members.get(key)?.rule ?? others;
    if (rule === null || !isUsualKey(key) || !isKey(key)) return null;
    planned.push({ key, lead: leadOf(`${before}${JSON.stringify(key)}:`), rule });
    if (leftOut?.has(key) !== true) before = ',';
  }
  const start = planned.length === 0 ? '{' : '';
  return { keys, start, members: planned, size: keys.reduce((sum, { length }) => sum + length + 1, 0) };
};

const areSame = (one: readonly string[], others: readonly string[]): boolean => {
  if (one.length !== others.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== others[at]) return false;
  return true;
};

/** The plans that are kept of a shape, and the size of one: a ledger cannot fill the memory. */
const most = { plans: 256, size: 2_048 };

/** Returns the plans of a shape, each made once. */
export const plansOf = (shape: Shape): PlanOf => {
  const plans = new Map<string | undefined, Plan[]>();
  let count = 0;
  const keep = (plan: Plan): void => {
    if (count === most.plans) plans.clear();
    count = plans.size === 0 ? 1 : count + 1;
    plans.set(plan.keys[0], [...(plans.get(plan.keys[0]) ?? []), plan]);
  };
  return (keys) => {
    for (const plan of plans.get(keys[0]) ?? []) if (areSame(plan.keys, keys)) return plan;
    const plan = planFor(keys, shape);
    if (plan !== null && plan.size <= most.size) keep(plan);
    return plan;
  };
};
