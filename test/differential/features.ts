import { follow, type Told } from './model.ts';
import { isWrite, type Known } from './known.ts';
import type { Fact, TaskClass } from './vocabulary.ts';

/** A run as it was told, with what was known before the fact. */
interface Moment extends Told {
  readonly statuses: ReadonlyMap<string, string>;
  readonly kinds: ReadonlyMap<string, string>;
  readonly wasFailing: boolean;
  readonly hadFurther: boolean;
  /** How many calls a policy had decided on. */
  readonly verdicts: number;
}

type Feature = (moment: Moment) => boolean;

/** A fact of this kind was taken. */
const took =
  (type: Fact['type'], isIt: (fact: never) => boolean = () => true): Feature =>
  ({ fact, said }) =>
    said.taken && fact.type === type && isIt(fact as never);

const passed = (of: string): Feature =>
  took('deadline.passed', (fact: { readonly of: string }) => fact.of === of);

const answered =
  (kind: string, ...feedback: readonly string[]): Feature =>
  ({ fact, said, kinds }) =>
    said.taken &&
    fact.type === 'human.responded' &&
    kinds.get(fact.question) === kind &&
    (feedback.length === 0 || feedback.includes(fact.feedback));

/** A fact of this kind was taken while people were asked. */
const besideQuestion =
  (type: Fact['type'], isIt: Feature = () => true): Feature =>
  (moment) =>
    took(type)(moment) && moment.kinds.size > 0 && isIt(moment);

const answeredBy =
  (feedback: string): Feature =>
  ({ fact, said, kinds }) =>
    said.taken && fact.type === 'human.responded' && fact.feedback === feedback && kinds.has(fact.question);

const counted =
  (what: keyof Known['counters']): Feature =>
  ({ known }) =>
    known.counters[what] > 0;

const isLate: Feature = ({ fact, said, statuses, wasFailing }) => {
  if (!said.taken || (fact.type !== 'call.succeeded' && fact.type !== 'call.failed')) return false;
  return wasFailing || ['doubt', 'awaiting', 'asking'].includes(statuses.get(fact.call) ?? '');
};

const refusedBecause =
  (isIt: (fact: Fact, known: Known) => boolean): Feature =>
  ({ fact, said, known }) =>
    !said.taken && known.outcome === null && isIt(fact, known);

const has =
  (status: Known['effects'][number]['status']): Feature =>
  ({ known }) =>
    known.effects.some((effect) => effect.status === status);

