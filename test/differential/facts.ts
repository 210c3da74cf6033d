import { modelTurnId } from '../../machines/owed.ts';
import {
  dutiesOf,
  feedbackTaken,
  type CharterSnapshot,
  type Context,
  type Duty,
} from '../../machines/index.ts';
import { requests } from '../../src/testing/charter/world.ts';
import { isAny, type Fate } from './fate.ts';
import { brought, changesOf } from './contracts.ts';
import { aDraft, aPlan, concluded, furthered, pool, proposed } from './outputs.ts';
import type { Fact } from './vocabulary.ts';

const deadlines = [
  'policy',
  'verifier',
  'approval',
  'evidence',
  'rollback',
  'dependency',
  'model',
  'host',
  'start',
  'accept',
] as const;
const people = ['kim', 'lee', 'mia', 'Kim', ' lee', 'm\u{200B}ia', '\u{FF4B}\u{FF49}\u{FF4D}'] as const;
const codes = ['TOOL_FAILED', 'TOOL_TIMEOUT', 'CANCELLED', 'HUMAN_REJECTED', 'EVIDENCE_MISSING'] as const;

/** Why a clearance does not stand where it is looked at again. */
const aRefusal = ({ among }: Fate) =>
  among([
    'APPROVAL_EXPIRED',
    'POLICY_CHANGED',
    'TOOL_CHANGED',
    'TOOL_UNAVAILABLE',
    'APPROVAL_EXPIRED',
  ] as const);

/** A person's word that an effect in doubt happened. */
const aWord = (c: Context, { among, chance }: Fate) => ({
  id: chance(8) ? `e${c.attempt}-u-0-0` : `word-${c.attempt}-${c.collected}`,
  type: chance(8) ? 'tool_result' : 'custom',
  ...among([{}, {}, { meets: ['same'], subjects: { same: 'a' } }, { empty: true }] as const),
});

/** A contract that comes into force on the way: stricter, or not. */
const aChange = (c: Context, fate: Fate): Fact => ({
  type: 'taskClass.changed',
  taskClass: { ...c.taskClass, ...fate.among(changesOf(c)) },
});

/** What a person may say about an open question, and what an edit brings. */
const answered = (c: Context, question: string, fate: Fate): Fact => {
  const { among, chance } = fate;
  const open = c.questions[question];
  const offered = open === undefined || chance(10) ? [] : feedbackTaken(c, open);
  const feedback = isAny(offered)
    ? among(offered)
    : among(['approve', 'edit', 'rank', 'instruction', 'reject', 'comment'] as const);
  return {
    type: 'human.responded',
    question,
    feedback,
    ...(chance(85) && { by: among(people) }),
    ...(feedback === 'edit' || feedback === 'rank'
      ? {
          plan: aPlan(fate),
          draft: aDraft(fate),
          call: among(pool),
          ...(chance(50) && { approves: true as const }),
          effect: among(['done', 'absent'] as const),
        }
      : {}),
    ...(chance(70) && { evidence: aWord(c, fate) }),
  };
};

const outcomeOf = (c: Context, call: string, fate: Fate): Fact => {
  const of = { request: c.request, attempt: c.attempt, call };
  const { among } = fate;
  const evidence = {
    id: `e${c.attempt}-${call}-${c.collected}-${c.counters.refreshes}`,
    type: fate.chance(10) ? 'source_citation' : 'tool_result',
    ...among(brought),
  };
  if (fate.chance(4)) return { type: 'deadline.passed', of: 'call', id: call };
  if (fate.chance(10)) return aRecovery(c, c.calls[call]?.digest ?? 'none', fate);
  if (fate.chance(70)) return { type: 'call.succeeded', ...of, evidence };
  switch (among(['waits', 'doubted', 'asks', 'failed', 'refused'] as const)) {
    case 'failed':
      return { type: 'call.failed', ...of, code: among(codes) };
    case 'doubted':
      return { type: 'call.doubted', ...of, code: among(codes) };
    case 'waits':
      return { type: 'dependency.awaited', ...of, dependency: among(['shared', `event-${call}`]) };
    case 'asks':
      return { type: 'question.raised', ...of, question: among([`q-${call}`, 'q']) };
    case 'refused':
      return { type: 'call.refused', ...of, code: aRefusal(fate) };
  }
};

