import { isDeepStrictEqual } from 'node:util';
import type { FeedbackType } from '../../schema/index.ts';
import { DeadlineOf, type ProposedCall } from '../../machines/execution/facts.ts';
import { turn } from '../../machines/execution/owed.ts';
import {
  feedbackTaken,
  type Authority,
  type CharterSnapshot,
  type Context,
  type Fact,
  type FactType,
  type Question,
  type TaskClassInput,
} from '../../machines/index.ts';

/** A task class, and what the world may say under it: one case for each class that a guard can tell apart. */
export interface Configuration {
  readonly name: string;
  readonly taskClass: Omit<TaskClassInput, 'id'>;
  /** The plans that the model, or a person in its place, may propose. */
  readonly plans: readonly (readonly ProposedCall[])[];
  /** The further calls that it may propose while concluding. */
  readonly further?: readonly ProposedCall[];
  /** What a person replaces a call with. */
  readonly edited?: ProposedCall;
  /** Identifiers are used twice, edits bring too much, and tools give codes that are not theirs. */
  readonly careless?: boolean;
  /** Who may approve, by whichever authority; elsewhere each authority has one approver. */
  readonly approvers?: readonly string[];
  /** Calls are tasks of their own, which say why they failed. */
  readonly children?: boolean;
  /** Verifiers say why a report of theirs does not count. */
  readonly faulty?: boolean;
  /** Nobody is asked here and nothing is waited for, so that the phases alone would show the same again. */
  readonly nested?: boolean;
  /** Facts and deadlines that this world never sees. */
  readonly never?: readonly (FactType | DeadlineOf | FeedbackType | 'unsure' | 'needs_review')[];
}

export const requests = [
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3302',
] as const;

const proposed =
  (tier: ProposedCall['tier'], rollback: boolean) =>
  (id: string, digest = `action-${id}`): ProposedCall => ({ id, tool: `tool-${id}`, tier, digest, rollback });

export const read = proposed('read_only', false);
export const note = proposed('write_low_risk', false);
export const undoable = proposed('write_low_risk', true);
export const send = proposed('write_high_risk', true);
export const irrevocable = proposed('write_high_risk', false);

const authorities = ['approval', 'human', 'system'] as const satisfies readonly Authority[];
const approverOf: Readonly<Record<Authority, string>> = { approval: 'kim', human: 'lee', system: 'scanner' };
const approversOf = ({ approvers }: Configuration, authority: Authority): readonly string[] =>
  approvers ?? [approverOf[authority]];

const sure = { confidence: 0.9, canProceed: true };
/** Equality with the threshold asks. */
const unsure = { confidence: 0.5, canProceed: true };
const draft = { digest: 'draft', ...sure };

const planned = (
  calls: readonly ProposedCall[],
  index: number,
  how: typeof sure,
): { digest: string; confidence: number; canProceed: boolean; calls: ProposedCall[] } => ({
  digest: `plan-${index}`,
  ...how,
  calls: [...calls],
});

const ofModel = ({ plans, further, never = [] }: Configuration): readonly Fact[] => {
  const ways = never.includes('unsure') ? [sure] : [sure, unsure];
  return [
    { type: 'request.accepted' },
    { type: 'request.refused', code: 'IDENTITY_INVALID' },
    { type: 'information.requested', question: 'information' },
    ...plans.flatMap((calls, index) =>
      ways.map((how): Fact => ({ type: 'plan.proposed', ...planned(calls, index, how) })),
    ),
    ...ways.map((how): Fact => ({ type: 'draft.proposed', digest: 'draft', ...how })),
    ...(further === undefined ? [] : [further]).map((calls): Fact => ({
      type: 'calls.proposed',
      calls: [...calls],
    })),
    { type: 'output.rejected', question: 'output' },
    { type: 'help.requested', question: 'help' },
    { type: 'capability.exceeded' },
    { type: 'followup.offered' },
    { type: 'task.cancelled' },
    { type: 'run.failed', code: 'EVIDENCE_HASH_MISMATCH' },
  ];
};

/** A child left an invariant unmet. */
const ofChild = { code: 'CHILD_FAILED' as const, causes: ['EVIDENCE_MISSING' as const] };

const ofCalls = (configuration: Configuration, { request, attempt, calls }: Context): readonly Fact[] =>
  Object.entries(calls).flatMap(([call, { digest }]): readonly Fact[] => {
    const { never = [], children } = configuration;
    const of = { request, attempt, call };
    const verdicts = (['allow', 'deny', 'needs_review'] as const).filter(
      (verdict) => verdict !== 'needs_review' || !never.includes(verdict),
    );
    return [
      ...verdicts.map((verdict) => ({ type: 'policy.decided', ...of, digest, verdict }) as const),
      ...authorities.flatMap((authority) =>
        approversOf(configuration, authority).map(
          (approver) => ({ type: 'approval.granted', request, digest, authority, approver }) as const,
        ),
      ),
      { type: 'call.started', ...of, digest },
      { type: 'call.succeeded', ...of, evidence: { id: `evidence-${call}`, type: 'tool_result' } },
      { type: 'call.failed', ...of, code: 'TOOL_FAILED' },
      { type: 'call.doubted', ...of, code: 'TOOL_FAILED' },
      ...(children === true
        ? (['call.failed', 'call.doubted'] as const).map((type) => ({ type, ...of, ...ofChild }))
        : []),
      { type: 'call.refused', ...of, code: 'APPROVAL_EXPIRED' },
      { type: 'dependency.awaited', ...of, dependency: `event-${call}` },
      { type: 'question.raised', ...of, question: `tool-${call}` },
    ];
  });

