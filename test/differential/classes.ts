import * as fc from 'fast-check';
import type { TaskClassInput } from '../../machines/index.ts';

const evidence = fc.constantFrom<{ type: 'tool_result'; tool?: string }[]>(
  [],
  [],
  [{ type: 'tool_result' }],
  [{ type: 'tool_result', tool: 'tool-r' }],
);
const verifiers = fc.constantFrom<string[]>([], [], ['facts'], ['facts', 'sums']);
const requirements = fc.record({ evidence, verifiers });
const few = fc.constantFrom(2, 1, 3, 0);

/** Contracts whose bounds are small, so that each is met, or so wide that a run gets far. */
const withLimits = (
  limits: fc.Arbitrary<NonNullable<TaskClassInput['limits']>>,
): fc.Arbitrary<TaskClassInput> =>
  fc.record({
    id: fc.constant('class'),
    threshold: fc.constantFrom(0.5, 0.5, 0),
    beforeWrite: requirements,
    beforeDeliver: requirements,
    authorities: fc.constantFrom<('approval' | 'human' | 'system')[]>(
      ['approval'],
      ['approval', 'human'],
      ['human', 'system'],
    ),
    approvers: fc.constantFrom(1, 1, 2),
    repairTo: fc.constantFrom('plan', 'execute'),
    defaults: fc.subarray<'information' | 'approval' | 'tool'>(['information', 'approval', 'tool']),
    followup: fc.constantFrom(true, true, false),
    limits,
  });

const tight = fc.record({
  corrections: few,
  repairs: few,
  rounds: fc.constantFrom(3, 2, 1),
  revisions: few,
  refreshes: few,
  pauses: fc.constantFrom(9, 5, 2, 1, 0),
});

const wide = fc.constant({ corrections: 4, repairs: 5, rounds: 5, revisions: 5, refreshes: 4, pauses: 40 });

export const taskClasses: fc.Arbitrary<TaskClassInput> = fc.oneof(
  { weight: 3, arbitrary: withLimits(wide) },
  { weight: 2, arbitrary: withLimits(tight) },
);
