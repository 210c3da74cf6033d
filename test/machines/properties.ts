import { isDeepStrictEqual } from 'node:util';
import {
  dutiesOf,
  type Call,
  type CharterSnapshot,
  type Context,
  type Duty,
  type EvidenceRequirement,
  type Fact,
  type FactType,
  type Proposal,
} from '../../machines/index.ts';
import { alphabet, type Configuration } from './alphabet.ts';
import type { Edge, Graph } from './explore.ts';

interface Here {
  readonly snapshot: CharterSnapshot;
  readonly c: Context;
  readonly leaving: readonly Edge[];
  /** Facts that the chart takes here, those that this world never sees included. */
  readonly taken: readonly Fact[];
  readonly isTask: boolean;
}

interface Step {
  readonly before: Context;
  readonly at: CharterSnapshot;
  readonly fact: Fact;
  readonly after: Context;
}

const rests = (snapshot: CharterSnapshot, name: string): boolean =>
  JSON.stringify(snapshot.value).includes(`"${name}"`);

const isWrite = ({ tier }: Call): boolean => tier !== 'read_only';
const isFlying = ({ status }: Call): boolean =>
  status === 'started' || status === 'asking' || status === 'waiting';

const isSure = (c: Context, proposal: Proposal | null): boolean =>
  proposal !== null &&
  (proposal.waived || (proposal.canProceed && proposal.confidence > c.taskClass.threshold));

const isHeld = (c: Context, { type, tool }: EvidenceRequirement): boolean =>
  Object.values(c.calls).some(
    (call) =>
      call.status === 'succeeded' &&
      call.evidence?.type === type &&
      !call.evidence.stale &&
      (tool === undefined || tool === call.tool),
  );

const isPassed = (c: Context, verifier: string, of: string): boolean =>
  Object.values(c.reports).some(
    (report) =>
      report.verifier === verifier &&
      report.of === of &&
      report.evidence === c.collected &&
      report.status === 'pass',
  );

const isCleared = (call: Call): boolean =>
  (call.tier !== 'write_high_risk' || (call.authority !== null && call.rollback)) &&
  (!call.review || call.authority !== null);

const isSettled = (snapshot: CharterSnapshot): boolean =>
  snapshot.status === 'done' || snapshot.hasTag('settled');

/** The facts that discharge a duty, by their type and what they are about. */
const discharges = (duty: Duty, fact: Fact): boolean => {
  const is = (...types: readonly FactType[]): boolean => types.includes(fact.type);
  switch (duty.kind) {
    case 'accept':
      return is('request.accepted');
    case 'propose':
      return is('plan.proposed');
    case 'correct':
      return duty.output === 'plan' ? is('plan.proposed') : is('draft.proposed');
    case 'conclude':
      return is('draft.proposed');
    case 'offer':
      return is('followup.offered');
    case 'refine':
      return is('human.responded');
    case 'decide':
      return fact.type === 'policy.decided' && fact.call === duty.call;
    case 'call':
      return fact.type === 'call.started' && fact.call === duty.call;
    case 'observe':
      return fact.type === 'call.succeeded' && fact.call === duty.call;
    case 'verify':
      return fact.type === 'verifier.reported' && fact.verifier === duty.verifier && fact.of === duty.of;
    case 'ask':
      return (
        (fact.type === 'human.responded' && fact.question === duty.question && fact.feedback !== 'comment') ||
        (fact.type === 'approval.granted' && `approval:${fact.digest}` === duty.question)
      );
    case 'await':
      return fact.type === 'dependency.met' && fact.dependency === duty.dependency;
    case 'undo':
      return (
        (fact.type === 'rollback.started' || fact.type === 'rollback.succeeded') &&
        fact.digest === duty.digest
      );
    case 'wake':
      return fact.type === 'deadline.passed' && fact.of === duty.of;
  }
};

