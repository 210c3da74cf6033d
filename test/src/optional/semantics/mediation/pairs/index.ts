import { calendar } from './calendar.ts';
import { commerce } from './commerce.ts';
import { invitations } from './invitations.ts';
import { measures } from './measures.ts';
import { money } from './money.ts';
import type { Pair } from './pair.ts';
import { people } from './people.ts';
import { records } from './records.ts';
import { tabular } from './tabular.ts';
import { traps } from './traps.ts';
import { words } from './words.ts';
import { work } from './work.ts';

export type { Pair } from './pair.ts';

/**
 * The pairs that a mediator is developed with.
 *
 * A source is right if what it holds, carried over as it is or converted between units that both sides declare, is what
 * the target asks for. 'none': for a required target the schemas say that nothing is right. 'ambiguous': something may
 * be, and the schemas do not say which, or whether. Of members that would have to be joined from two arrays, none is
 * right without asking.
 */
export const pairs: readonly Pair[] = [
  ...people,
  ...invitations,
  ...commerce,
  ...money,
  ...calendar,
  ...work,
  ...records,
  ...measures,
  ...tabular,
  ...traps,
  ...words,
];
