import type { ReasonCode } from '../schema/index.ts';
import { isSpent } from './limits.ts';
import type { Call, Context, EvidenceReference, Proposal, Subjects, Violation } from './context.ts';
import {
  derived,
  faultsOf,
  hasPassed,
  isAuthorized,
  isConfident,
  isFailed,
  isOutstanding,
  isToBeMade,
  isWrite,
  nextWrite,
  runOf,
  type NamedCall,
} from './owed.ts';
import { clausesOf, type EvidenceClause, type EvidenceRequirement } from './task-class.ts';

/** The three gates: before the calls of a plan, before a write, and before delivery. */
export type Gate = 'execute' | 'write' | 'deliver';

const violation = (code: ReasonCode, about: string): Violation => ({ code, about });

const confidence = (c: Context, kind: 'plan' | 'further' | 'draft'): readonly Violation[] => {
  const proposal: Proposal | null = c[kind];
  if (proposal === null && kind === 'further') return [];
  if (proposal === null) return [violation('OUTPUT_MISSING', kind)];
  if (isConfident(c, proposal)) return [];
  return [violation(proposal.canProceed ? 'CONFIDENCE_LOW' : 'CANNOT_PROCEED', kind)];
};

const subjectOf = (subjects: Subjects = {}, check = ''): string | undefined =>
  Object.hasOwn(subjects, check) ? subjects[check] : undefined;

/** Returns whether evidence and a write have the same subject under a check. */
const isAbout = (check: string | undefined, evidence: EvidenceReference, write: Call): boolean => {
  const subject = subjectOf(write.subjects, check);
  return subject !== undefined && subject === subjectOf(evidence.subjects, check);
};

/** Returns whether a call's evidence meets a clause, fresh or stale. */
const meets = ({ tool, status, evidence }: Call, clause: EvidenceClause, write: Call | undefined): boolean =>
  status === 'succeeded' &&
  evidence !== null &&
  evidence.type === clause.type &&
  (clause.tool ?? tool) === tool &&
  (evidence.empty !== true || clause.allowEmpty === true) &&
  (evidence.byPerson !== true || clause.byPerson === true) &&
  (clause.check === undefined || evidence.meets?.includes(clause.check) === true) &&
  (clause.ofAction !== true || write === undefined || isAbout(clause.check, evidence, write));

type Held = 'held' | 'stale' | 'missing';

const heldFor = (c: Context, requirement: EvidenceRequirement, write?: Call): Held => {
  const found = runOf(c).calls.filter((call) =>
    clausesOf(requirement).some((clause) => meets(call, clause, write)),
  );
  if (found.some(({ evidence }) => evidence?.stale === false)) return 'held';
  return found.length > 0 ? 'stale' : 'missing';
};

/**
 * Returns whether the evidence for a requirement is there (`held`), stale or missing.
 *
 * For one write, fresh evidence counts before stale evidence. For several writes, the worst result counts.
 */
export const evidenceFor = (
  c: Context,
  requirement: EvidenceRequirement,
  writes: readonly NamedCall[],
): Held => {
  const held =
    writes.length === 0 ? [heldFor(c, requirement)] : writes.map((write) => heldFor(c, requirement, write));
  return held.find((one) => one === 'missing') ?? held.find((one) => one === 'stale') ?? 'held';
};

const nameOf = ({ type, tool }: EvidenceClause): string => (tool === undefined ? type : `${type}:${tool}`);

const evidence = (
  c: Context,
  required: readonly EvidenceRequirement[],
  writes: readonly NamedCall[],
): readonly Violation[] =>
  required.flatMap((requirement) => {
    const found = evidenceFor(c, requirement, writes);
    if (found === 'held') return [];
    const about = [...new Set(clausesOf(requirement).map(nameOf))].join(' or ');
    return [violation(found === 'stale' ? 'EVIDENCE_STALE' : 'EVIDENCE_MISSING', about)];
  });

const verification = (c: Context, verifiers: readonly string[], of: string): readonly Violation[] =>
  verifiers
    .filter((verifier) => !hasPassed(c, verifier, of))
    .flatMap((verifier) =>
      ['VERIFICATION_FAILED' as const, ...faultsOf(c, verifier)].map((code) => violation(code, verifier)),
    );