/** What holds in every state that facts can lead to. */
export const inEveryState: Readonly<Record<string, (here: Here) => boolean>> = {
  'a delivered run has a sure plan and a sure draft': ({ c }) =>
    c.outcome !== 'delivered' || (isSure(c, c.plan) && isSure(c, c.draft)),
  'a delivered run holds its evidence, none of it stale': ({ c }) =>
    c.outcome !== 'delivered' || c.taskClass.beforeDeliver.evidence.every((needed) => isHeld(c, needed)),
  'a delivered run passed its verifiers, on this draft and this evidence': ({ c }) =>
    c.outcome !== 'delivered' ||
    c.taskClass.beforeDeliver.verifiers.every((verifier) => isPassed(c, verifier, c.draft?.digest ?? '')),
  'a delivered run has nothing outstanding': ({ c }) =>
    c.outcome !== 'delivered' ||
    (Object.keys(c.questions).length === 0 &&
      Object.keys(c.dependencies).length === 0 &&
      Object.values(c.calls).every(({ status }) => status === 'succeeded' || status === 'refused') &&
      c.effects.every(({ status }) => status !== 'undoing')),
  'a delivered run owns every write that stands': ({ c }) =>
    c.outcome !== 'delivered' ||
    c.effects.every(
      ({ digest, status }) =>
        (status !== 'committed' && status !== 'stuck') ||
        Object.values(c.calls).some((call) => call.digest === digest),
    ),
  'a delivered run made no write without its authority and its rollback': ({ c }) =>
    c.outcome !== 'delivered' ||
    Object.values(c.calls).every((call) => call.status !== 'succeeded' || !isWrite(call) || isCleared(call)),
  'completed and followup are for delivered runs alone': ({ snapshot, c }) =>
    (rests(snapshot, 'completed') ||
      JSON.stringify(snapshot.value).startsWith('{"completed"') ||
      rests(snapshot, 'followup') ||
      rests(snapshot, 'deliver')) ===
    (c.outcome === 'delivered'),
  'failed, cancelled and fail_safe have a reason': ({ c }) =>
    (c.outcome !== 'failed' && c.outcome !== 'cancelled') || c.reasons.length > 0,
  'cancelled is what somebody cancelled': ({ c }) =>
    (c.outcome === 'cancelled') ===
    ((c.outcome === 'failed' || c.outcome === 'cancelled') &&
      isDeepStrictEqual(c.reasons[0], { code: 'CANCELLED', about: 'task' })),
  'a run fails safe with no write in flight': ({ c }) =>
    c.outcome === null || !Object.values(c.calls).some((call) => isWrite(call) && call.status === 'started'),
  'a run that failed has undone its writes, or says which it could not undo': ({ c }) =>
    (c.outcome !== 'failed' && c.outcome !== 'cancelled') ||
    c.effects.every(
      ({ digest, status, rollback }) =>
        status === 'undone' ||
        status === 'closed' ||
        ((status === 'stuck' || (status === 'committed' && !rollback)) &&
          c.reasons.some(({ code, about }) => code === 'ROLLBACK_REQUIRED' && about === digest)),
    ),
  'a run that failed says which effects are in doubt': ({ c }) =>
    (c.outcome !== 'failed' && c.outcome !== 'cancelled') ||
    Object.entries(c.calls).every(
      ([id, call]) =>
        !isWrite(call) ||
        (call.status !== 'doubted' && call.status !== 'waiting') ||
        c.reasons.some(({ code, about }) => code === 'EFFECT_IN_DOUBT' && about === id),
    ),
  'every count stays within its limit': ({ c }) =>
    (['corrections', 'repairs', 'rounds', 'revisions', 'refreshes', 'pauses'] as const).every(
      (count) => c.counters[count] <= c.taskClass.limits[count],
    ),
  'one write is in flight at a time': ({ c }) =>
    Object.values(c.calls).filter((call) => isWrite(call) && isFlying(call)).length <= 1,
  'an open question rests in needsHumanDecision, an open dependency in waiting': ({
    snapshot,
    c,
    isTask,
  }) => {
    if (c.reasons.length > 0 || c.outcome !== null) return true;
    const asks = Object.keys(c.questions).length > 0;
    const awaits = Object.keys(c.dependencies).length > 0;
    if (!isTask) return !asks;
    return (
      (snapshot.value === 'needsHumanDecision') === asks &&
      (snapshot.value === 'waiting') === (awaits && !asks)
    );
  },
  'a call that asks has its question, and one that waits its dependency': ({ c }) =>
    c.reasons.length > 0 ||
    Object.entries(c.calls).every(
      ([id, { status }]) =>
        (status !== 'asking' ||
          Object.values(c.questions).some(({ kind, about }) => kind === 'tool' && about === id)) &&
        (status !== 'waiting' || Object.values(c.dependencies).includes(id)),
    ),
  'a call in doubt is asked about': ({ c, isTask }) =>
    !isTask ||
    c.reasons.length > 0 ||
    c.outcome !== null ||
    Object.entries(c.calls).every(
      ([id, { status }]) =>
        status !== 'doubted' ||
        Object.values(c.questions).some(({ kind, about }) => kind === 'doubt' && about === id) ||
        Object.values(c.calls).some(isFlying),
    ),
  'a run that is not settled owes something': ({ snapshot }) =>
    isSettled(snapshot) || dutiesOf(snapshot).some(({ kind }) => kind !== 'wake'),
  'every duty can be discharged': ({ snapshot, taken }) =>
    dutiesOf(snapshot).every((duty) => taken.some((fact) => discharges(duty, fact))),
  'a settled run owes nothing and takes nothing': ({ snapshot, leaving }) =>
    !isSettled(snapshot) || (dutiesOf(snapshot).length === 0 && leaving.length === 0),
  'a run that is not settled can be cancelled': ({ snapshot, leaving }) =>
    isSettled(snapshot) || leaving.some(({ fact }) => fact.type === 'task.cancelled'),
  'a rollback that has begun may end': ({ c, snapshot, leaving }) =>
    isSettled(snapshot) ||
    c.effects.every(
      ({ digest, status }) =>
        status !== 'undoing' ||
        leaving.some(({ fact }) => fact.type === 'rollback.succeeded' && fact.digest === digest),
    ),
};