const granted = (c: Context, digest: string, { among }: Fate): Fact => ({
  type: 'approval.granted',
  request: c.request,
  digest,
  authority: among(['approval', 'approval', 'human', 'system']),
  approver: among(people),
});

const asked = (c: Context, question: string, fate: Fate): Fact => {
  const digest = /^approval:(.*)$/.exec(question)?.[1];
  const inDoubt = c.calls[/^doubt:(.*)$/.exec(question)?.[1] ?? '']?.digest;
  if (inDoubt !== undefined && fate.chance(35)) return aRecovery(c, inDoubt, fate);
  if (fate.chance(2)) return { type: 'deadline.passed', of: 'question', id: question };
  if (c.questions[question]?.kind === 'tool' && fate.chance(25)) return aChange(c, fate);
  if (digest !== undefined && fate.chance(6)) return { type: 'deadline.passed', of: 'approval', id: digest };
  if (digest !== undefined && fate.chance(50)) return granted(c, digest, fate);
  return answered(c, question, fate);
};

const isAway = ({ taskClass: { host } }: Context, { chance }: Fate): boolean => host && chance(8);
const away = (c: Context): Fact => ({ type: 'deadline.passed', of: 'host', id: modelTurnId(c) });

/** What answers a duty: what is owed is done, more or less well. */
const answerTo = (c: Context, duty: Duty, fate: Fate): Fact => {
  const { request, attempt, counters, collected: evidence } = c;
  const question = `ask-${attempt}-${counters.pauses}`;
  const { among, chance } = fate;
  switch (duty.kind) {
    case 'accept':
      if (chance(90)) return { type: 'request.accepted' };
      if (chance(90)) return { type: 'information.requested', question };
      return { type: 'request.refused', code: among(['IDENTITY_INVALID', 'CANCELLED']) };
    case 'propose':
      return isAway(c, fate) ? away(c) : proposed(fate, question);
    case 'correct':
      return duty.output === 'plan' ? proposed(fate, question) : concluded(fate, question);
    case 'conclude':
      return isAway(c, fate) ? away(c) : concluded(fate, question);
    case 'decide': {
      const digest = c.calls[duty.call]?.digest ?? 'none';
      const verdict = chance(8) ? 'deny' : among(['allow', 'allow', 'needs_review'] as const);
      const ends = chance(verdict === 'deny' ? 50 : 2) ? { ends: 'call' as const } : {};
      return { type: 'policy.decided', request, attempt, call: duty.call, digest, verdict, ...ends };
    }
    case 'call': {
      const { digest = 'none', tier, cleared = false } = c.calls[duty.call] ?? {};
      if (chance(12))
        return { type: 'call.refused', request, attempt, call: duty.call, code: aRefusal(fate) };
      if (chance(2)) return { type: 'deadline.passed', of: 'start', id: duty.call };
      const isStale = tier !== 'read_only' && !cleared;
      const type = isStale && chance(90) ? 'call.cleared' : 'call.started';
      return { type, request, attempt, call: duty.call, digest };
    }
    case 'observe':
      return outcomeOf(c, duty.call, fate);
    case 'verify': {
      if (chance(4)) return { type: 'deadline.passed', of: 'verifier', id: `${duty.of} ${duty.verifier}` };
      const { verifier, of } = duty;
      const status = chance(18) ? 'fail' : 'pass';
      const code = status === 'fail' && chance(30) ? { code: 'EVIDENCE_FOREIGN' } : {};
      return { type: 'verifier.reported', request, attempt, verifier, of, evidence, status, ...code };
    }
    case 'ask':
      return asked(c, duty.question, fate);
    case 'await':
      if (chance(25)) return aChange(c, fate);
      if (chance(20)) return outcomeOf(c, duty.call, fate);
      if (chance(20)) return { type: 'deadline.passed', of: 'dependency', id: duty.dependency };
      return { type: 'dependency.met', dependency: duty.dependency };
    case 'undo': {
      const type = among(['rollback.succeeded', 'rollback.started', 'rollback.failed'] as const);
      if (chance(12)) return { type: 'deadline.passed', of: 'rollback', id: duty.digest };
      if (chance(25)) return { type: 'recovery.started', request, effect: 'rollback', digest: duty.digest };
      const isUndoing = c.effects.some(
        ({ digest, status }) => digest === duty.digest && status !== 'committed',
      );
      return { type: isUndoing ? type : 'rollback.started', request, digest: duty.digest };
    }
    case 'offer':
      if (chance(10)) return { type: 'deadline.passed', of: 'offer', id: request };
      return { type: 'followup.offered' };
    case 'refine':
      if (chance(70))
        return { type: 'changes.requested', request: request === requests[0] ? requests[1] : requests[0] };
      return answered(c, 'followup', fate);
    case 'wake':
      return { type: 'deadline.passed', of: duty.of, id: duty.id };
  }
};

