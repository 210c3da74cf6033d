import { createActor } from 'xstate';
import { executionMachine, type Context, type Fact, type Question } from '../../machines/index.ts';
import { requests } from '../../src/testing/charter/world.ts';
import { factsIn, inWorld, type World } from './exploration.ts';
import type { Order } from './order.ts';
import { told } from './told.ts';

const evidence = (call: string, isWord: boolean) =>
  isWord
    ? ({ id: `word-${call}`, type: 'custom', stale: false, byPerson: true } as const)
    : ({ id: `evidence-${call}`, type: 'tool_result', stale: false } as const);

const asked = (id: string, kind: Question['kind'], about: string): readonly [string, Question] => [
  id,
  { kind, about },
];

/** Every question that a run may ask; a question of help is about the plan first, and then about the draft. */
const questionsOf = (order: Order, isLater: boolean): Context['questions'] => {
  const help = isLater ? 'draft' : 'plan';
  const plans = [
    ...order.plans.map((_, at) => `plan-${at}`),
    ...(order.further.length > 0 ? ['further'] : []),
  ];
  const writes = order.calls.filter(({ tier }) => tier !== 'read_only');
  return Object.fromEntries([
    asked('information', 'information', 'request'),
    asked('output', 'help', help),
    asked('help', 'help', help),
    asked('host:turn', 'host', 'host'),
    asked('draft:draft', 'draft', 'draft'),
    ...plans.map((about) => asked(`plan:${about}`, 'plan', about)),
    ...order.actions.map((about) => asked(`approval:${about}`, 'approval', about)),
    ...writes.map(({ id }) => asked(`doubt:${id}`, 'doubt', id)),
    ...order.calls.map(({ id }) => asked(`tool-${id}`, 'tool', id)),
  ]);
};

/** A context in which everything has happened that a world tells of: first, and once persons have changed what they can. */
const saturated = (world: World, order: Order, isLater: boolean): Context => {
  const { taskClass, calls, edited, verifiers, further } = order;
  const begun = createActor(executionMachine, { input: inWorld(world).input }).getSnapshot().context;
  const proposed = calls.map((call) => ({ ...call, ...(isLater && { ...edited[0], id: call.id }) }));
  const writes = proposed.filter(({ tier }) => tier !== 'read_only');
  return {
    ...begun,
    request: requests[isLater ? 1 : 0],
    taskClass: { ...taskClass, beforeWrite: { ...taskClass.beforeWrite, verifiers } },
    draft: { digest: 'draft', confidence: 1, canProceed: true, waived: false },
    further: { digest: 'further', confidence: 1, canProceed: true, waived: false, calls: [...further] },
    questions: questionsOf(order, isLater),
    calls: Object.fromEntries(
      proposed.map(({ id, tool, tier, digest, rollback }, at) => [
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
          evidence: evidence(id, isLater && tier !== 'read_only'),
        },
      ]),
    ),
    effects: writes.map(({ id, digest, tool, rollback }) => ({
      digest,
      tool,
      rollback,
      authority: null,
      status: 'committed' as const,
      evidence: evidence(id, isLater),
    })),
    dependencies: Object.fromEntries(calls.map(({ id }) => [`event-${id}`, [id]])),
  };
};

/** Whether an answer brings what the chart asks for: the model has no word for an approver or an edit that is missing. */
const isWhole = (fact: Fact): boolean => {
  if (fact.type !== 'human.responded') return true;
  const [kind] = fact.question.split(':');
  if (kind === 'approval' && fact.feedback === 'approve') return fact.by !== undefined;
  if (fact.feedback !== 'edit' && fact.feedback !== 'rank') return true;
  if (kind === 'doubt') return fact.effect !== undefined;
  if (kind === 'approval') return fact.call !== undefined;
  if (kind === 'draft') return fact.draft !== undefined;
  if (kind === 'plan') return fact.plan !== undefined;
  const isForHelp = kind === 'output' || kind === 'help';
  return !isForHelp || fact.plan !== undefined || fact.draft !== undefined;
};

/** Everything that may be said to a run in a world, whatever it came to; each fact once. */
export const alphabetOf = (world: World, order: Order): readonly Fact[] => {
  const facts = [false, true].flatMap((isLater) =>
    factsIn(world, saturated(world, order, isLater)).filter(isWhole),
  );
  const lines = facts.map(told);
  return facts.filter((_, at) => lines.indexOf(lines[at] ?? '') === at);
};