const follows: Readonly<Record<string, readonly string[]>> = {
  committed: ['committed', 'undoing', 'stuck'],
  undoing: ['undoing', 'undone', 'stuck'],
  undone: ['undone'],
  stuck: ['stuck'],
  closed: ['closed'],
};

/** What holds of every step from one state to the next. */
export const inEveryStep: Readonly<Record<string, (step: Step) => boolean>> = {
  'a call starts where calls are made, once it is allowed, on a sure plan': ({ at, before, fact }) =>
    fact.type !== 'call.started' ||
    (rests(at, 'calling') && before.calls[fact.call]?.status === 'allowed' && isSure(before, before.plan)),
  'a write starts only with authority, rollback, evidence and checks': ({ before: c, fact }) => {
    const call = fact.type === 'call.started' ? c.calls[fact.call] : undefined;
    return (
      call === undefined ||
      !isWrite(call) ||
      (isCleared(call) &&
        c.taskClass.beforeWrite.evidence.every((needed) => isHeld(c, needed)) &&
        c.taskClass.beforeWrite.verifiers.every((verifier) => isPassed(c, verifier, call.digest)))
    );
  },
  'a write starts only when nothing else is in flight, in doubt, failed or stale': ({ before: c, fact }) => {
    const call = fact.type === 'call.started' ? c.calls[fact.call] : undefined;
    return (
      call === undefined ||
      !isWrite(call) ||
      Object.values(c.calls).every(
        (other) =>
          !isFlying(other) &&
          other.status !== 'doubted' &&
          other.status !== 'failed' &&
          (isWrite(other) || other.evidence?.stale !== true),
      )
    );
  },
  'no action that was done, undone or closed is started again': ({ before, fact }) =>
    fact.type !== 'call.started' || !before.effects.some(({ digest }) => digest === fact.digest),
  'a policy decides before a write is allowed': ({ before, fact, after }) =>
    Object.entries(after.calls).every(([id, call]) => {
      const was = before.calls[id];
      return (
        !isWrite(call) ||
        call.status !== 'allowed' ||
        (was !== undefined && was.digest === call.digest && was.status !== 'proposed') ||
        (fact.type === 'policy.decided' && fact.call === id && fact.verdict !== 'deny')
      );
    }),
  'an authority is given by an approval or a person, for this action alone': ({ before, fact, after }) =>
    Object.entries(after.calls).every(([id, call]) => {
      const was = before.calls[id];
      return (
        call.authority === null ||
        (was?.digest === call.digest && was.authority === call.authority) ||
        before.effects.some(({ digest }) => digest === call.digest) ||
        (fact.type === 'approval.granted' &&
          fact.digest === call.digest &&
          before.taskClass.authorities.includes(call.authority)) ||
        (fact.type === 'human.responded' &&
          fact.feedback === 'approve' &&
          fact.question === `approval:${call.digest}` &&
          (call.tier !== 'write_high_risk' || before.taskClass.authorities.includes('human')))
      );
    }),
  'a write that was begun is never forgotten': ({ before, fact, after }) =>
    fact.type === 'changes.requested' ||
    Object.entries(before.calls).every(
      ([id, was]) =>
        !isWrite(was) ||
        (was.status !== 'started' && was.status !== 'doubted') ||
        after.calls[id]?.digest === was.digest ||
        (fact.type === 'call.failed' && fact.call === id) ||
        after.effects.some(({ digest }) => digest === was.digest),
    ),
  'a write that happened is never forgotten, and is undone once': ({ before, fact, after }) =>
    fact.type === 'changes.requested' ||
    before.effects.every(({ digest, status }) => {
      const is = after.effects.filter((effect) => effect.digest === digest);
      return is.length === 1 && is.every((effect) => follows[status]?.includes(effect.status));
    }),
  'the newest write is undone first, once none is in flight': ({ before, fact }) => {
    if (fact.type !== 'rollback.started') return true;
    const owed = before.effects.findLast(
      ({ status, rollback, digest }) =>
        status === 'undoing' ||
        (status === 'committed' &&
          rollback &&
          (before.aim === 'stop' || !Object.values(before.calls).some((call) => call.digest === digest))),
    );
    return (
      owed?.digest === fact.digest &&
      !Object.values(before.calls).some((call) => isWrite(call) && call.status === 'started')
    );
  },
  'the first reason is kept': ({ before, fact, after }) =>
    before.reasons.length === 0 ||
    fact.type === 'changes.requested' ||
    isDeepStrictEqual(after.reasons.slice(0, before.reasons.length), before.reasons),
  'an open question keeps what it is about, until it is answered or the run leaves it': ({
    before,
    fact,
    after,
  }) =>
    Object.entries(before.questions).every(([id, was]) => {
      const is = after.questions[id];
      if (is !== undefined) return isDeepStrictEqual(is, was);
      return (
        (fact.type === 'human.responded' && (fact.question === id || after.attempt > before.attempt)) ||
        (fact.type === 'human.responded' && after.aim === 'revise') ||
        (fact.type === 'deadline.passed' && fact.id === id) ||
        (fact.type === 'approval.granted' && id === `approval:${fact.digest}`) ||
        ('call' in fact && fact.call === was.about) ||
        after.reasons.length > 0
      );
    }),
  'a comment changes nothing': ({ before, fact, after }) =>
    fact.type !== 'human.responded' ||
    fact.feedback !== 'comment' ||
    isDeepStrictEqual({ ...after, trail: [] }, { ...before, trail: [] }),
  'one fact costs one repair, one refresh and one attempt at most': ({ before, fact, after }) =>
    fact.type === 'changes.requested' ||
    (after.attempt - before.attempt <= 1 &&
      after.counters.repairs - before.counters.repairs <= 1 &&
      after.counters.refreshes - before.counters.refreshes <= 1),
};

