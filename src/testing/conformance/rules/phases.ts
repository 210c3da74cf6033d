import * as z from 'zod';
import { Phase } from '../../../../schema/index.ts';

const PhaseOf = z.looseObject({ state: Phase });

/** Each phase once while it lasts. */
export const withoutRepeats = (phases: readonly Phase[]): readonly Phase[] =>
  phases.filter((phase, at) => phase !== phases[at - 1]);

/** The phases that envelopes name, in order, each once while it lasts. */
export const entered = (envelopes: readonly unknown[]): readonly Phase[] =>
  withoutRepeats(
    envelopes.flatMap((envelope) => {
      const read = PhaseOf.safeParse(envelope);
      return read.success ? [read.data.state] : [];
    }),
  );