const clearance = (call: NamedCall): readonly Violation[] => [
  ...(call.status === 'proposed' ? [violation('POLICY_BLOCKED', call.id)] : []),
  ...(isAuthorized(call)
    ? []
    : (call.held ?? (['APPROVAL_REQUIRED'] as const)).map((code) => violation(code, call.id))),
  ...(call.tier === 'write_high_risk' && !call.rollback ? [violation('ROLLBACK_REQUIRED', call.id)] : []),
];

/** Returns why a call blocks every further write and delivery: it is outstanding, in doubt or failed. */
export const unsettled = (call: NamedCall): readonly Violation[] => {
  if (isOutstanding(call)) return [violation('AUDIT_INCOMPLETE', call.id)];
  if (call.status === 'doubted')
    return ['EFFECT_IN_DOUBT' as const, ...call.causes].map((code) => violation(code, call.id));
  if (!isFailed(call)) return [];
  return [call.code ?? 'TOOL_FAILED', ...call.causes].map((code) => violation(code, call.id));
};

/** Returns a violation for each read whose evidence is too old for a write that is still to be made. */
const grownOld = (c: Context): readonly Violation[] =>
  runOf(c).staleReads.map(({ id }) => violation('EVIDENCE_STALE', id));

/** Returns a violation if the action of a call already has an effect. */
const repeated = (c: Context, { id, digest }: NamedCall): readonly Violation[] =>
  c.effects.some((effect) => effect.digest === digest) ? [violation('EFFECT_CLOSED', id)] : [];

/** Returns a violation for each unplanned write. */
export const strandedOf = (c: Context): readonly Violation[] =>
  runOf(c).unplannedWrites.map(({ digest }) => violation('ROLLBACK_REQUIRED', digest));

/** Returns the violations of the gate before these writes. */
const beforeWrite = (c: Context, writes: readonly NamedCall[]): readonly Violation[] => [
  ...confidence(c, 'plan'),
  ...confidence(c, 'further'),
  ...runOf(c).readsHeld.flatMap(clearance),
  ...evidence(c, c.taskClass.beforeWrite.evidence, writes),
  ...runOf(c).calls.flatMap(unsettled),
  ...runOf(c).readsOwed.map(({ id }) => violation('AUDIT_INCOMPLETE', id)),
  ...grownOld(c),
  ...strandedOf(c),
  ...writes.flatMap((write) => [
    ...verification(c, c.taskClass.beforeWrite.verifiers, write.digest),
    ...clearance(write),
    ...repeated(c, write),
  ]),
];

const beforeDeliver = (c: Context): readonly Violation[] => [
  ...confidence(c, 'plan'),
  ...confidence(c, 'further'),
  ...confidence(c, 'draft'),
  ...evidence(c, c.taskClass.beforeDeliver.evidence, runOf(c).writesMade),
  ...verification(c, c.taskClass.beforeDeliver.verifiers, c.draft?.digest ?? ''),
  ...runOf(c).calls.flatMap(unsettled),
  ...runOf(c).calls.flatMap((call) =>
    call.status === 'allowed' || call.status === 'proposed' ? [violation('AUDIT_INCOMPLETE', call.id)] : [],
  ),
  ...runOf(c).calls.flatMap((call) => (isWrite(call) && call.status === 'succeeded' ? clearance(call) : [])),
  ...strandedOf(c),
];

/** Returns the violations that close every gate: reasons to fail, open questions, and outstanding dependencies. */
const open = (c: Context, asked: readonly string[] = Object.keys(c.questions)): readonly Violation[] => [
  ...c.reasons,
  ...asked.map((question) => violation('INPUT_REQUIRED', question)),
  ...Object.keys(c.dependencies).map((dependency) => violation('AUDIT_INCOMPLETE', dependency)),
];

const against: Record<Gate, (c: Context) => readonly Violation[]> = {
  execute: derived((c) => [...open(c), ...confidence(c, 'plan'), ...confidence(c, 'further')]),
  write: derived((c) => [...open(c), ...beforeWrite(c, runOf(c).writesOwed)]),
  deliver: derived((c) => [...open(c), ...beforeDeliver(c)]),
};

/**
 * Returns the violations that close a gate. An empty list opens it (UAICP 4.1).
 *
 * The guards of the chart use this function too, so that verdict and reasons always agree.
 */
export const violationsOf = (gate: Gate, c: Context): readonly Violation[] => against[gate](c);