const idsOf = (c: Context): readonly [string, ...string[]] => [
  c.request,
  modelTurnId(c),
  ...Object.entries(c.calls).flatMap(([id, { digest, evidence }]) => [
    id,
    digest,
    ...(evidence === null ? [] : [evidence.id]),
  ]),
  ...c.effects.flatMap(({ digest, evidence }) => [digest, ...(evidence === null ? [] : [evidence.id])]),
  ...Object.keys(c.questions),
  ...Object.keys(c.dependencies),
  'constructor',
];

/** Something about what exists, also what nothing waits for. */
const anything = (c: Context, fate: Fate): Fact => {
  const { among, chance } = fate;
  const { request, attempt } = c;
  const calls = Object.keys(c.calls);
  const call = isAny(calls) ? among(calls) : 'r';
  const digest = c.calls[call]?.digest ?? 'do-u';
  const questions = Object.keys(c.questions);
  const { beforeWrite, beforeDeliver } = c.taskClass;
  const verifier = among(['facts', ...beforeWrite.verifiers, ...beforeDeliver.verifiers]);
  const kinds: readonly [() => Fact, ...(() => Fact)[]] = [
    () => outcomeOf(c, call, fate),
    () => outcomeOf(c, call, fate),
    () => granted(c, digest, fate),
    () => granted(c, digest, fate),
    () => answered(c, isAny(questions) ? among(questions) : 'followup', fate),
    () => ({ type: 'deadline.passed', of: among(deadlines), id: among(idsOf(c)) }),
    () => ({ type: 'deadline.passed', of: among(['approval', 'evidence']), id: among(idsOf(c)) }),
    () => ({
      type: 'policy.decided',
      request,
      attempt,
      call,
      digest,
      verdict: among(['allow', 'needs_review']),
    }),
    () => ({ type: among(['call.started', 'call.cleared']), request, attempt, call, digest }),
    () => ({ type: 'call.refused', request, attempt, call, code: aRefusal(fate) }),
    () => aChange(c, fate),
    () => {
      const of = among([digest, c.draft?.digest ?? 'draft']);
      const status = among(['pass', 'fail'] as const);
      return { type: 'verifier.reported', request, attempt, verifier, of, evidence: c.collected, status };
    },
    () => ({ type: among(['rollback.started', 'rollback.succeeded', 'rollback.failed']), request, digest }),
    () => ({ type: 'dependency.met', dependency: among(['shared', `event-${call}`]) }),
    () => concluded(fate, 'q'),
    () => proposed(fate, 'plan:plan'),
    () => among<Fact>([{ type: 'request.accepted' }, { type: 'followup.offered' }]),
    () => aRecovery(c, digest, fate),
    () => aRecovery(c, digest, fate),
    () => (chance(25) ? aChangedDocument(c, fate) : aRecovery(c, digest, fate)),
  ];
  return among(kinds)();
};

