import { createActor } from 'xstate';
import {
  dutiesOf,
  executionMachine,
  taskClass,
  TaskClassContract,
  taskMachine,
  type Authority,
  type Context,
  type DeadlineOf,
  type Duty,
  type Fact,
  type FactOf,
  type TaskClassInput,
} from '../../machines/index.ts';
import type { ProposedCall } from '../../machines/facts/fields.ts';
import { modelTurnId } from '../../machines/owed.ts';
import { requests } from '../../src/testing/charter/world.ts';

type Code = FactOf<'call.failed'>['code'];
type Causes = readonly Code[];
type Verdict = FactOf<'policy.decided'>['verdict'];
type Answer = Partial<Omit<FactOf<'human.responded'>, 'type' | 'question' | 'feedback'>>;

/** A fact as it is told: its request, attempt, digest and evidence count are those of the run as it stands. */
export type FactMaker = (c: Context) => Fact;

const sure = { confidence: 0.9, canProceed: true };

/** A plan or a draft that a person or the model brings. */
export const plan = (digest: string, ...calls: readonly ProposedCall[]) => ({
  digest,
  ...sure,
  calls: [...calls],
});
export const draft = (digest = 'draft') => ({ digest, ...sure });

const of = ({ request, attempt }: Context, call: string) => ({ request, attempt, call });
const because = (causes: Causes | undefined) => causes && { causes: [...causes] };
const digestOf = ({ calls }: Context, call: string): string => calls[call]?.digest ?? 'none';

export const accepted: FactMaker = () => ({ type: 'request.accepted' });
export const cancelled: FactMaker = () => ({ type: 'task.cancelled' });
export const stopped =
  (code: FactOf<'run.failed'>['code'] = 'GUARD_ERROR'): FactMaker =>
  () => ({ type: 'run.failed', code });
/** The document of an evidence object is not the one that was collected. */
export const evidenceChanged =
  (evidence: string, code: FactOf<'evidence.changed'>['code'] = 'EVIDENCE_HASH_MISMATCH'): FactMaker =>
  ({ request }) => ({ type: 'evidence.changed', request, evidence, code });
export const outputChanged =
  (digest = 'draft'): FactMaker =>
  ({ request }) => ({ type: 'output.changed', request, digest });
export const recovers =
  (effect: FactOf<'recovery.started'>['effect'], digest: string): FactMaker =>
  ({ request }) => ({ type: 'recovery.started', request, effect, digest });
export const offered: FactMaker = () => ({ type: 'followup.offered' });
export const asksForInformation =
  (question: string): FactMaker =>
  () => ({ type: 'information.requested', question });
export const planned =
  (digest: string, ...calls: readonly ProposedCall[]): FactMaker =>
  () => ({ type: 'plan.proposed', ...plan(digest, ...calls) });
/** A proposal that equals the threshold asks. */
export const unsurelyPlanned =
  (digest: string, ...calls: readonly ProposedCall[]): FactMaker =>
  () => ({ type: 'plan.proposed', ...plan(digest, ...calls), confidence: 0.5 });
export const drafted =
  (digest = 'draft'): FactMaker =>
  () => ({ type: 'draft.proposed', ...draft(digest) });
export const unsurelyDrafted =
  (digest = 'draft'): FactMaker =>
  () => ({ type: 'draft.proposed', ...draft(digest), confidence: 0.5 });
export const proposes =
  (...calls: readonly ProposedCall[]): FactMaker =>
  () => ({ type: 'calls.proposed', ...plan('further', ...calls) });
/** Further calls that a person is asked about first. */
export const unsurelyProposes =
  (...calls: readonly ProposedCall[]): FactMaker =>
  () => ({ type: 'calls.proposed', ...plan('further', ...calls), confidence: 0.5 });
export const rejects =
  (question = 'output'): FactMaker =>
  () => ({ type: 'output.rejected', question });
export const needsHelp =
  (question = 'help'): FactMaker =>
  () => ({ type: 'help.requested', question });

export const decided =
  (call: string, verdict: Verdict = 'allow'): FactMaker =>
  (c) => ({ type: 'policy.decided', ...of(c, call), digest: digestOf(c, call), verdict });
export const granted =
  (digest: string, authority: Authority = 'approval', approver = 'kim'): FactMaker =>
  ({ request }) => ({ type: 'approval.granted', request, digest, authority, approver });
export const cleared =
  (call: string): FactMaker =>
  (c) => ({ type: 'call.cleared', ...of(c, call), digest: digestOf(c, call) });
/** A call begins after the run waited: its clearance is looked at again first. */
export const startedAgain = (call: string): readonly [FactMaker, FactMaker] => [cleared(call), started(call)];
export const started =
  (call: string): FactMaker =>
  (c) => ({ type: 'call.started', ...of(c, call), digest: digestOf(c, call) });
export const succeeded =
  (call: string, evidence = `evidence-${call}`): FactMaker =>
  (c) => ({ type: 'call.succeeded', ...of(c, call), evidence: { id: evidence, type: 'tool_result' } });
export const failed =
  (call: string, code: Code = 'TOOL_FAILED', causes?: Causes): FactMaker =>
  (c) => ({ type: 'call.failed', ...of(c, call), code, ...because(causes) });
