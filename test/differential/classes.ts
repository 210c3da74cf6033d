import * as fc from 'fast-check';
import type { EvidenceRequirement, TaskClassInput } from '../../machines/index.ts';
import { pool } from './outputs.ts';

const kinds: readonly EvidenceRequirement[] = [
  { type: 'tool_result' },
  { type: 'tool_result', tool: 'tool-r' },
  { type: 'tool_result', allowEmpty: true },
  { type: 'tool_result', check: 'same' },
  { type: 'tool_result', check: 'same', ofAction: true },
  { type: 'custom', byPerson: true },
  { type: 'custom' },
  { anyOf: [{ type: 'source_citation' }, { type: 'tool_result', tool: 'tool-s' }] },
  {
    anyOf: [
      { type: 'tool_result', check: 'other', ofAction: true },
      { type: 'tool_result', check: 'same', ofAction: true, allowEmpty: true },
    ],
  },
  {
    anyOf: [
      { type: 'custom', byPerson: true },
      { type: 'tool_result', check: 'other' },
    ],
  },
  { type: 'tool_result', ofAction: true },
];

/** The requirements that one gate may have beside verifiers. */
export const evidence: fc.Arbitrary<readonly EvidenceRequirement[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.constant(kinds.slice(0, 1)) },
  { weight: 2, arbitrary: fc.constant([{ type: 'custom' }]) },
  { weight: 3, arbitrary: fc.constantFrom(...kinds).map((kind) => [kind]) },
  { weight: 1, arbitrary: fc.subarray([...kinds], { minLength: 2, maxLength: 2 }) },
);
const verifiers = fc.constantFrom<string[]>([], [], ['facts'], ['facts', 'sums']);
const everyTool = [...new Set(pool.map(({ tool }) => tool))];
const requirements = fc.record({ evidence, verifiers });
const few = fc.constantFrom(2, 1, 3, 0);

/** Contracts whose bounds are small, so that each is met, or so wide that a run gets far. */
const withLimits = (
  limits: fc.Arbitrary<NonNullable<TaskClassInput['limits']>>,
): fc.Arbitrary<TaskClassInput> =>
  fc.record({
    id: fc.constant('class'),
    threshold: fc.constantFrom(0.5, 0.5, 0),
    unstated: fc.constantFrom('ask', 'proceed'),
    tools: fc.constantFrom(undefined, undefined, undefined, everyTool.slice(0, -1), everyTool),
    host: fc.constantFrom(false, false, true),
    selfApproval: fc.boolean(),
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
    flows: fc.constantFrom(undefined, undefined, 'refuse' as const),
    atLimit: fc.constantFrom(undefined, 'ask' as const, 'ask' as const, 'keep' as const, 'stop' as const),
    limits,
  });

const failures = fc.constantFrom(undefined, undefined, 1, 2);

const tight = fc.record({
  failures,
  corrections: few,
  repairs: few,
  rounds: fc.constantFrom(3, 2, 1),
  revisions: few,
  refreshes: few,
  pauses: fc.constantFrom(9, 5, 2, 1, 0),
  clearances: few,
  modelCalls: fc.constantFrom(40, 3, 2, 4, 40, 1, 40, 0),
  calls: fc.constantFrom(40, 2, 1, 40, 3, 40, 0),
  recoveries: few,
});

const wide = fc.record({ failures }).map((given) => ({
  ...given,
  corrections: 4,
  repairs: 5,
  rounds: 5,
  revisions: 5,
  refreshes: 4,
  pauses: 40,
  clearances: 9,
  modelCalls: 60,
  calls: 60,
  recoveries: 3,
}));

/** Agents in their own hosts, whose writes ask for no evidence: people are asked about most of them (decision 0089). */
const hosted = withLimits(wide).map((one) => ({
  ...one,
  host: true,
  beforeWrite: { ...one.beforeWrite, evidence: [] },
}));

export const taskClasses: fc.Arbitrary<TaskClassInput> = fc.oneof(
  { weight: 3, arbitrary: withLimits(wide) },
  { weight: 2, arbitrary: withLimits(tight) },
  { weight: 1, arbitrary: hosted },
);
