import { isDeepStrictEqual } from 'node:util';
import {
  taskClass,
  type Context,
  type Fact,
  type ProposedCall,
  type TaskClass,
} from '../../machines/index.ts';
import { begin } from '../../machines/execution/context.ts';
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
] as const;
const verdicts = ['allow', 'deny', 'needs_review'] as const;
const statuses = ['pass', 'fail'] as const;

/** What a world tells of, in a fixed order: the places are its numbers. */
export interface Order {
  readonly taskClass: TaskClass;
  readonly calls: readonly ProposedCall[];
  readonly actions: readonly string[];
  readonly verifiers: readonly string[];
  readonly plans: readonly (readonly ProposedCall[])[];
  readonly further: readonly ProposedCall[];
}

/** The number of a thing is its place. */
export const place = <T>(all: readonly T[], one: T): number => {
  const at = all.indexOf(one);
  if (at < 0) throw new Error(`${String(one)} has no number`);
  return at;
};

/** The bounded context knows a call by its place in the plan: each keeps its place in every plan. */
export const orderOf = ({ taskClass: given, plans, further = [], ...rest }: World): Order => {
  const unknown = (['approvers', 'careless', 'children', 'faulty'] as const).filter((key) => key in rest);
  if (unknown.length > 0 || (given.approvers ?? 1) > 1)
    throw new Error(`no Promela for ${unknown.join(', ')}`);
  const longest = plans.reduce((one, other) => (other.length > one.length ? other : one));
  const calls = [...longest, ...further];
  const isInPlace = plans.every((plan) => plan.every((call, at) => isDeepStrictEqual(calls[at], call)));
  if (!isInPlace || calls.length === 0) throw new Error('a call changes its place');
  if (further.some(({ digest }) => longest.some((call) => call.digest === digest)))
    throw new Error('a further call is the twin of a planned one');
  const order = taskClass({ id: 'class', ...given });
  return {
    taskClass: order,
    calls,
    actions: [...new Set(calls.map(({ digest }) => digest))],
    verifiers: [...new Set([...order.beforeWrite.verifiers, ...order.beforeDeliver.verifiers])],
    plans,
    further,
  };
};

const evidence = (call: string) => ({ id: `evidence-${call}`, type: 'tool_result', stale: false }) as const;

/** A context in which everything has happened that this world tells of: its alphabet is the whole world's. */
const saturated = ({ taskClass, calls }: Order): Context => {
  const empty = begin({ taskClass, request: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' });
  return {
    ...empty,
    draft: { digest: 'draft', confidence: 1, canProceed: true, waived: false },
    calls: Object.fromEntries(
      calls.map((call, at) => [
        call.id,
        {
          ...call,
          at,
          status: 'proposed' as const,
          underWay: false,
          review: false,
          authority: null,
          approvers: [],
          code: null,
          causes: [],
          evidence: evidence(call.id),
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
      return [at];
    case 'policy':
    case 'call':
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
    case 'calls.proposed':
      return [];
    case 'plan.proposed':
      return [
        order.plans.findIndex((_, at) => fact.digest === `plan-${at}`),
        Number(fact.confidence > order.taskClass.threshold),
      ];
    case 'draft.proposed':
      return [0, Number(fact.confidence > order.taskClass.threshold)];
    case 'policy.decided':
      return [place(ids, fact.call), place(verdicts, fact.verdict)];
    case 'approval.granted':
      return [place(order.actions, fact.digest), place(authorities, fact.authority) + 1];
    case 'call.started':
    case 'call.succeeded':
    case 'call.failed':
    case 'call.doubted':
    case 'call.refused':
    case 'dependency.awaited':
    case 'question.raised':
      return [place(ids, fact.call)];
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
