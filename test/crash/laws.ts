import { isDeepStrictEqual } from 'node:util';
import { isCharterError } from 'agentcharter';
import type { LedgerRecord } from 'agentcharter/ledger';
import type { Deadline, StoredTask } from 'agentcharter/stores';
import { checkLedger, must } from '../../src/testing/simulator/laws.ts';
import { partingOf } from '../differential/trace.ts';
import { endOf, expectedEnd, mayStand, type End } from './expected.ts';
import type { Trial } from './trial.ts';

const times = <One>(of: readonly One[], one: One): number => of.filter((other) => other === one).length;

const actionsOf = ({ backend }: Trial): readonly string[] =>
  backend
    .doneEffects()
    .map(({ action }) => action)
    .toSorted();

/** What a run comes to, whoever disturbed it. */
export interface Undisturbed {
  readonly end: End;
  readonly indexEntry: readonly string[];
}

export const undisturbed = (trial: Trial): Undisturbed => ({
  end: endOf(trial),
  indexEntry: actionsOf(trial),
});

const checkEnd = (trial: Trial, { end, indexEntry }: Undisturbed): void => {
  const [actual, expected] = [endOf(trial), expectedEnd(trial, end)];
  must(isDeepStrictEqual(actual, expected), 'a run ends as without a crash', { actual, expected });
  const left = actionsOf(trial);
  const may = mayStand(trial);
  const isSame =
    may.length === 0
      ? isDeepStrictEqual(left, indexEntry)
      : left.every((action) => indexEntry.includes(action) || may.includes(action));
  must(isSame, 'writes are kept or undone as without a crash', { left, indexEntry, may });
};

/** Whatever its tool does with keys, nothing is done twice. */
const checkEffects = ({ backend: { done } }: Trial): void => {
  const actions = done.map(({ kind, action }) => `${kind} ${action}`);
  must(
    actions.every((action) => times(actions, action) === 1),
    'an effect happens once',
    actions,
  );
  const keys = done.filter(({ kind }) => kind === 'call').map(({ key }) => key);
  const undone = done
    .filter(({ kind }) => kind === 'rollback')
    .map(({ key }) => key.slice('rollback:'.length));
  must(
    undone.every((key) => keys.includes(key)),
    'only completed writes are undone',
  );
};

/** Of the rollbacks of one run, the newest write comes first. */
const checkOrder = ({ backend: { done }, story }: Trial): void => {
  if (story.scenario.name !== 'undone') return;
  const undone = done.filter(({ kind }) => kind === 'rollback').map(({ tool }) => tool);
  const made = done
    .filter(({ kind, tool }) => kind === 'call' && undone.includes(tool))
    .map(({ tool }) => tool);
  must(isDeepStrictEqual(undone, made.toReversed()), 'the newest write is rolled back first', undone);
};

const checkModel = ({ written }: Trial, { indexEntry }: StoredTask): void => {
  const parting = partingOf(written.filter(({ taskId }) => taskId === indexEntry.taskId));
  must(parting === null, 'the model says what the ledger says, of states and of deadlines', parting);
};

const checkSettled = ({ indexEntry, intents, deadlines }: StoredTask): void => {
  must(
    indexEntry.isSettled && !indexEntry.isOwed && indexEntry.asking === 0,
    'no duty remains after the end',
    indexEntry,
  );
  must(intents.length === 0, 'every effect has an outcome', intents);
  must(deadlines.length === 0, 'no deadline runs after the end', deadlines);
};

interface Passed {
  readonly id: string;
  readonly at: number;
  readonly recordedAt: number;
}

const answeredIn = ({ kind, fact }: LedgerRecord): string | undefined =>
  kind === 'fact' && fact?.type === 'human.responded' ? fact.question : undefined;

/** Deadlines whose hour is kept whatever happens; the others time work, which begins anew in another process. */
const lasting: ReadonlySet<string> = new Set(['question', 'followup', 'dependency', 'evidence']);

/** Whether each deadline that goes on has the hour it had; after a death, work has its whole time again. */
const areKept = (before: ReadonlyMap<string, number>, now: readonly Deadline[], isTakenUp: boolean) =>
  now.every(({ of, id, at }) => {
    const hour = before.get(`${of} ${id}`) ?? at;
    return of === 'approval' || at === hour || (isTakenUp && !lasting.has(of) && at > hour);
  });