/** What verifiers may report on: every action, and the draft. */
const reportable = ({ taskClass, calls, draft }: Context) => {
  const verifiers = new Set([...taskClass.beforeWrite.verifiers, ...taskClass.beforeDeliver.verifiers]);
  const digests = [...Object.values(calls), ...(draft === null ? [] : [draft])].map(({ digest }) => digest);
  return [...verifiers].flatMap((verifier) => digests.map((of) => ({ verifier, of })));
};

const ofReports = ({ faulty }: Configuration, c: Context): readonly Fact[] => {
  const { request, attempt, collected: evidence } = c;
  return reportable(c).flatMap((about) =>
    (['pass', 'fail'] as const).flatMap((status): readonly Fact[] => {
      const report = { type: 'verifier.reported', request, attempt, ...about, evidence, status } as const;
      return faulty === true ? [report, { ...report, code: 'EVIDENCE_FOREIGN' }] : [report];
    }),
  );
};

/** Every answer that a question takes, with what an edit brings. */
const answersTo = (
  configuration: Configuration,
  c: Context,
  id: string,
  question: Question,
): readonly Fact[] => {
  const { plans, edited, never = [] } = configuration;
  return feedbackTaken(c, question)
    .filter((feedback) => !never.includes(feedback))
    .flatMap((feedback): readonly Fact[] => {
      const answer = { type: 'human.responded', question: id, feedback } as const;
      if (feedback === 'approve' && question.kind === 'approval')
        return approversOf(configuration, 'human').map((by) => ({ ...answer, by }));
      if (feedback !== 'edit' && feedback !== 'rank') return [answer];
      switch (question.kind) {
        case 'information':
        case 'tool':
          return [answer];
        case 'help':
          return question.about === 'plan'
            ? plans.map((calls, index) => ({ ...answer, plan: planned(calls, index, sure) }))
            : [{ ...answer, draft }];
        case 'plan':
          return plans.map((calls, index) => ({ ...answer, plan: planned(calls, index, sure) }));
        case 'draft':
          return [{ ...answer, draft }];
        case 'approval':
          return edited === undefined ? [] : [{ ...answer, call: edited }];
        case 'doubt':
          return (['done', 'absent'] as const).map((effect) => ({ ...answer, effect }));
      }
    });
};

const ofPeople = (configuration: Configuration, c: Context): readonly Fact[] => [
  ...Object.entries(c.questions).flatMap(([id, question]) => answersTo(configuration, c, id, question)),
  ...(['approve', 'rank', 'reject', 'comment'] as const).map(
    (feedback) => ({ type: 'human.responded', question: 'followup', feedback }) as const,
  ),
  ...requests
    .filter((request) => request !== c.request)
    .map((request) => ({ type: 'changes.requested', request }) as const),
];

const ofCareless = (configuration: Configuration, c: Context): readonly Fact[] => [
  ...Object.keys(c.calls).flatMap((call): readonly Fact[] => {
    const of = { request: c.request, attempt: c.attempt, call };
    return [
      { type: 'dependency.awaited', ...of, dependency: 'shared' },
      { type: 'question.raised', ...of, question: 'shared' },
      { type: 'call.failed', ...of, code: 'CANCELLED' },
    ];
  }),
  ...Object.keys(c.questions).flatMap((question) =>
    configuration.plans.map(
      (calls, index) =>
        ({
          type: 'human.responded',
          question,
          feedback: 'edit',
          plan: planned(calls, index, sure),
          draft,
        }) as const,
    ),
  ),
  { type: 'changes.requested', request: c.request },
];

const idsOf: Record<DeadlineOf, (c: Context) => readonly string[]> = {
  accept: ({ request }) => [request],
  model: (c) => [turn(c)],
  policy: ({ calls }) => Object.keys(calls),
  call: ({ calls }) => Object.keys(calls),
  verifier: (c) => reportable(c).map(({ verifier, of }) => `${of} ${verifier}`),
  question: ({ questions }) => Object.keys(questions),
  dependency: ({ dependencies }) => Object.keys(dependencies),
  approval: ({ calls }) => Object.values(calls).map(({ digest }) => digest),
  evidence: ({ calls, effects }) =>
    [...Object.values(calls), ...effects].flatMap(({ evidence }) => (evidence === null ? [] : [evidence.id])),
  rollback: ({ effects }) => effects.map(({ digest }) => digest),
  offer: ({ request }) => [request],
  followup: ({ request }) => [request],
};

