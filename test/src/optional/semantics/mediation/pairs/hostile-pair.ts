import type { JsonObject } from '../../../../../../schema/formats.ts';
import type { Pair } from './pair.ts';
import { object, text } from './schemas.ts';

type Members = Readonly<Record<string, string | JsonObject>>;

const schemaOf = ([title, members]: readonly [string, Members]): JsonObject =>
  object(
    Object.fromEntries(
      Object.entries(members).map(([name, said]) => [name, typeof said === 'string' ? text(said) : said]),
    ),
    { title },
  );

/** A pair of which no more than `right` may be linked without asking; a member that is only described is a text. */
export const trap = (
  name: string,
  source: readonly [title: string, members: Members],
  target: readonly [title: string, members: Members],
  more: Partial<Pair> = {},
): Pair => ({
  name,
  source: schemaOf(source),
  target: schemaOf(target),
  right: {},
  expects: 'none',
  ...more,
});
