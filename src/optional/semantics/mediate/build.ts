import { isObject } from '../../../base/boundary/is-object.ts';
import { pointerTo } from '../../../base/canonical/unreadable.ts';
import { valueBounds } from '../../../base/canonical/freeze.ts';
import { CharterError } from '../../../base/errors.ts';
import { pathOf, segmentsOf, type Segment } from '../path.ts';
import type { Shape } from './shape.ts';
import type { Passage } from './conversions.ts';

/** The current index in each source array, by the path of its elements. */
type Bound = ReadonlyMap<string, number>;

/** A value with a source, or a constant. */
export interface Passing extends Passage {
  readonly steps: readonly Segment[];
  readonly constant?: { readonly value: unknown };
}

const wrong = (at: readonly PropertyKey[], expected: string): CharterError<'document_invalid'> => {
  const path = pointerTo(at);
  const message = `payload is not valid: ${JSON.stringify(path)}: expected ${expected}`;
  return new CharterError('document_invalid', message, {
    document: 'payload',
    issues: [{ path, message: `expected ${expected}` }],
  });
};

/** Returns the value at a path; of an array that is not iterated, the first. `undefined` if there is none. */
function valueAt(payload: unknown, steps: readonly Segment[], bound: Bound): unknown {
  let value = payload;
  const at: PropertyKey[] = [];
  for (const [depth, step] of steps.entries()) {
    if (value === undefined || value === null) return undefined;
    if (step.kind === 'element') {
      if (!Array.isArray(value)) throw wrong(at, 'an array');
      const index: number = step.index ?? bound.get(pathOf(steps.slice(0, depth + 1))) ?? 0;
      at.push(index);
      value = value[index] as unknown;
    } else if (step.kind === 'member') {
      if (!isObject(value)) throw wrong(at, 'an object');
      at.push(step.name);
      value = Object.hasOwn(value, step.name) ? value[step.name] : undefined;
    }
  }
  return value;
}

/**
 * Returns a binding for each element of the arrays, outermost first; `undefined` if the outermost array is
 * missing.
 */
function boundsOver(payload: unknown, over: readonly string[], bound: Bound): readonly Bound[] | undefined {
  const [path, ...rest] = over;
  if (path === undefined) return [bound];
  const steps = segmentsOf(path) ?? [];
  const array = valueAt(payload, steps.slice(0, -1), bound);
  if (array === undefined || array === null) return undefined;
  if (!Array.isArray(array))
    throw wrong(
      steps.slice(0, -1).flatMap((step) => (step.kind === 'member' ? [step.name] : [])),
      'an array',
    );
  return array.flatMap((_, index) => boundsOver(payload, rest, new Map(bound).set(path, index)) ?? []);
}

/** Builds a value from a payload; `undefined` if its sources are missing. */
export function built(
  shape: Shape<Passing>,
  payload: unknown,
  convert: (value: unknown, passing: Passing) => unknown,
): unknown {
  let count = 0;
  const counted = <Value>(value: Value): Value => {
    count += 1;
    if (count <= valueBounds.members) return value;
    throw wrong([], `one of which no more than ${valueBounds.members} values are made`);
  };

  const build = (shape: Shape<Passing>, bound: Bound): unknown => {
    switch (shape.kind) {
      case 'value': {
        const { constant, steps } = shape.route;
        if (constant !== undefined) return constant.value;
        const value = valueAt(payload, steps, bound);
        return counted(value === undefined || value === null ? value : convert(value, shape.route));
      }
      case 'array': {
        const elements = boundsOver(payload, shape.over, bound)
          ?.map((each) => build(shape.element, each))
          .filter((element) => element !== undefined);
        return elements?.length === 0 && shape.over.length === 0 ? undefined : elements;
      }
      case 'tuple': {
        const elements = shape.elements.map((element) => element && build(element, bound));
        return elements.includes(undefined) ? undefined : elements;
      }
      case 'object': {
        const members = [...shape.members].flatMap(([name, member]) => {
          const value = build(member, bound);
          return value === undefined ? [] : [[name, value] as const];
        });
        const isEmpty = members.length === 0 && shape.members.size > 0 && bound.size === 0;
        return isEmpty ? undefined : Object.fromEntries(members);
      }
    }
  };

  return build(shape, new Map());
}