const ofTime = (c: Context): readonly (Fact & { type: 'deadline.passed' })[] =>
  DeadlineOf.options.flatMap((of) =>
    [...new Set(idsOf[of](c))].map((id) => ({ type: 'deadline.passed', of, id }) as const),
  );

/** What may be said to a run as it stands: facts about this request, this attempt, and what exists in it. */
export const alphabet = (configuration: Configuration, c: Context): readonly Fact[] => {
  const never: readonly string[] = configuration.never ?? [];
  const facts: readonly Fact[] = [
    ...ofModel(configuration),
    ...ofCalls(configuration, c),
    ...Object.keys(c.dependencies).map((dependency) => ({ type: 'dependency.met', dependency }) as const),
    ...ofReports(configuration, c),
    ...c.effects.flatMap(({ digest }) =>
      (['rollback.started', 'rollback.succeeded', 'rollback.failed'] as const).map(
        (type) => ({ type, request: c.request, digest }) as const,
      ),
    ),
    ...ofPeople(configuration, c),
    ...(configuration.careless === true ? ofCareless(configuration, c) : []),
    ...ofTime(c).filter(({ of }) => !never.includes(of)),
  ].filter(({ type }) => !never.includes(type));
  return facts.filter((fact, index) => facts.findIndex((other) => isDeepStrictEqual(other, fact)) === index);
};

const sorted = <T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * The key of a state: two snapshots with one key have one future. What is constant (the task class) or only reported
 * (the trail) is left out; history counts only while the task is parked and will come back to it.
 */
export const keyOf = (snapshot: CharterSnapshot): string => {
  const { taskClass: _, trail: __, ...context } = snapshot.context;
  const isParked = snapshot.value === 'waiting' || snapshot.value === 'needsHumanDecision';
  const history = isParked
    ? Object.values(snapshot.historyValue).flatMap((nodes) => nodes.map(({ id }) => id))
    : [];
  return JSON.stringify([
    snapshot.status,
    snapshot.value,
    {
      ...context,
      calls: Object.fromEntries(
        Object.entries(context.calls).map(([id, call]) => [
          id,
          { ...call, approvers: call.approvers.toSorted() },
        ]),
      ),
      reports: sorted(context.reports),
      questions: sorted(context.questions),
      dependencies: sorted(context.dependencies),
    },
    history,
  ]);
};

/** The word of somebody who approved this already. */
const repeated = ({ request, calls }: Context): readonly Fact[] =>
  Object.values(calls).flatMap(({ status, digest, approvers }) =>
    (status === 'proposed' || status === 'allowed' ? approvers : []).flatMap((approver): readonly Fact[] => [
      ...authorities.map(
        (authority) => ({ type: 'approval.granted', request, digest, authority, approver }) as const,
      ),
      { type: 'human.responded', question: `approval:${digest}`, feedback: 'approve', by: approver },
    ]),
  );

const spoofed = [
  'xstate.done.state.task',
  'xstate.done.state.task.submitted',
  'xstate.done.state.task.submitted.execute',
  'xstate.done.state.execution',
  'xstate.done.state.deliver',
  'xstate.done.actor.verifier',
  'xstate.after.1.task',
  'xstate.init',
  'constructor',
  '__proto__',
  '*',
  '',
];

/** What a run must not take: facts about what it is not about, an approver twice, and events that are no facts. */
export const hostile = (configuration: Configuration, c: Context): readonly Fact[] => [
  ...alphabet({ ...configuration, never: [] }, c).flatMap((fact): readonly Fact[] => [
    ...('attempt' in fact
      ? [
          { ...fact, attempt: fact.attempt + 1 },
          { ...fact, attempt: Number.NaN },
        ]
      : []),
    ...('request' in fact && fact.type !== 'changes.requested'
      ? requests.filter((request) => request !== c.request).map((request) => ({ ...fact, request }))
      : []),
    ...('digest' in fact && 'request' in fact ? [{ ...fact, digest: 'forged' }] : []),
    ...('call' in fact && typeof fact.call === 'string'
      ? ['constructor', 'unknown'].map((call) => ({ ...fact, call }) as Fact)
      : []),
    ...(fact.type === 'verifier.reported'
      ? [
          { ...fact, of: 'forged' },
          { ...fact, verifier: 'forged' },
          { ...fact, evidence: fact.evidence + 1 },
        ]
      : []),
    ...(fact.type === 'human.responded' ? [{ ...fact, question: 'toString' }] : []),
    ...(fact.type === 'deadline.passed' ? [{ ...fact, id: 'hasOwnProperty' }] : []),
  ]),
  ...repeated(c),
  ...spoofed.map((type) => ({ type }) as unknown as Fact),
];