/** Everything that a run may show, by name; each may meet each other in one run. */
export const features = {
  approval: took('approval.granted', ({ authority }: { authority: string }) => authority === 'approval'),
  'traced authority': took(
    'approval.granted',
    ({ authority }: { authority: string }) => authority !== 'approval',
  ),
  'word of approval': answered('approval', 'approve'),
  'several approvers': ({ known }) => known.calls.some(({ approvals }) => approvals.length > 1),
  'approval expired': passed('approval'),
  'clearance lapsed': took('call.refused', ({ code }: { code: string }) => !code.startsWith('TOOL')),
  'tool lost': took('call.refused', ({ code }: { code: string }) => code.startsWith('TOOL')),
  'cleared again': took('call.cleared'),
  'clearances spent': ({ known }) =>
    known.counters.clearances === known.taskClass.limits.clearances && known.counters.clearances > 0,
  'stricter contract': took('taskClass.changed'),
  'stricter amid writes': ({ fact, said, verdicts }) =>
    said.taken && fact.type === 'taskClass.changed' && verdicts > 0,
  'stricter amid a pause': ({ fact, said, known: { calls } }) =>
    said.taken &&
    fact.type === 'taskClass.changed' &&
    calls.some((call) => isWrite(call) && ['awaiting', 'asking'].includes(call.status)),
  'plan unsure again': ({ known: { plan, questions } }) =>
    plan?.passed === true && questions.has(`plan:${plan.digest}`),
  'tool disallowed': ({ known: { calls } }) =>
    calls.some(({ status, code }) => status !== 'ready' && code === 'TOOL_UNAVAILABLE'),
  'confidence unstated': ({ fact, said }) =>
    said.taken && 'confidence' in fact && fact.confidence === 'unstated',
  'no confidence': ({ fact, said }) =>
    !said.taken && 'confidence' in fact && fact.confidence !== 'unstated' && !(fact.confidence <= 1),
  'further calls asked about': ({ known: { further, questions } }) => further !== null && questions.size > 0,
  'further calls answered': ({ fact, said, hadFurther }) =>
    said.taken && hadFurther && fact.type === 'human.responded' && fact.feedback !== 'comment',
  'read dropped': ({ known: { calls } }) => calls.some(({ status }) => status === 'dropped'),
  'evidence empty': took(
    'call.succeeded',
    ({ evidence }: { evidence: { empty?: boolean } }) => evidence.empty === true,
  ),
  'evidence about something': took(
    'call.succeeded',
    ({ evidence }: { evidence: { subjects?: object } }) => evidence.subjects !== undefined,
  ),
  'word of evidence': ({ known: { calls } }) => calls.some(({ evidence }) => evidence?.byPerson === true),
  'word kept': ({ known }) =>
    known.outcome === 'failed' &&
    known.reasons.includes('EVIDENCE_MISSING') &&
    known.effects.some(
      ({ status, evidence, rollback }) => status === 'committed' && rollback && evidence?.byPerson !== false,
    ),
  'host asked about': ({ known: { questions } }) =>
    [...questions.values()].some(({ kind }) => kind === 'host'),
  'write kept': has('kept'),
  'write refused': answered('approval', 'reject'),
  needs_review: took('policy.decided', ({ verdict }: { verdict: string }) => verdict === 'needs_review'),
  'policy deny': took(
    'policy.decided',
    ({ verdict, ends }: { verdict: string; ends?: string }) => verdict === 'deny' && ends === undefined,
  ),
  'call denied': took('policy.decided', ({ ends }: { ends?: string }) => ends === 'call'),
  'call held': ({ known: { calls } }) => calls.some(({ held }) => held !== undefined),
  'held call endorsed': ({ known: { calls } }) =>
    calls.some(({ held, status }) => held !== undefined && status === 'started'),
  'held call refused': ({ known: { calls } }) =>
    calls.some(({ held, status }) => held !== undefined && status === 'refused'),
  repair: counted('repairs'),
  revision: counted('revisions'),
  refresh: counted('refreshes'),
  correction: counted('corrections'),
  'further round': took('calls.proposed'),
  'calls beside a question': besideQuestion('calls.proposed'),
  'checked beside a question': besideQuestion('verifier.reported', ({ known: { goesOn } }) => goesOn),
  'decided beside a question': besideQuestion('policy.decided'),
  'asked beside a question': ({ said, kinds, known: { questions, goesOn } }) =>
    said.taken &&
    goesOn &&
    [...kinds.keys()].some((id) => questions.has(id)) &&
    [...questions].some(([id, { kind }]) => kind === 'approval' && !kinds.has(id)),
  twins: ({ known: { calls } }) => new Set(calls.map(({ digest }) => digest)).size < calls.length,
  'information missing': took('information.requested'),
  'help wanted': answered('help'),
  'low confidence': ({ known: { questions } }) =>
    [...questions.values()].some(({ kind }) => kind === 'plan' || kind === 'draft'),
  'tool question': took('question.raised'),
  dependency: took('dependency.awaited'),
  doubt: ({ known: { calls } }) => calls.some(({ status }) => status === 'doubt'),
  'doubt resolved': answered('doubt', 'approve', 'edit', 'reject'),
  'late result': isLate,
  edit: answeredBy('edit'),
  comment: answeredBy('comment'),
  'unplanned write': ({ known, said }) =>
    said.phase === 'undoing' &&
    known.reasons.length === 0 &&
    known.effects.some(
      ({ status, digest }) => status === 'undoing' && !known.calls.some((c) => c.digest === digest),
    ),
  rollback: has('undone'),
  'rollback failed': has('stuck'),
  'verifier passed': took('verifier.reported', ({ status }: { status: string }) => status === 'pass'),
  'verifier failed': took('verifier.reported', ({ status }: { status: string }) => status === 'fail'),
  'call failed': took('call.failed'),
  cancel: ({ known }) => known.cancelled,
  'run failed': took('run.failed'),
  'evidence changed': took('evidence.changed'),
  'output changed': took('output.changed'),
  'call recovered': took('recovery.started', ({ effect }: { effect: string }) => effect === 'call'),
  'rollback recovered': took('recovery.started', ({ effect }: { effect: string }) => effect === 'rollback'),
  'recoveries spent': ({ known: { recoveries, taskClass } }) =>
    [...recoveries.values()].includes(taskClass.limits.recoveries),
  'turns spent': ({ known }) => known.exceeded === 'modelCalls',
  'calls spent': ({ known }) => known.exceeded === 'calls',
  'beyond capability': took('capability.exceeded'),
  delivered: ({ known }) => known.outcome === 'delivered',
  followup: took('followup.offered'),
  'changes requested': took('changes.requested'),
  'accept late': passed('accept'),
  'model late': passed('model'),
  'host late': passed('host'),
  'start late': passed('start'),
  'policy late': passed('policy'),
  'call late': passed('call'),
  'verifier late': passed('verifier'),
  'question late': passed('question'),
  'dependency late': passed('dependency'),
  'evidence late': passed('evidence'),
  'rollback late': passed('rollback'),
  'offer late': passed('offer'),
  'followup late': passed('followup'),
  'wrong attempt': refusedBecause((fact, { attempt }) => 'attempt' in fact && fact.attempt !== attempt),
  'wrong request': refusedBecause(
    (fact, { request }) => 'request' in fact && fact.type !== 'changes.requested' && fact.request !== request,
  ),
  'wrong digest': refusedBecause(
    (fact, { calls }) =>
      'digest' in fact && 'request' in fact && !calls.some(({ digest }) => digest === fact.digest),
  ),
  'out of place': refusedBecause((fact, { attempt }) => !('attempt' in fact) || fact.attempt === attempt),
  'told too late': ({ said }) => said.settled && !said.taken,
} as const satisfies Readonly<Record<string, Feature>>;

export type FeatureName = keyof typeof features;
export const featureNames = Object.keys(features) as readonly FeatureName[];

const momentsOf = function* (...told: Parameters<typeof follow>): Generator<Moment> {
  let before = {
    statuses: new Map<string, string>(),
    kinds: new Map<string, string>(),
    wasFailing: false,
    hadFurther: false,
    verdicts: 0,
  };
  for (const one of follow(...told)) {
    yield { ...one, ...before };
    const { calls, further, questions, reasons } = one.known;
    before = {
      statuses: new Map(calls.map(({ id, status }) => [id, status])),
      kinds: new Map([...questions].map(([id, { kind }]) => [id, kind])),
      wasFailing: reasons.length > 0,
      hadFurther: further !== null,
      verdicts: calls.filter(({ verdict, status }) => verdict !== null && status === 'ready').length,
    };
  }
};

/** The features that a run showed. */
export const featuresOf = (
  taskClass: TaskClass,
  request: string,
  facts: readonly Fact[],
): readonly FeatureName[] => {
  const shown = new Set<FeatureName>();
  for (const moment of momentsOf(taskClass, request, facts))
    for (const name of featureNames) if (!shown.has(name) && features[name](moment)) shown.add(name);
  return [...shown];
};
