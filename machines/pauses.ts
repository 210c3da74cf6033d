import { entry, failing, spent, type Change } from './change.ts';
import type { Context, Question } from './context.ts';
import { isSpent, mayPause } from './limits.ts';
import { askQuestion } from './question.ts';
import type { AskedLimit } from './task-class.ts';

/** Asks whether the run goes beyond a limit; once, while the question is open. */
export const askLimit = (c: Context, limit: AskedLimit): Change =>
  entry(c.questions, `limit:${limit}`) === undefined
    ? askQuestion(c, `limit:${limit}`, 'limit.reached', limit)
    : {};

/** Returns a change that counts a pause. At the limit on pauses a person is asked whether the run goes on. */
export const paused = (c: Context, change: Change): Change => ({
  ...change,
  ...(isSpent(c, 'pauses') && askLimit({ ...c, ...change }, 'pauses')),
  counters: { ...c.counters, pauses: c.counters.pauses + 1 },
});

/**
 * Returns a change that also counts a pause. If the limit on pauses ends the run, fails it and makes the change
 * `tooOften` instead.
 */
export const suspend = (c: Context, change: Change, tooOften: Change = {}): Change =>
  mayPause(c) ? paused(c, change) : { ...tooOften, ...failing(c, spent('pauses')) };

/** Returns whether a gate asks questions of this kind: those that it asks at once are one pause. */
const isOfGate = ({ kind }: Question): boolean =>
  kind === 'plan' || kind === 'draft' || kind === 'approval' || kind === 'doubt';

/**
 * Returns whether what a gate asks now belongs to the pause of what it asks already: in a task class where a pause that people end
 * costs nothing.
 */
const isSamePause = ({ questions, answered }: Context): boolean =>
  answered !== undefined && Object.values(questions).some(isOfGate);

/** Returns whether a gate may ask people, also beside what they are asked. */
export const mayAsk = (c: Context): boolean => isSamePause(c) || mayPause(c);

/** Returns a change in which a gate asks people, with the pause that it is. */
export const pausedAtGate = (c: Context, change: Change): Change =>
  isSamePause(c) ? change : paused(c, change);

/** Counts the pauses that a person's answer ended, in a task class that asks at its limits. */
export const pausesAnswered = (c: Context, { questions }: Change): Change => {
  if (questions === undefined || c.answered === undefined) return {};
  const closed = Object.entries(c.questions).flatMap(([id, question]) =>
    entry(questions, id) === undefined && question.kind !== 'limit' ? [question] : [],
  );
  const isGateLeft = Object.values(questions).some(isOfGate);
  const ended =
    closed.filter((question) => !isOfGate(question)).length + (closed.some(isOfGate) && !isGateLeft ? 1 : 0);
  return ended === 0 ? {} : { answered: c.answered + ended };
};
