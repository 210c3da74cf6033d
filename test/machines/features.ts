import { callOf } from 'agentcharter/testing';
import {
  answers,
  begins,
  counts,
  exceeds,
  isOnDraft,
  late,
  took,
  type Feature,
  type Needs,
} from './feature.ts';
import { held } from './held-worlds.ts';

type Heard = NonNullable<Needs['hears']>[number];

const { read, send, undoable } = callOf;
const [r, u, w] = [read('r'), undoable('u'), send('w')];
const k = held(undoable('k'));

const approved: readonly Heard[] = ['approval.granted'];
const person: readonly Heard[] = ['human.responded'];
const reviewed: Needs = { hears: [...person, 'needs_review'], calls: [u], limits: { pauses: 1 } };
const undone: Needs = { hears: ['task.cancelled'], calls: [u] };

/** Everything that a run may show beside its straight course; each may meet each other in one run. */
export const features: readonly Feature[] = [
  { name: 'a read', shows: begins('read_only'), needs: { calls: [r] } },
  { name: 'a low-risk write', shows: begins('write_low_risk'), needs: { calls: [u] } },
  { name: 'a high-risk write', shows: begins('write_high_risk'), needs: { calls: [w], hears: approved } },
  {
    name: 'a check before a write',
    shows: took('verifier.reported', ({ of }, c) => !isOnDraft(of, c)),
    needs: { calls: [u], taskClass: { beforeWrite: { verifiers: ['check'] } } },
  },
  {
    name: 'a verified draft',
    shows: took('verifier.reported', ({ of, status }, c) => isOnDraft(of, c) && status === 'pass'),
    needs: { taskClass: { beforeDeliver: { verifiers: ['facts'] } } },
  },
  {
    name: 'a draft that fails',
    shows: took('verifier.reported', ({ of, status }, c) => isOnDraft(of, c) && status === 'fail'),
    needs: { taskClass: { beforeDeliver: { verifiers: ['facts'] } } },
  },
  {
    name: 'a review',
    shows: took('policy.decided', ({ verdict }) => verdict === 'needs_review'),
    needs: { calls: [u], hears: ['needs_review', ...approved] },
  },
  {
    name: 'a policy that denies',
    shows: took('policy.decided', ({ verdict, ends }) => verdict === 'deny' && ends === undefined),
    needs: { calls: [u] },
  },
  {
    name: 'a policy that denies one call',
    shows: took('policy.decided', ({ ends }) => ends === 'call'),
    needs: { calls: [u] },
  },
  {
    name: 'a held call that is endorsed',
    shows: took('call.started', ({ call }, { calls }) => calls[call]?.held !== undefined),
    needs: { calls: [k], hears: approved },
  },
  {
    name: 'a held call that the task class refuses',
    shows: ({ before, after }) =>
      Object.entries(after.calls).some(
        ([id, { held: codes, status }]) =>
          codes !== undefined && status === 'refused' && before.calls[id]?.status !== 'refused',
      ) && after.taskClass.flows === 'refuse',
    needs: { calls: [k], world: { tightened: { flows: 'refuse' } } },
  },
  {
    name: 'two approvers',
    shows: ({ after: { calls } }) => Object.values(calls).some(({ approvers }) => approvers.length > 1),
    needs: { calls: [w], hears: approved, taskClass: { approvers: 2 }, world: { approvers: ['kim', 'lee'] } },
  },
  {
    name: 'a person approves',
    shows: answers('approval', 'approve'),
    needs: { ...reviewed, hears: [...person, 'needs_review', 'approve'] },
  },
  {
    name: 'a person refuses a write',
    shows: answers('approval', 'reject'),
    needs: { ...reviewed, hears: [...person, 'needs_review', 'reject'] },
  },
  {
    name: 'a person edits a write',
    shows: answers('approval', 'edit'),
    needs: {
      ...reviewed,
      hears: [...person, 'needs_review', 'edit'],
      world: { edited: undoable('u', 'action-edited') },
    },
  },
  {
    name: 'an approval expires',
    shows: late('approval'),
    needs: { calls: [w], hears: [...approved, 'approval'] },
  },
  {
    name: 'a clearance lapses',
    shows: took('call.refused', ({ code }) => code === 'APPROVAL_EXPIRED'),
    needs: { calls: [u], hears: ['call.refused'], limits: { clearances: 1 } },
  },
  {
    name: 'a tool is lost',
    shows: took('call.refused', ({ code }) => code === 'TOOL_CHANGED'),
    needs: { calls: [r], hears: ['call.refused'] },
  },
  { name: 'doubt', shows: took('call.doubted'), needs: { calls: [u], hears: ['call.doubted'] } },
  {
    name: 'a person settles doubt',
    shows: answers('doubt', 'approve', 'edit', 'reject'),
    needs: { calls: [u], hears: ['call.doubted', ...person, 'approve', 'edit'], limits: { pauses: 1 } },
  },
  {
    name: 'a tool asks',
    shows: took('question.raised'),
    needs: { calls: [r], hears: ['question.raised', ...person, 'edit'], limits: { pauses: 1 } },
  },
  {
    name: 'a tool waits',
    shows: took('dependency.awaited'),
    needs: { calls: [r], hears: ['dependency.awaited'], limits: { pauses: 1 } },
  },
  { name: 'a call fails', shows: took('call.failed'), needs: { calls: [r], hears: ['call.failed'] } },
  { name: 'a call is late', shows: late('call'), needs: { calls: [r], hears: ['call'] } },
  {
    name: 'a repair',
    shows: counts('repairs'),
    needs: { calls: [r], hears: ['call.failed'], limits: { repairs: 1 } },
  },
  {
    name: 'a revision',
    shows: counts('revisions'),
    needs: { hears: ['unsure', ...person, 'instruction'], limits: { pauses: 1, revisions: 1 } },
  },
  {
    name: 'a correction',
    shows: counts('corrections'),
    needs: { hears: ['output.rejected'], limits: { corrections: 1 } },
  },
  { name: 'evidence grows old', shows: late('evidence'), needs: { calls: [r, u], hears: ['evidence'] } },
  {
    name: 'a refresh',
    shows: counts('refreshes'),
    needs: { calls: [r, u], hears: ['evidence'], limits: { refreshes: 1 } },
  },
  {
    name: 'a further round',
    shows: took('calls.proposed'),
    needs: { limits: { rounds: 2 }, world: { further: [read('s')] } },
  },
  {
    name: 'low confidence',
    shows: answers('plan', 'approve'),
    needs: { hears: ['unsure', ...person, 'approve'], limits: { pauses: 1 } },
  },
  {
    name: 'information is missing',
    shows: took('information.requested'),
    needs: { hears: ['information.requested', ...person, 'edit'], limits: { pauses: 1 } },
  },
  {
    name: 'the model wants help',
    shows: answers('help', 'edit'),
    needs: { hears: ['help.requested', ...person, 'edit'], limits: { pauses: 1 } },
  },
  {
    name: 'the model is late',
    shows: late('model'),
    needs: { hears: ['model'] },
  },
  {
    name: 'the contract becomes stricter',
    shows: took('taskClass.changed'),
    needs: { world: { tightened: { threshold: 0.7 } } },
  },
  {
    name: 'a rollback',
    shows: took('rollback.succeeded'),
    needs: undone,
  },
  { name: 'a rollback that fails', shows: took('rollback.failed'), needs: undone },
  {
    name: 'a plan that drops a write',
    shows: took('rollback.started', (_, { reasons }) => reasons.length === 0),
    needs: {
      calls: [u],
      drops: true,
      limits: { repairs: 1 },
      taskClass: { beforeDeliver: { verifiers: ['facts'] } },
    },
  },
  { name: 'the task is cancelled', shows: took('task.cancelled'), needs: { hears: ['task.cancelled'] } },
  { name: 'the run is stopped', shows: took('run.failed'), needs: { hears: ['run.failed'] } },
  {
    name: 'evidence is changed',
    shows: took('evidence.changed'),
    needs: { calls: [r], hears: ['evidence.changed'] },
  },
  {
    name: 'a draft is changed',
    shows: took('output.changed'),
    needs: { taskClass: { beforeDeliver: { verifiers: ['facts'] } }, hears: ['output.changed'] },
  },
  {
    name: 'a recovery',
    shows: took('recovery.started'),
    needs: { calls: [u], hears: ['recovery.started'], limits: { recoveries: 1 } },
  },
  {
    name: 'turns run out',
    shows: exceeds('modelCalls'),
    needs: { limits: { modelCalls: 1 } },
  },
  {
    name: 'calls run out',
    shows: exceeds('calls'),
    needs: { calls: [r, u], limits: { calls: 1 } },
  },
  {
    name: 'delivery',
    shows: ({ before, after }) => before.outcome === null && after.outcome === 'delivered',
    needs: {},
  },
  {
    name: 'an offer',
    shows: took('followup.offered'),
    needs: { taskClass: { followup: true }, hears: ['followup.offered'] },
  },
  {
    name: 'further changes',
    shows: took('changes.requested'),
    needs: { taskClass: { followup: true }, hears: ['followup.offered', 'changes.requested'] },
  },
  {
    name: 'the host stays away',
    shows: late('host'),
    needs: {
      calls: [u],
      taskClass: { host: true },
      hears: ['host', ...person, 'approve'],
      limits: { pauses: 1 },
    },
  },
  {
    name: 'no one answers',
    shows: late('question'),
    needs: {
      hears: ['information.requested', 'question'],
      taskClass: { defaults: ['information'] },
      limits: { pauses: 1 },
    },
  },
];
