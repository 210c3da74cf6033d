import { z } from 'zod';
import {
  taskClass,
  TaskClassContract,
  type Authority,
  type Fact,
  type FactType,
  type ProposedCall,
  type Question,
} from '../../../machines/index.ts';
import {
  actionsIn,
  callsIn,
  effectsIn,
  evidenceIn,
  isKnown,
  lateNames,
  otherNames,
  questionsIn,
  reportable,
  verifiersIn,
  type Place,
} from './names.ts';
import { unacceptable } from './unacceptable.ts';
import { requests, type World } from './world.ts';

/** The values of a field: possible ones, and unknown ids that every run must refuse. */
export interface Values {
  /** Returns the possible values; `undefined` omits the field. */
  readonly usual: (place: Place) => readonly unknown[];
  readonly strange?: (place: Place) => readonly unknown[];
}

type FieldsOf<One extends Fact> = One extends Fact ? Exclude<keyof One, 'type'> : never;

/** A field of any fact. */
export type Field = FieldsOf<Fact>;

const none = [undefined] as const;
const sure = { confidence: 0.9, canProceed: true };
/** A confidence equal to the threshold, which asks a person. */
const unsure = { confidence: 0.5, canProceed: true };
const draft = { digest: 'draft', ...sure };

/** Returns the options of an enum schema, optional or not. */
export const optionsOf = (schema: z.ZodType): readonly string[] => {
  if (schema instanceof z.ZodOptional) return optionsOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
};

const answerVariants = ({ never = [] }: World, options: readonly string[]): readonly string[] =>
  options.filter((option) => !never.some((name) => name === option));

const enumeration: Values = { usual: ({ schema, world }) => answerVariants(world, optionsOf(schema)) };

/** Returns the digest of a proposed output. */
const outputDigest = ({ type, fact, world }: Place): string => {
  if (type === 'draft.proposed') return 'draft';
  return type === 'calls.proposed'
    ? 'further'
    : `plan-${world.plans.findIndex((calls) => calls === fact['calls'])}`;
};

const digest: Values = {
  usual: (place) => {
    const { type, c, fact } = place;
    if (isKnown(place, fact['call'])) return [c.calls[fact['call']]?.digest];
    if (type.startsWith('rollback.') || fact['effect'] === 'rollback') return effectsIn(place);
    if (type === 'output.changed') return c.draft === null ? [] : [c.draft.digest];
    return type.endsWith('.proposed') ? [outputDigest(place)] : actionsIn(place);
  },
  strange: (place) => {
    const { type, c, fact } = place;
    if (type.endsWith('.proposed') || type === 'output.changed') return [];
    const own = isKnown(place, fact['call']) ? c.calls[fact['call']]?.digest : undefined;
    return ['forged', ...(own === undefined ? [] : actionsIn(place).filter((one) => one !== own))];
  },
};

/** Returns the ids of new questions, by the fact that asks them. */
const newQuestionIds = ({ type, fact, world }: Place): readonly string[] => {
  if (type !== 'question.raised')
    return [{ 'output.rejected': 'output', 'help.requested': 'help' }[type as string] ?? 'information'];
  return [`tool-${String(fact['call'])}`, ...(world.careless === true ? ['shared'] : [])];
};

const question: Values = {
  usual: (place) =>
    place.type === 'human.responded' ? [...questionsIn(place), 'followup'] : newQuestionIds(place),
  strange: (place) =>
    place.type === 'human.responded'
      ? ['toString', 'unknown']
      : [...questionsIn(place), 'sessionId', 'plan:plan'],
};

const dependency: Values = {
  usual: ({ type, c, fact, world }) =>
    type === 'dependency.met'
      ? Object.keys(c.dependencies)
      : [`event-${String(fact['call'])}`, ...(world.careless === true ? ['shared'] : [])],
  strange: ({ type }) => (type === 'dependency.met' ? ['constructor', 'unknown'] : ['sessionId']),
};

const isDeadline = ({ type }: Place): boolean => type === 'deadline.passed';

const approverOf: Readonly<Record<Authority, string>> = { approval: 'kim', human: 'lee', system: 'scanner' };
const approversIn = ({ approvers }: World, authority: Authority): readonly string[] =>
  approvers ?? [approverOf[authority]];

