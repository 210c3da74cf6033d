import { getMicrosteps } from 'xstate';
import {
  outcomeOf,
  taskMachine,
  violationsOf,
  type Context,
  type Fact,
  type Gate,
} from '../../../machines/index.ts';
import { nextCalls } from '../../../machines/gates.ts';
import { isWrite } from '../../../machines/owed.ts';
import type { LedgerEntry } from '../../base/ports/ledger.ts';
import type { Moment, QuestionMoment, StepTaken } from '../../base/ports/telemetry.ts';
import type { TaskSnapshot } from '../kernel/chart.ts';
import { answeredBy } from '../kernel/projection/facts.ts';
import { messageAsking } from '../kernel/projection/thread.ts';
import type { TaskView } from '../kernel/view.ts';

type GateMoment = Extract<Moment, { kind: 'gate' }>;

const gateIn = (snapshot: TaskSnapshot): Gate | null => {
  if (snapshot.matches({ submitted: { plan: 'assessing' } })) return 'execute';
  if (snapshot.matches({ submitted: { execute: 'dispatching' } })) return 'write';
  return snapshot.matches({ submitted: { verify: 'judging' } }) ? 'deliver' : null;
};

const isAsking = (snapshot: TaskSnapshot): boolean =>
  snapshot.matches({ submitted: { plan: 'asking' } }) ||
  snapshot.matches({ submitted: { execute: 'asking' } });

/** Returns why a gate ended the run or the attempt, if it did; replacing unplanned writes is not a verdict. */
const stopping = (before: TaskSnapshot, after: TaskSnapshot): GateMoment['violations'] => {
  if (after.matches({ submitted: { undoing: 'stop' } })) return after.context.reasons;
  return after.context.attempt > before.context.attempt ? after.context.unmet : [];
};

/** Returns the missing approvals; those of later writes are requested together with the next one's. */
const missingApprovals = ({ questions }: Context): GateMoment['violations'] =>
  Object.values(questions).flatMap(({ kind, about }) =>
    kind === 'approval' ? [{ code: 'APPROVAL_REQUIRED', about }] : [],
  );

/** Returns whether a draft is asked about in place of writes; no write gate is involved. */
const asksOfDraft = ({ questions }: Context): boolean =>
  Object.values(questions).some(({ kind }) => kind === 'draft');

const passes: Readonly<Record<Gate, (snapshot: TaskSnapshot) => boolean>> = {
  execute: (snapshot) => snapshot.matches({ submitted: 'execute' }),
  write: (snapshot) => snapshot.matches({ submitted: { execute: 'calling' } }),
  deliver: (snapshot) => snapshot.matches({ submitted: 'deliver' }),
};

/** Returns the decision of a gate that the chart passed, from the following state. */
const gateMoments = (before: TaskSnapshot, after: TaskSnapshot): readonly Moment[] => {
  const gate = gateIn(before);
  if (gate === null || before.context.reasons.length > 0) return [];
  const moment = (
    verdict: GateMoment['verdict'],
    violations: GateMoment['violations'],
  ): readonly Moment[] => [{ kind: 'gate', gate, verdict, violations }];
  const ended = stopping(before, after);
  if (ended.length > 0) return moment('shut', ended);
  const violations = violationsOf(gate, before.context);
  if (isAsking(after)) {
    if (asksOfDraft(after.context)) return [];
    return moment('asks', violations.length > 0 ? violations : missingApprovals(after.context));
  }
  return passes[gate](after) && violations.length === 0 ? moment('open', []) : [];
};

const mayWrite = (snapshot: TaskSnapshot): boolean =>
  snapshot.matches('needsHumanDecision')
    ? nextCalls(snapshot.context).some(isWrite)
    : passes.write(snapshot) && violationsOf('write', snapshot.context).length === 0;

const entered = (before: Context | undefined, { trail }: Context): readonly Moment[] =>
  trail.slice(before?.trail.length ?? 0).map((state) => ({ kind: 'entered', state }));

const isOpening = (moment: Moment): boolean =>
  moment.kind === 'gate' && moment.gate === 'write' && moment.verdict === 'open';

/**
 * Returns what the chart passed on one fact, in order; gates are transient states.
 *
 * In `calling`, and beside a question, the write gate applies again before each further write, and before an interrupted one.
 */
export const momentsOf = (before: TaskSnapshot, fact: Fact): readonly Moment[] => {
  const path = getMicrosteps(taskMachine, before, fact).map(([snapshot]) => snapshot);
  const moments = path.flatMap((after, at) => {
    const from = path[at - 1];
    return [
      ...(from === undefined ? [] : gateMoments(from, after)),
      ...entered(from?.context, after.context),
    ];
  });
  const opens = mayWrite(path.at(-1) ?? before) && !mayWrite(before) && !moments.some(isOpening);
  return opens ? [...moments, { kind: 'gate', gate: 'write', verdict: 'open', violations: [] }] : moments;
};

/** The views of a task before and after a step. */
export type Views = Readonly<
  Record<'before' | 'after', Pick<TaskView, 'snapshot' | 'context' | 'projection'>>
>;

/** Returns the open questions, by the message that asks each: the same one may be asked again. */
const questionsIn = ({ context, projection }: Views['after']): ReadonlyMap<unknown, QuestionMoment> =>
  new Map(
    Object.entries(context.reasons.length > 0 ? {} : context.questions).map(([id, { kind }]) => [
      messageAsking(projection, id) ?? id,
      { id, kind },
    ]),
  );

const questionsOnlyIn = (
  these: ReturnType<typeof questionsIn>,
  those: ReturnType<typeof questionsIn>,
): readonly QuestionMoment[] => [...these].flatMap(([key, question]) => (those.has(key) ? [] : question));

const answerKind = (fact: LedgerEntry['fact'], id: string): StepTaken['answered'][number]['how'] => {
  if (answeredBy(fact) !== id) return 'withdrawn';
  if (fact?.type === 'human.responded') return fact.feedback;
  return fact?.type === 'approval.granted' ? 'approve' : 'expired';
};

/** Returns a recorded step for telemetry: names and codes only. */
export const stepTaken = ({ fact, request_id: requestId }: LedgerEntry, views: Views): StepTaken => {
  const { snapshot: before } = views.before;
  const { snapshot: after, context } = views.after;
  const [earlier, open] = [questionsIn(views.before), questionsIn(views.after)];
  return {
    fact: fact?.type ?? null,
    requestId,
    attempt: context.attempt,
    moments: fact === null ? entered(undefined, context) : momentsOf(before, fact),
    asked: questionsOnlyIn(open, earlier),
    answered: questionsOnlyIn(earlier, open).map((question) => ({
      ...question,
      how: answerKind(fact, question.id),
    })),
    end: after.hasTag('settled')
      ? {
          state: typeof after.value === 'string' ? after.value : (Object.keys(after.value)[0] ?? ''),
          outcome: outcomeOf(context),
          reasons: [...new Set(context.reasons.map(({ code }) => code))],
        }
      : null,
  };
};