export const doubted =
  (call: string, code: Code = 'TOOL_FAILED', causes?: Causes): FactMaker =>
  (c) => ({ type: 'call.doubted', ...of(c, call), code, ...because(causes) });
export const refused =
  (call: string, code: Code = 'APPROVAL_EXPIRED'): FactMaker =>
  (c) => ({ type: 'call.refused', ...of(c, call), code });
export const brings =
  (call: string, evidence: Partial<FactOf<'call.succeeded'>['evidence']>): FactMaker =>
  (c) => ({
    type: 'call.succeeded',
    ...of(c, call),
    evidence: { id: `evidence-${call}`, type: 'tool_result', ...evidence },
  });
export const awaits =
  (call: string, dependency: string): FactMaker =>
  (c) => ({ type: 'dependency.awaited', ...of(c, call), dependency });
export const met =
  (dependency: string): FactMaker =>
  () => ({ type: 'dependency.met', dependency });
export const raises =
  (call: string, question: string): FactMaker =>
  (c) => ({ type: 'question.raised', ...of(c, call), question });
export const reported =
  (verifier: string, on: string, status: 'pass' | 'fail' = 'pass', code?: Code): FactMaker =>
  ({ request, attempt, collected }) => ({
    type: 'verifier.reported',
    request,
    attempt,
    verifier,
    of: on,
    evidence: collected,
    status,
    ...(code && { code }),
  });
export const rollback =
  (how: 'started' | 'succeeded' | 'failed', digest: string): FactMaker =>
  ({ request }) => ({ type: `rollback.${how}`, request, digest });
/** An answer; somebody with a name approves, unless it is told who, or that nobody is named. */
export const answered =
  (
    question: string,
    feedback: FactOf<'human.responded'>['feedback'],
    brings: Answer = feedback === 'approve' ? { by: 'kim' } : {},
  ): FactMaker =>
  () => ({ type: 'human.responded', question, feedback, ...brings });
/** A stricter version of the task class comes into force. */
export const tightened =
  (stricter: Omit<TaskClassInput, 'id'>): FactMaker =>
  () => ({
    type: 'taskClass.changed',
    taskClass: TaskClassContract.parse(taskClass({ id: 'class', ...stricter })),
  });
export const passed =
  (of: DeadlineOf, id: string): FactMaker =>
  () => ({ type: 'deadline.passed', of, id });
export const modelSilent: FactMaker = (c) => ({ type: 'deadline.passed', of: 'model', id: modelTurnId(c) });
export const changes =
  (request: string = requests[1]): FactMaker =>
  () => ({ type: 'changes.requested', request });

/** Everything that a write needs before it is called, and its outcome. */
export const written = (call: string): readonly FactMaker[] => [
  decided(call),
  started(call),
  succeeded(call),
];

const machines = { task: taskMachine, execution: executionMachine as unknown as typeof taskMachine };

export type TaskClassGiven = Omit<TaskClassInput, 'id'>;

/** A run on a live actor that has heard these facts; a fact that it does not take is a mistake of the test. */
export const run = (
  taskClass: TaskClassGiven,
  facts: readonly FactMaker[] = [],
  kind: 'task' | 'execution' = 'task',
) => {
  const actor = createActor(machines[kind], {
    input: { taskClass: { id: 'class', ...taskClass }, request: requests[0] },
  }).start();
  const c = (): Context => actor.getSnapshot().context;
  const takes = (told: FactMaker): boolean => actor.getSnapshot().can(told(c()));
  const send = (...told: readonly FactMaker[]): void => {
    for (const one of told) {
      if (!takes(one))
        throw new Error(
          `${JSON.stringify(actor.getSnapshot().value)} does not take ${JSON.stringify(one(c()))}`,
        );
      actor.send(one(c()));
    }
  };
  send(...facts);
  return {
    actor,
    send,
    takes,
    get c() {
      return c();
    },
    /** Where the run rests, outermost first. */
    get at(): string {
      return JSON.stringify(actor.getSnapshot().value)
        .replaceAll(/["{}]/g, '')
        .replaceAll(':', '.')
        .replace(/^submitted\./, '');
    },
    get reasons(): readonly string[] {
      return c().reasons.map(({ code, about }) => `${code} ${about}`);
    },
    get statuses(): Readonly<Record<string, string>> {
      return Object.fromEntries(Object.entries(c().calls).map(([id, { status }]) => [id, status]));
    },
    get effects(): readonly string[] {
      return c().effects.map(({ digest, status }) => `${digest} ${status}`);
    },
    get duties(): readonly Duty[] {
      return dutiesOf(actor.getSnapshot());
    },
    /** The duties that are work, as words. */
    get owes(): readonly string[] {
      return dutiesOf(actor.getSnapshot())
        .filter(({ kind }) => kind !== 'wake')
        .map((duty) => Object.values(duty).join(' '));
    },
    /** The deadlines that are due, as words. */
    get wakes(): readonly string[] {
      return dutiesOf(actor.getSnapshot()).flatMap((duty) =>
        duty.kind === 'wake' ? [`${duty.of} ${duty.id}`] : [],
      );
    },
  };
};

export type Run = ReturnType<typeof run>;
