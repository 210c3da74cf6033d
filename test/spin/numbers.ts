import { isDeepStrictEqual } from 'node:util';
import type { AnyStateMachine } from 'xstate';
import type { DeadlineOf, Fact, FactOf } from '../../machines/index.ts';
import { requests } from '../../src/testing/charter/world.ts';
import { alphabetOf } from './alphabet.ts';
import { vocabularyOf } from './control.ts';
import type { World } from './exploration.ts';
import {
  authorities,
  confidences,
  deadlines,
  feedback,
  known,
  place,
  recoverable,
  refusals,
  statuses,
  verdicts,
  type Order,
} from './order.ts';

/** A fact of a world as numbers: what it is about, in the order that Promela reads it. */
export interface NumberedFact {
  readonly fact: Fact;
  readonly about: readonly [About[number], About[number], About[number]];
}

/** Persons may answer in this chart. */
export const takesAnswers = (machine: AnyStateMachine): boolean =>
  vocabularyOf(machine).facts.has('human.responded');

type About = readonly (number | string)[];

/** The place of a question, as Promela computes it. */
const questionOf = ({ calls, actions }: Order, id: string): string => {
  const ids = calls.map((call) => call.id);
  const [, kind = id, about = ''] = /^(host|plan|draft|approval|doubt|tool)[:-](.+)$/.exec(id) ?? [];
  switch (kind) {
    case 'plan':
      return about === 'further' ? 'Q_FURTHER' : `Q_PLAN(${about.slice('plan-'.length)})`;
    case 'approval':
      return `Q_APPROVAL(${place(actions, about)})`;
    case 'doubt':
    case 'tool':
      return `Q_${kind.toUpperCase()}(${place(ids, about)})`;
    default:
      return `Q_${kind.toUpperCase()}`;
  }
};

/** What an answer brings: a plan, plus 1, or what is known of an effect. */
const broughtBy = ({ plan, effect }: FactOf<'human.responded'>): number => {
  if (effect !== undefined) return place(known, effect) + 1;
  return plan === undefined ? 0 : Number(plan.digest.slice('plan-'.length)) + 1;
};

/** The number of a document of evidence: of its call, and whether it is a tool's result or a person's word. */
const documentOf = (calls: readonly string[], id: string): number =>
  2 * place(calls, id.slice(id.indexOf('-') + 1)) + Number(id.startsWith('word-'));

const ofDeadline = (order: Order, of: (typeof deadlines)[number], id: string): About => {
  const deadline = deadlines.indexOf(of) + 1;
  const ids = order.calls.map((one) => one.id);
  const call = (prefix: string): About => [
    deadline,
    place(
      ids.map((one) => prefix + one),
      id,
    ),
  ];
  switch (of) {
    case 'accept':
    case 'model':
    case 'host':
    case 'offer':
    case 'followup':
      return [deadline];
    case 'policy':
    case 'call':
    case 'start':
      return call('');
    case 'dependency':
      return call('event-');
    case 'evidence':
      return [deadline, documentOf(ids, id)];
    case 'question':
      return [deadline, questionOf(order, id)];
    case 'approval':
    case 'rollback':
      return [deadline, place(order.actions, id)];
    case 'verifier': {
      const [subject = '', verifier = ''] = id.split(' ');
      return [deadline, place([...order.actions, 'draft'], subject), place(order.verifiers, verifier)];
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

/** What a fact is about, in numbers. */
const aboutOf = (order: Order, fact: Fact): About => {
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
    case 'output.changed':
    case 'taskClass.changed':
    case 'followup.offered':
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
    case 'recovery.started':
      return [place(recoverable, fact.effect), place(order.actions, fact.digest)];
    case 'evidence.changed':
      return [documentOf(ids, fact.evidence)];
    case 'deadline.passed':
      return ofDeadline(order, fact.of, fact.id);
    case 'human.responded':
      return [questionOf(order, fact.question), place(feedback, fact.feedback) + 1, broughtBy(fact)];
    case 'changes.requested':
      return [requests.findIndex((request) => request === fact.request)];
  }
};

/** Deadlines of what is said to persons. */
const ofPersons: ReadonlySet<DeadlineOf> = new Set(['question', 'offer', 'followup']);

/** A chart may take this fact, in some state. */
const isFor = (machine: AnyStateMachine, fact: Fact): boolean =>
  vocabularyOf(machine).facts.has(fact.type) &&
  (takesAnswers(machine) || fact.type !== 'deadline.passed' || !ofPersons.has(fact.of));

/** The alphabet of a world for a chart, in numbers. */
export const factsOf = (machine: AnyStateMachine, world: World, order: Order): readonly NumberedFact[] =>
  alphabetOf(world, order)
    .filter((fact) => isFor(machine, fact))
    .map((fact) => {
      const [x = 0, y = 0, z = 0] = aboutOf(order, fact);
      return { fact, about: [x, y, z] };
    });
