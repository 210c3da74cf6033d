import * as z from 'zod';
import { Phase } from '../../../../schema/index.ts';

const PhaseOf = z.looseObject({ state: Phase });

/** Returns phases without consecutive duplicates. */
export const withoutRepeats = (phases: readonly Phase[]): readonly Phase[] =>
  phases.filter((phase, at) => phase !== phases[at - 1]);

/** Returns the phases of envelopes, in order, without consecutive duplicates. */
export const entered = (envelopes: readonly unknown[]): readonly Phase[] =>
  withoutRepeats(
    envelopes.flatMap((envelope) => {
      const read = PhaseOf.safeParse(envelope);
      return read.success ? [read.data.state] : [];
    }),
  );
