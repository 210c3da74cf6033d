import * as z from 'zod';
import type { Rollback } from '../ports/tool.ts';
import { Callable } from './definition.ts';
import { DoubtName, hasItsLookup, wantsLookup } from './doubt.ts';

/** How a rollback is declared; it may be an object of the author's own. */
export const RollbackDefinition = z
  .looseObject({
    describe: Callable,
    run: Callable,
    doubt: DoubtName.optional(),
    lookup: Callable.optional(),
  })
  .refine(hasItsLookup, wantsLookup);

/** A rollback as an orchestrator runs it: with nothing but what the schema of `input` has read. */
export const rollbackOf = <Arguments>(rollback: Rollback<Arguments> | undefined): Rollback | null =>
  rollback === undefined
    ? null
    : {
        describe: (input) => rollback.describe(input as Arguments),
        run: (action, context) => rollback.run(action, context),
        doubt: rollback.doubt ?? 'unsafe',
        ...(rollback.lookup !== undefined && {
          lookup: (key, context) => rollback.lookup?.(key, context) ?? Promise.resolve({ found: 'unknown' }),
        }),
      };
