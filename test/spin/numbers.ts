import { isDeepStrictEqual } from 'node:util';
import {
  taskClass,
  type Context,
  type Fact,
  type FactOf,
  type ProposedCall,
  type TaskClass,
} from '../../machines/index.ts';
import { begin } from '../../machines/context.ts';
import { factsIn, type World } from './exploration.ts';

/** A fact of a world as numbers: what it is about, in the order that Promela reads it. */
export interface NumberedFact {
  readonly fact: Fact;
  readonly about: readonly [number, number, number];
}

export const authorities = ['approval', 'human', 'system'] as const;
const deadlines = [
  'accept',
  'model',
  'policy',
  'call',
  'verifier',
  'dependency',
  'approval',
  'evidence',
  'rollback',
  'host',
  'start',
] as const;
/** The confidences that a world tells of: the number of one is its place. */
export const confidences: readonly FactOf<'plan.proposed'>['confidence'][] = ['unstated', 0.5, 0.9];
const verdicts = ['allow', 'deny', 'needs_review'] as const;
const statuses = ['pass', 'fail'] as const;
/** A clearance that lapsed, and a tool that is another one now. */
const refusals: readonly FactOf<'call.refused'>['code'][] = ['APPROVAL_EXPIRED', 'TOOL_CHANGED'];

/** What the evidence of a call says of itself. */
export type Brought = Pick<FactOf<'call.succeeded'>['evidence'], 'empty' | 'meets' | 'subjects'>;

/** What a world tells of, in a fixed order: the places are its numbers. */
export interface Order {
  readonly taskClass: TaskClass;
  /** The version that may come into force on the way; the same where none does. */
  readonly current: TaskClass;
  readonly calls: readonly ProposedCall[];
  readonly actions: readonly string[];
  readonly verifiers: readonly string[];
  readonly plans: readonly (readonly ProposedCall[])[];
  readonly further: readonly ProposedCall[];
  readonly brings: readonly Brought[];
}

/** The number of a thing is its place. */
export const place = <T>(all: readonly T[], one: T): number => {
  const at = all.indexOf(one);
  if (at < 0) throw new Error(`${String(one)} has no number`);
  return at;
};

/** The bounded context knows a call by its place in the plan: each keeps its place in every plan. */
export const orderOf = ({ taskClass: given, plans, further = [], ...rest }: World): Order => {
  const { tightened = given, brings = [{}] } = rest;
  const unknown = (['approvers', 'careless', 'children', 'faulty'] as const).filter((key) => key in rest);
  if (unknown.length > 0) throw new Error(`no Promela for ${unknown.join(', ')}`);
  if ([given, tightened].some(({ approvers = 1 }) => approvers > 1))
    throw new Error('no Promela for several approvers');
  const longest = plans.reduce((one, other) => (other.length > one.length ? other : one));
  const calls = [...longest, ...further];
  const isInPlace = plans.every((plan) => plan.every((call, at) => isDeepStrictEqual(calls[at], call)));
  if (!isInPlace || calls.length === 0) throw new Error('a call changes its place');
  if (further.some(({ digest }) => longest.some((call) => call.digest === digest)))
    throw new Error('a further call is the twin of a planned one');
  const begun = taskClass({ id: 'class', ...given });
  const current = taskClass({ id: 'class', ...tightened });
  const gates = [begun, current].flatMap(({ beforeWrite, beforeDeliver }) => [beforeWrite, beforeDeliver]);
  return {
    taskClass: begun,
    current,
    calls,
    actions: [...new Set(calls.map(({ digest }) => digest))],
    verifiers: [...new Set(gates.flatMap(({ verifiers }) => verifiers))],
    plans,
    further,
    brings,
  };
};

const evidence = (call: string) => ({ id: `evidence-${call}`, type: 'tool_result', stale: false }) as const;

