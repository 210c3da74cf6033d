import type { UpContext } from '../../../schema/index.ts';
import type { StandardSchema } from '../../base/ports/schema.ts';

/** Returns the context of what a schema returns; `undefined` for a schema that prints no JSON Schema. */
export type ContextOf = (schema: StandardSchema | undefined) => UpContext | undefined;

const prefixed = <Value>(
  members: Readonly<Record<string, Value>> | undefined,
  place: string,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    Object.entries(members ?? {}).map(([path, value]) => [
      path === '$' ? place : path.startsWith('[') ? `${place}${path}` : `${place}.${path}`,
      value,
    ]),
  );

/** Returns a context of a payload that holds what it describes at a place, such as `action.arguments`. */
export const contextAt = ({ fields, constraints, ...context }: UpContext, place: string): UpContext => ({
  ...context,
  ...(fields && { fields: prefixed(fields, place) }),
  ...(constraints && { constraints: prefixed(constraints, place) }),
});