/** Each deadline passes once, at its hour and in order; what comes later than it has lost. */
const checkDeadlines = ({ written, hours: times, deaths }: Trial, taskId: string): void => {
  const steps = written.filter((step) => step.taskId === taskId);
  const takenUp = new Set(deaths.map(({ sizes }) => sizes.get(taskId)));
  let hours: ReadonlyMap<string, number> = new Map();
  const passed: Passed[] = [];
  for (const [at, { record, deadlines }] of steps.entries()) {
    const { fact, kind, hash } = record;
    const recordedAt = times.get(hash) ?? Infinity;
    if (kind === 'fact' && fact?.type === 'deadline.passed') {
      const id = `${fact.of} ${fact.id}`;
      passed.push({ id, at: hours.get(id) ?? Infinity, recordedAt });
    }
    const hour = hours.get(`question ${answeredIn(record)}`) ?? Infinity;
    must(
      answeredIn(record) === undefined || recordedAt < hour,
      'an answer after its deadline does not count',
    );
    must(areKept(hours, deadlines, takenUp.has(at)), 'a deadline keeps its hour');
    hours = new Map(deadlines.map(({ of, id, at: hour }) => [`${of} ${id}`, hour]));
  }
  must(new Set(passed.map(({ id }) => id)).size === passed.length, 'a deadline passes once', passed);
  must(
    passed.every(({ at, recordedAt }, index) => at <= recordedAt && at >= (passed[index - 1]?.at ?? 0)),
    'deadlines pass at their hour, in order',
    passed,
  );
};

/** Whoever sent something heard of it: it is on record, once, or refused because somebody else came first. */
const checkAttempts = ({ attempts, written, tasks, story }: Trial): void => {
  must(
    tasks.filter(({ indexEntry }) => indexEntry.parent === null).length === 1,
    'one submission begins one task',
  );
  for (const { name, error, isRepeated } of attempts) {
    const isLate = name.startsWith('answer') && story.scenario.isLeft !== undefined;
    const isRefused = isLate
      ? isCharterError(error, 'feedback_refused')
      : isRepeated && isCharterError(error, 'fact_refused');
    must(error === undefined || isRefused, 'what was sent is taken, or somebody else was first', error);
  }
  const answered = written.flatMap(({ record: { kind, fact, brought } }) =>
    kind === 'fact' && fact?.type === 'human.responded' ? (brought.feedback?.target ?? []) : [],
  );
  must(new Set(answered).size === answered.length, 'a question is answered once', answered);
};

/** A question that was open when a process died is open afterwards, until the ledger says how it ended. */
const checkQuestions = ({ deaths, tasks }: Trial): void => {
  for (const { open, sizes } of deaths) {
    for (const { taskId, question } of open) {
      const records = tasks.find(({ indexEntry }) => indexEntry.taskId === taskId)?.records ?? [];
      const isEnded = records.slice(sizes.get(taskId) ?? 0).some(({ kind, fact }) => {
        if (kind !== 'fact' || fact === null) return false;
        if (fact.type === 'deadline.passed') return fact.id === question.id || fact.of === question.kind;
        if (fact.type === 'human.responded') return fact.question === question.id;
        if (fact.type === 'task.cancelled') return true;
        return question.kind === 'doubt' && 'call' in fact && fact.call === question.about;
      });
      must(isEnded, 'a question is answered, or its deadline passes', question);
    }
  }
};

/** All that holds of a trial, however often its process died. */
export const checkLaws = async (trial: Trial, base: Undisturbed): Promise<void> => {
  const { broken, errors, tasks } = trial;
  must(broken.length === 0, broken[0] ?? '');
  checkAttempts(trial);
  checkEffects(trial);
  checkOrder(trial);
  must(errors.length === 0, 'nothing is wrong', errors[0]);
  for (const { indexEntry } of tasks) checkDeadlines(trial, indexEntry.taskId);
  checkEnd(trial, base);
  checkQuestions(trial);
  for (const task of tasks) {
    checkSettled(task);
    await checkLedger(task, trial.written);
    checkModel(trial, task);
  }
};