const asked = ({ c, fact }: Place): Question | undefined => {
  const id = fact['question'];
  return typeof id === 'string' && Object.hasOwn(c.questions, id) ? c.questions[id] : undefined;
};

/** Returns whether a person answers a question of this kind with one of these feedback types. */
const answers = (place: Place, kind: Question['kind'], ...feedback: readonly string[]): boolean =>
  place.type === 'human.responded' &&
  asked(place)?.kind === kind &&
  feedback.includes(String(place.fact['feedback']));

const replaces = (place: Place, output: 'plan' | 'draft'): boolean =>
  answers(place, output, 'edit', 'rank') ||
  (answers(place, 'help', 'edit', 'rank') && asked(place)?.about === output);

/** Returns whether a careless person submits a plan and a draft for every question. */
const isCareless = ({ world, fact, c }: Place): boolean =>
  world.careless === true &&
  fact['feedback'] === 'edit' &&
  Object.hasOwn(c.questions, String(fact['question']));

const planned = (calls: readonly ProposedCall[], index: number): object => ({
  digest: `plan-${index}`,
  ...sure,
  calls: [...calls],
});

const plansFor = (place: Place): readonly object[] => {
  const { world, c } = place;
  return c.further !== null && !c.further.waived && c.further.digest === asked(place)?.about
    ? [planned(world.further ?? [], world.plans.length)]
    : world.plans.map(planned);
};

/** Returns a person's statement that a doubtful effect happened, as evidence. */
const statement = (place: Place) => ({ id: `word-${asked(place)?.about ?? ''}`, type: 'custom' });

const codes: Partial<Record<FactType, readonly string[]>> = {
  'request.refused': ['IDENTITY_INVALID'],
  'call.refused': ['APPROVAL_EXPIRED', 'TOOL_CHANGED'],
  'evidence.changed': ['EVIDENCE_HASH_MISMATCH'],
  'run.failed': ['GUARD_ERROR'],
};

/**
 * Returns failure codes: one for each case that the chart distinguishes. A failed child has its own reasons.
 */
const codesFor = ({ type, world, fact }: Place): readonly unknown[] => {
  if (type === 'verifier.reported') return world.faulty === true ? [undefined, 'EVIDENCE_FOREIGN'] : none;
  const child = world.children === true && type !== 'call.refused' ? ['CHILD_FAILED'] : [];
  const careless = world.careless === true && type === 'call.failed' ? ['CANCELLED'] : [];
  return codes[type] ?? ('call' in fact ? ['TOOL_FAILED', ...child, ...careless] : []);
};

/** The values of every field. A new field of a fact must be added here. */
/** Returns the evidence that a call of a tool can bring, without its id. */
const evidenceVariants = ({ evidenceCases = [{}], evidenceTypes }: World, tool: string) =>
  (evidenceTypes?.get(tool) ?? (['tool_result'] as const)).flatMap((type) =>
    evidenceCases.map((variant) => ({ type, ...variant })),
  );