const ending = ({ among, chance }: Fate): Fact => {
  if (chance(60)) return { type: 'task.cancelled' };
  return { type: 'run.failed', code: among(['GUARD_ERROR', 'POLICY_ERROR']) };
};

/** A document is not the one that was told: of evidence, or of a draft. */
const aChangedDocument = (c: Context, { among, chance }: Fate): Fact => {
  const other = requests.find((one) => one !== c.request);
  const request = other !== undefined && chance(25) ? other : c.request;
  if (chance(30)) return { type: 'output.changed', request, digest: c.draft?.digest ?? 'draft' };
  const code = among(['EVIDENCE_HASH_MISMATCH', 'EVIDENCE_FOREIGN'] as const);
  const known = [...Object.values(c.calls), ...c.effects].flatMap(({ evidence }) =>
    evidence === null ? [] : [evidence.id],
  );
  const evidence = isAny(known) && chance(85) ? among(known) : among(idsOf(c));
  return { type: 'evidence.changed', request, evidence, code };
};

/** An effect is looked up or made again. */
const aRecovery = (c: Context, digest: string, { chance }: Fate): Fact => ({
  type: 'recovery.started',
  request: c.request,
  effect: chance(75) ? 'call' : 'rollback',
  digest,
});

/** The same, about what it is not about. */
const twisted = (fact: Fact, { among }: Fate): Fact => {
  const twists: readonly [object, ...object[]] = [
    ...('attempt' in fact ? [{ attempt: fact.attempt + 1 }, { attempt: fact.attempt - 1 }] : []),
    ...('request' in fact ? [{ request: requests[1] }] : []),
    ...('digest' in fact ? [{ digest: 'forged' }] : []),
    ...('call' in fact && typeof fact.call === 'string' ? [{ call: 'constructor' }] : []),
    ...(fact.type === 'verifier.reported' ? [{ evidence: fact.evidence + 1 }, { verifier: 'forged' }] : []),
    ...(fact.type === 'human.responded' ? [{ question: 'toString' }] : []),
    ...(fact.type === 'deadline.passed' ? [{ id: 'toString' }] : []),
    ...('question' in fact ? [{ question: 'sessionId' }, { question: 'doubt:u' }] : []),
    ...('dependency' in fact ? [{ dependency: 'sessionId' }] : []),
    {},
  ] as unknown as readonly [object, ...object[]];
  return { ...fact, ...among(twists) };
};

/** An agent in its own host takes its turns by itself: it proposes calls while people are asked about others. */
const isPushing = ({ questions, taskClass: { host } }: Context, { chance }: Fate): boolean => {
  const kinds = Object.values(questions).map(({ kind }) => kind);
  return kinds.length > 0 && chance(host && kinds.includes('approval') ? 30 : 3);
};

const isWork = ({ kind }: Duty): boolean => kind !== 'wake';

/** What happens next: mostly what is owed, sometimes a deadline, something else, or what is not true. */
export const nextFact = (snapshot: CharterSnapshot, told: readonly Fact[], fate: Fate): Fact => {
  const c = snapshot.context;
  const duties = dutiesOf(snapshot);
  const work = duties.filter(isWork);
  const wakes = duties.filter((duty) => !isWork(duty));
  const { among, chance } = fate;
  const plausible = (): Fact => {
    if (isPushing(c, fate)) return furthered(fate, Object.keys(c.calls));
    return isAny(work) ? answerTo(c, among(work), fate) : anything(c, fate);
  };
  if (chance(70)) return plausible();
  if (chance(5) && isAny(wakes)) return answerTo(c, among(wakes), fate);
  if (chance(40)) return twisted(plausible(), fate);
  if (chance(15) && isAny(told)) return among(told);
  if (chance(3)) return ending(fate);
  if (chance(2)) return aChangedDocument(c, fate);
  return anything(c, fate);
};