/** Returns whether a write comes after no call that is still to be made or to end. */
const isInTurn = (c: Context, { together, after = [] }: Call): boolean =>
  together === undefined &&
  after.every((id) => {
    const earlier = c.calls[id];
    return earlier === undefined || !(isToBeMade(earlier) || isOutstanding(earlier));
  });

/**
 * Returns the write that goes on while people are asked to approve others: it needs nobody, or was approved, and nothing else
 * stands against it.
 */
const writeBeside = (c: Context): NamedCall | undefined => {
  const writes = runOf(c).writesOwed;
  const isWanted = ({ digest }: Call): boolean =>
    writes.some((call) => call.digest === digest && !isAuthorized(call));
  const write = writes.find((call) => call.status === 'allowed' && !isWanted(call) && isInTurn(c, call));
  const isAsked = Object.values(c.questions).some(
    ({ kind, about }) => kind !== 'approval' || about === write?.digest,
  );
  if (write === undefined || isAsked) return undefined;
  return [...open(c, []), ...beforeWrite(c, [write])].length === 0 ? write : undefined;
};

/**
 * Returns the calls that may start next, once they are cleared: reads, in parallel, or one write. While a person is asked,
 * none goes beyond the limit on calls.
 */
export const nextCalls = derived((c): readonly NamedCall[] => {
  const isAsking = Object.keys(c.questions).length > 0;
  if (isAsking && isSpent(c, 'calls')) return [];
  const reads = runOf(c).readsOwed;
  if (reads.length > 0) return reads;
  const write = isAsking ? writeBeside(c) : nextWrite(c);
  const mayStart = write !== undefined && (isAsking || violationsOf('write', c).length === 0);
  return mayStart ? [write] : [];
});

/** Returns whether a call may start next, once it is cleared. */
export const isNext = (c: Context, id: string): boolean => nextCalls(c).some((call) => call.id === id);

/**
 * Returns whether the limit on turns of the model is reached. `false` while a question is open, because its answer may
 * replace the next output of the model.
 */
export const isOutOfTurns = (c: Context): boolean =>
  isSpent(c, 'modelCalls') && Object.keys(c.questions).length === 0;

/** Returns whether the limit on calls is reached and another call may start next. */
export const isOutOfCalls = (c: Context): boolean => isSpent(c, 'calls') && nextCalls(c).length > 0;

/**
 * Returns what went wrong on the way to a write or a draft, without what is only pending.
 *
 * While a held read waits for approval, writes do not count: the read may supply what they need.
 */
export const brokenOf = derived((c): readonly Violation[] => {
  const { calls, readsHeld, writesOwed, checksOwed } = runOf(c);
  const writes = readsHeld.length > 0 ? [] : writesOwed;
  return [
    ...calls.flatMap((call) => (isOutstanding(call) ? [] : unsettled(call))),
    ...writes.flatMap((call) =>
      call.tier === 'write_high_risk' && !call.rollback ? [violation('ROLLBACK_REQUIRED', call.id)] : [],
    ),
    ...(writes.length === 0
      ? []
      : [...evidence(c, c.taskClass.beforeWrite.evidence, writes), ...grownOld(c)]),
    ...(checksOwed.length > 0
      ? []
      : writes.flatMap(({ digest }) => verification(c, c.taskClass.beforeWrite.verifiers, digest))),
  ];
});

/** Codes that a retry of the same calls cannot fix. */
const nonRetryable: ReadonlySet<ReasonCode> = new Set([
  'EFFECT_CLOSED',
  'EFFECT_IN_DOUBT',
  'HUMAN_REJECTED',
  'ROLLBACK_REQUIRED',
] satisfies ReasonCode[]);

/**
 * Returns whether another attempt can succeed. None can with an effect in doubt.
 *
 * Otherwise a new plan always can. The same calls (`repairTo` is `execute`) can if every code is retryable. For missing
 * evidence, they must also include a read.
 */
export const isMendable = (c: Context): boolean => {
  const broken = brokenOf(c).map(({ code }) => code);
  if (broken.includes('EFFECT_IN_DOUBT')) return false;
  if (c.taskClass.repairTo === 'plan') return true;
  const rereads = runOf(c).calls.some((call) => !isWrite(call));
  return broken.every((code) => !nonRetryable.has(code) && (code !== 'EVIDENCE_MISSING' || rereads));
};
