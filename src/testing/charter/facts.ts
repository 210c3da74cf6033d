import { DeadlineOf } from '../../../machines/facts/fields.ts';
import { modelTurnId } from '../../../machines/owed.ts';
import {
  feedbackTaken,
  taskClass,
  TaskClassContract,
  type Authority,
  type Context,
  type Fact,
  type ProposedCall,
  type Question,
} from '../../../machines/index.ts';
import { requests, type World } from './world.ts';

const authorities = ['approval', 'human', 'system'] as const satisfies readonly Authority[];
const approverOf: Readonly<Record<Authority, string>> = { approval: 'kim', human: 'lee', system: 'scanner' };
const approversOf = ({ approvers }: World, authority: Authority): readonly string[] =>
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

const ofModel = ({ plans, further, never = [] }: World): readonly Fact[] => {
  const ways = never.includes('unsure') ? [sure] : [sure, unsure];
  return [
    { type: 'request.accepted' },
    { type: 'request.refused', code: 'IDENTITY_INVALID' },
    { type: 'information.requested', question: 'information' },
    ...plans.flatMap((calls, index) =>
      ways.map((how): Fact => ({ type: 'plan.proposed', ...planned(calls, index, how) })),
    ),
    ...ways.map((how): Fact => ({ type: 'draft.proposed', digest: 'draft', ...how })),
    ...(further === undefined ? [] : ways).map((how): Fact => ({
      type: 'calls.proposed',
      digest: 'further',
      ...how,
      calls: [...(further ?? [])],
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

const ofCalls = (world: World, { request, attempt, calls }: Context): readonly Fact[] =>
  Object.entries(calls).flatMap(([call, { digest }]): readonly Fact[] => {
    const { never = [], children } = world;
    const of = { request, attempt, call };
    const verdicts = (['allow', 'deny', 'needs_review'] as const).filter(
      (verdict) => verdict !== 'needs_review' || !never.includes(verdict),
    );
    return [
      ...verdicts.map((verdict) => ({ type: 'policy.decided', ...of, digest, verdict }) as const),
      ...authorities.flatMap((authority) =>
        approversOf(world, authority).map(
          (approver) => ({ type: 'approval.granted', request, digest, authority, approver }) as const,
        ),
      ),
      { type: 'call.cleared', ...of, digest },
      { type: 'call.started', ...of, digest },
      ...(world.brings ?? [{}]).map(
        (said) =>
          ({
            type: 'call.succeeded',
            ...of,
            evidence: { id: `evidence-${call}`, type: 'tool_result', ...said },
          }) as const,
      ),
      { type: 'call.failed', ...of, code: 'TOOL_FAILED' },
      { type: 'call.doubted', ...of, code: 'TOOL_FAILED' },
      ...(children === true
        ? (['call.failed', 'call.doubted'] as const).map((type) => ({ type, ...of, ...ofChild }))
        : []),
      { type: 'call.refused', ...of, code: 'APPROVAL_EXPIRED' },
      { type: 'call.refused', ...of, code: 'TOOL_CHANGED' },
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

const ofReports = ({ faulty }: World, c: Context): readonly Fact[] => {
  const { request, attempt, collected: evidence } = c;
  return reportable(c).flatMap((about) =>
    (['pass', 'fail'] as const).flatMap((status): readonly Fact[] => {
      const report = { type: 'verifier.reported', request, attempt, ...about, evidence, status } as const;
      return faulty === true ? [report, { ...report, code: 'EVIDENCE_FOREIGN' }] : [report];
    }),
  );
};

/** A person's word that the effect in doubt happened, as evidence. */
const word = ({ about }: Question) => ({ evidence: { id: `word-${about}`, type: 'custom' as const } });

/** Every answer that a question takes, with what an edit brings. */
const answersTo = (world: World, c: Context, id: string, question: Question): readonly Fact[] => {
  const { plans, edited, never = [] } = world;
  return feedbackTaken(c, question)
    .filter((feedback) => !never.includes(feedback))
    .flatMap((feedback): readonly Fact[] => {
      const answer = { type: 'human.responded', question: id, feedback } as const;
      if (feedback === 'approve' && question.kind === 'approval')
        return approversOf(world, 'human').map((by) => ({ ...answer, by }));
      if (feedback === 'approve' && question.kind === 'doubt') return [{ ...answer, ...word(question) }];
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
          if (c.further?.digest === question.about)
            return [{ ...answer, plan: planned(world.further ?? [], plans.length, sure) }];
          return plans.map((calls, index) => ({ ...answer, plan: planned(calls, index, sure) }));
        case 'draft':
          return [{ ...answer, draft }];
        case 'approval':
          return edited === undefined ? [] : [{ ...answer, call: edited }];
        case 'doubt':
          return (['done', 'absent'] as const).map((effect) => ({
            ...answer,
            effect,
            ...(effect === 'done' && word(question)),
          }));
        case 'host':
          return [];
      }
    });
};

const ofPeople = (world: World, c: Context): readonly Fact[] => [
  ...Object.entries(c.questions).flatMap(([id, question]) => answersTo(world, c, id, question)),
  ...(['approve', 'rank', 'reject', 'comment', 'edit'] as const).map(
    (feedback) => ({ type: 'human.responded', question: 'followup', feedback }) as const,
  ),
  ...requests
    .filter((request) => request !== c.request)
    .map((request) => ({ type: 'changes.requested', request }) as const),
];

const ofCareless = (world: World, c: Context): readonly Fact[] => [
  ...Object.keys(c.calls).flatMap((call): readonly Fact[] => {
    const of = { request: c.request, attempt: c.attempt, call };
    return [
      { type: 'dependency.awaited', ...of, dependency: 'shared' },
      { type: 'question.raised', ...of, question: 'shared' },
      { type: 'call.failed', ...of, code: 'CANCELLED' },
    ];
  }),
  ...Object.keys(c.questions).flatMap((question) =>
    world.plans.map(
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
  model: (c) => [modelTurnId(c)],
  host: (c) => [modelTurnId(c)],
  start: ({ calls }) => Object.keys(calls),
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

/** What may be said to a run in a world as it stands: facts about this request, this attempt, and what exists in it. */
export const factsIn = (world: World, c: Context): readonly Fact[] => {
  const never: readonly string[] = world.never ?? [];
  const facts: readonly Fact[] = [
    ...ofModel(world),
    ...ofCalls(world, c),
    ...Object.keys(c.dependencies).map((dependency) => ({ type: 'dependency.met', dependency }) as const),
    ...ofReports(world, c),
    ...c.effects.flatMap(({ digest }) =>
      (['rollback.started', 'rollback.succeeded', 'rollback.failed'] as const).map(
        (type) => ({ type, request: c.request, digest }) as const,
      ),
    ),
    ...ofPeople(world, c),
    ...(world.tightened === undefined
      ? []
      : [
          {
            type: 'taskClass.changed',
            taskClass: TaskClassContract.parse(taskClass({ id: 'class', ...world.tightened })),
          } as const,
        ]),
    ...(world.careless === true ? ofCareless(world, c) : []),
    ...ofTime(c).filter(({ of }) => !never.includes(of)),
  ].filter(({ type }) => !never.includes(type));
  return [...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values()];
};
