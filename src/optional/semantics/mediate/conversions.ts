import { segmentsOf } from '../path.ts';
import type { ValueConversion } from './fit.ts';
import type { Conversion } from './mapping.ts';
import { arraysOf, type Route, type Shape } from './shape.ts';

/** A route, before its structural conversions are known. */
export interface Passage extends Route {
  readonly conversion: ValueConversion | null;
}

const nameOf = (path: string): string | undefined =>
  (segmentsOf(path) ?? []).flatMap((step) => (step.kind === 'member' ? [step.name] : [])).at(-1);

/** Returns the conversions of each value, by target path. */
export function conversionsIn<Given extends Passage>(
  root: Shape<Given>,
): ReadonlyMap<string, readonly Conversion[]> {
  const byPath = new Map<string, readonly Conversion[]>();

  const visit = (
    shape: Shape<Given>,
    bound: readonly string[],
    levels: readonly (readonly string[])[],
  ): void => {
    switch (shape.kind) {
      case 'value': {
        const { from, to, conversion } = shape.route;
        const arrays = arraysOf(from);
        const own = (over: readonly string[]): boolean => over.some((path) => arrays.includes(path));
        byPath.set(to, [
          ...(nameOf(from) === nameOf(to) ? [] : [{ kind: 'rename' as const }]),
          ...(levels.some((over) => over.length > 1 && own(over)) ? [{ kind: 'collect' as const }] : []),
          ...(levels.some((over) => over.length === 0) ? [{ kind: 'wrap' as const }] : []),
          ...(bound.some((path) => !arrays.includes(path)) ? [{ kind: 'repeat' as const }] : []),
          ...(arrays.some((path) => !bound.includes(path)) ? [{ kind: 'pick' as const }] : []),
          ...(conversion === null ? [] : [conversion]),
        ]);
        return;
      }
      case 'array':
        visit(shape.element, [...bound, ...shape.over], [...levels, shape.over]);
        return;
      case 'object':
        for (const member of shape.members.values()) visit(member, bound, levels);
        return;
      case 'tuple':
        for (const element of shape.elements) if (element !== undefined) visit(element, bound, levels);
        return;
    }
  };

  visit(root, [], []);
  return byPath;
}