export const valuesOf: Readonly<Record<Field, Values>> = {
  request: {
    usual: ({ type, c }) =>
      type === 'changes.requested' ? requests.filter((one) => one !== c.request) : [c.request],
    strange: ({ type, c }) =>
      type === 'changes.requested' ? [c.request] : requests.filter((one) => one !== c.request),
  },
  attempt: {
    usual: ({ c }) => [c.attempt],
    strange: ({ c }) => [c.attempt + 1, c.attempt - 1, Number.NaN],
  },
  call: {
    usual: (place) => {
      if (place.type !== 'human.responded') return callsIn(place);
      const { edited } = place.world;
      return answers(place, 'approval', 'edit') && edited !== undefined ? [undefined, edited] : none;
    },
    strange: ({ type }) => (type === 'human.responded' ? [] : ['constructor', 'unknown']),
  },
  calls: {
    usual: ({ type, world }) =>
      type === 'plan.proposed' ? world.plans : world.further === undefined ? [] : [world.further],
    strange: ({ fact }) => unacceptable(fact['calls'] as readonly ProposedCall[]),
  },
  digest,
  confidence: {
    usual: ({ world }) =>
      answerVariants(world, ['unsure']).length > 0 ? [sure.confidence, unsure.confidence] : [sure.confidence],
    strange: () => [Number.NaN, 1.000_001, -0.1],
  },
  canProceed: { usual: () => [true] },
  question,
  dependency,
  verdict: enumeration,
  ends: {
    usual: ({ fact, world }) =>
      fact['verdict'] === 'deny' ? [undefined, ...answerVariants(world, ['ends']).map(() => 'call')] : none,
    strange: ({ fact }) => (fact['verdict'] === 'deny' ? [] : ['call']),
  },
  authority: {
    usual: ({ schema }) => optionsOf(schema),
    strange: ({ c, fact }) => {
      const isHeld = Object.values(c.calls).some(({ digest, held }) => digest === fact['digest'] && held);
      return isHeld ? ['system'] : [];
    },
  },
  status: enumeration,
  feedback: enumeration,
  of: {
    usual: (place) => (isDeadline(place) ? enumeration.usual(place) : reportable(place)),
    strange: (place) => (isDeadline(place) ? [] : ['forged']),
  },
  id: { usual: lateNames, strange: otherNames },
  verifier: { usual: verifiersIn, strange: () => ['forged'] },
  evidence: {
    usual: (place) => {
      const { type, c, world, fact } = place;
      if (type === 'verifier.reported') return [c.collected];
      if (type === 'evidence.changed') return evidenceIn(place);
      if (type === 'call.succeeded')
        return evidenceVariants(world, c.calls[String(fact['call'])]?.tool ?? '').map((variant) => ({
          id: `evidence-${String(fact['call'])}`,
          ...variant,
        }));
      const isDone = answers(place, 'doubt', 'approve') || fact['effect'] === 'done';
      return isDone ? [statement(place)] : none;
    },
    strange: (place) => {
      if (place.type === 'verifier.reported') return [place.c.collected + 1, place.c.collected - 1];
      if (place.type === 'evidence.changed') return ['forged'];
      return place.type === 'human.responded' && place.fact['evidence'] !== undefined
        ? [{ ...statement(place), type: 'tool_result' }]
        : [];
    },
  },
  code: { usual: codesFor },
  causes: { usual: ({ fact }) => (fact['code'] === 'CHILD_FAILED' ? [['EVIDENCE_MISSING']] : none) },
  approver: { usual: ({ world, fact }) => approversIn(world, fact['authority'] as Authority) },
  by: {
    usual: (place) =>
      answers(place, 'approval', 'approve') ? [undefined, ...approversIn(place.world, 'human')] : none,
  },
  approves: { usual: () => none },
  urgent: { usual: () => none },
  plan: {
    usual: (place) => {
      if (isCareless(place)) return [undefined, ...place.world.plans.map(planned)];
      return replaces(place, 'plan') ? [undefined, ...plansFor(place)] : none;
    },
    strange: (place) =>
      replaces(place, 'plan') && place.fact['plan'] !== undefined
        ? unacceptable((place.fact['plan'] as { calls: readonly ProposedCall[] }).calls).map((calls) => ({
            ...(place.fact['plan'] as object),
            calls,
          }))
        : [],
  },
  draft: {
    usual: (place) => (isCareless(place) || replaces(place, 'draft') ? [undefined, draft] : none),
    strange: (place) =>
      replaces(place, 'draft') && place.fact['draft'] !== undefined
        ? [{ ...draft, confidence: Number.NaN }]
        : [],
  },
  effect: {
    usual: (place) => {
      if (place.type === 'recovery.started') return optionsOf(place.schema);
      return answers(place, 'doubt', 'edit') ? [undefined, ...optionsOf(place.schema)] : none;
    },
  },
  taskClass: {
    usual: ({ world }) =>
      world.tightened === undefined
        ? []
        : [TaskClassContract.parse(taskClass({ id: 'class', ...world.tightened }))],
    strange: ({ c, fact }) => [c.taskClass, { ...(fact['taskClass'] as object), id: 'other' }],
  },
};