const written = ({ type, ...rest }: Fact): string => {
  const about = Object.entries(rest)
    .filter(([key]) => key !== 'request' && key !== 'attempt')
    .map(([, value]) => (typeof value === 'object' ? JSON.stringify(value) : String(value)));
  return `${type}(${about.join(', ')})`;
};

export const tell = (way: readonly Pick<Edge, 'fact'>[]): string =>
  way.map(({ fact }) => written(fact)).join(' ');

/** The properties that do not hold, each with the shortest way to where it does not. */
export const broken = (
  graph: Graph,
  configuration: Configuration,
  isTask: boolean,
): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  const note = (property: string, way: readonly Pick<Edge, 'fact'>[], value: unknown) => {
    const told = `${way.length}: ${tell(way)} => ${JSON.stringify(value)}`;
    const known = found[property];
    if (known === undefined || Number.parseInt(known, 10) > way.length) found[property] = told;
  };
  for (const [key, way] of graph.ways) {
    const snapshot = graph.states.get(key);
    if (snapshot === undefined) continue;
    const leaving = graph.leaving.get(key) ?? [];
    const taken = alphabet({ ...configuration, never: [] }, snapshot.context).filter((fact) =>
      snapshot.can(fact),
    );
    const here = { snapshot, c: snapshot.context, leaving, taken, isTask };
    for (const [property, holds] of Object.entries(inEveryState))
      if (!holds(here)) note(property, way, snapshot.value);
    for (const edge of leaving) {
      const after = graph.states.get(edge.to);
      if (after === undefined) continue;
      const step = { before: snapshot.context, at: snapshot, fact: edge.fact, after: after.context };
      for (const [property, holds] of Object.entries(inEveryStep))
        if (!holds(step)) note(property, [...way, edge], after.value);
    }
  }
  const ending = new Set([...graph.states].flatMap(([key, state]) => (isSettled(state) ? [key] : [])));
  const into = new Map<string, string[]>();
  for (const { from, to } of graph.edges) into.set(to, [...(into.get(to) ?? []), from]);
  for (const key of ending) for (const from of into.get(key) ?? []) ending.add(from);
  for (const [key, way] of graph.ways)
    if (!ending.has(key))
      note('a settled state can be reached from every state', way, graph.states.get(key)?.value);
  return found;
};