/** A context in which everything has happened that this world tells of: its alphabet is the whole world's. */
const saturated = ({ taskClass, calls, verifiers }: Order): Context => {
  const beforeWrite = { ...taskClass.beforeWrite, verifiers };
  const empty = begin({
    taskClass: { ...taskClass, beforeWrite },
    request: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  });
  return {
    ...empty,
    draft: { digest: 'draft', confidence: 1, canProceed: true, waived: false },
    calls: Object.fromEntries(
      calls.map(({ id, tool, tier, digest, rollback }, at) => [
        id,
        {
          tool,
          tier,
          digest,
          rollback,
          at,
          status: 'proposed' as const,
          underWay: false,
          cleared: false,
          review: false,
          authority: null,
          approvers: [],
          code: null,
          causes: [],
          evidence: evidence(id),
        },
      ]),
    ),
    effects: calls.flatMap(({ id, digest, tool, rollback, tier }) =>
      tier === 'read_only'
        ? []
        : [{ digest, tool, rollback, authority: null, status: 'committed' as const, evidence: evidence(id) }],
    ),
    dependencies: Object.fromEntries(calls.map(({ id }) => [`event-${id}`, [id]])),
  };
};

type About = readonly number[];

const ofDeadline = (order: Order, of: (typeof deadlines)[number], id: string): About => {
  const at = deadlines.indexOf(of) + 1;
  const call = (prefix: string): About => [
    at,
    place(
      order.calls.map((one) => prefix + one.id),
      id,
    ),
  ];
  switch (of) {
    case 'accept':
    case 'model':
    case 'host':
      return [at];
    case 'policy':
    case 'call':
    case 'start':
      return call('');
    case 'dependency':
      return call('event-');
    case 'evidence':
      return call('evidence-');
    case 'approval':
    case 'rollback':
      return [at, place(order.actions, id)];
    case 'verifier': {
      const [subject = '', verifier = ''] = id.split(' ');
      return [at, place([...order.actions, 'draft'], subject), place(order.verifiers, verifier)];
    }
  }
};

/** Which of the things that evidence may say of itself this evidence says. */
const whatOf = (
  { brings }: Order,
  { empty, meets, subjects }: FactOf<'call.succeeded'>['evidence'],
): number =>
  brings.findIndex((one) =>
    isDeepStrictEqual([one.empty, one.meets, one.subjects], [empty, meets, subjects]),
  );

/** What a fact is about, in numbers; nothing for what this chart has no transition for, or can never be due in it. */
const aboutOf = (order: Order, fact: Fact): About | null => {
  const ids = order.calls.map(({ id }) => id);
  switch (fact.type) {
    case 'request.accepted':
    case 'request.refused':
    case 'information.requested':
    case 'output.rejected':
    case 'help.requested':
    case 'capability.exceeded':
    case 'task.cancelled':
    case 'run.failed':
    case 'taskClass.changed':
      return [];
    case 'plan.proposed':
      return [
        order.plans.findIndex((_, at) => fact.digest === `plan-${at}`),
        place(confidences, fact.confidence),
      ];
    case 'draft.proposed':
    case 'calls.proposed':
      return [0, place(confidences, fact.confidence)];
    case 'policy.decided':
      return [place(ids, fact.call), place(verdicts, fact.verdict)];
    case 'approval.granted':
      return [place(order.actions, fact.digest), place(authorities, fact.authority) + 1];
    case 'call.cleared':
    case 'call.started':
    case 'call.failed':
    case 'call.doubted':
    case 'dependency.awaited':
    case 'question.raised':
      return [place(ids, fact.call)];
    case 'call.succeeded':
      return [place(ids, fact.call), whatOf(order, fact.evidence)];
    case 'call.refused':
      return [place(ids, fact.call), place(refusals, fact.code)];
    case 'dependency.met':
      return [
        place(
          ids.map((id) => `event-${id}`),
          fact.dependency,
        ),
      ];
    case 'verifier.reported':
      return [
        place([...order.actions, 'draft'], fact.of),
        place(order.verifiers, fact.verifier),
        place(statuses, fact.status) + 1,
      ];
    case 'rollback.started':
    case 'rollback.succeeded':
    case 'rollback.failed':
      return [place(order.actions, fact.digest)];
    case 'deadline.passed':
      return fact.of === 'offer' || fact.of === 'followup' || fact.of === 'question'
        ? null
        : ofDeadline(order, fact.of, fact.id);
    case 'human.responded':
    case 'followup.offered':
    case 'changes.requested':
      return null;
  }
};

/** The alphabet of a world in numbers. */
export const factsOf = (world: World, order: Order): readonly NumberedFact[] =>
  factsIn(world, saturated(order)).flatMap((fact) => {
    const about = aboutOf(order, fact);
    return about === null ? [] : [{ fact, about: [about[0] ?? 0, about[1] ?? 0, about[2] ?? 0] as const }];
  });
