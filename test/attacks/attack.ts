import { expect } from 'vitest';
import type { ReasonCode } from '../../schema/index.ts';
import { isCharterError, type CharterError, type ErrorCode } from '../../src/index.ts';
import type { FindingCode, ReplayCode } from '../../src/core/ledger/index.ts';
import type { Scene } from '../src/core/shell/scene.ts';

/** What stops an attack: a reason code, the code of an error, what is found in a ledger, or the fact that sends an output back. */
export type Stop = ReasonCode | ErrorCode | FindingCode | ReplayCode | 'output.rejected';

/** What raw XState falls for, and a chart that is driven by it would too. */
export type Trap =
  | 'a forged completion'
  | 'a guard that throws'
  | 'a broken snapshot'
  | 'an edited snapshot'
  | 'a restart in the middle of a call';

/** One way to cheat. */
export interface Attack {
  /** The row of the threat model that it belongs to. */
  readonly number: number;
  readonly attempt: string;
  readonly expected: Stop;
  readonly source?: string;
  readonly trap?: Trap;
  /** Tries it, asserts that nothing came of it, and yields what stopped it. */
  readonly run: () => Promise<unknown>;
}

/** Rows that nothing tries yet, and why. */
export const later: Readonly<Record<number, string>> = {};

const rejection = async (attempt: () => unknown): Promise<unknown> => {
  try {
    await attempt();
  } catch (error) {
    return error;
  }
  throw new Error('it was let in');
};

/** The error that an attempt is refused with: this library's own, or the test fails. */
export const errorOf = async (attempt: () => unknown): Promise<CharterError> => {
  const error = await rejection(attempt);
  if (isCharterError(error)) return error;
  throw new Error('it was refused by no CharterError', { cause: error });
};

/** The code of an error; where feedback is refused for a reason that has a code, that one. */
export const stopOf = (error: CharterError): Stop =>
  isCharterError(error, 'feedback_refused') ? (error.details.code ?? error.code) : error.code;

/** What the host is told of a result that is kept with what it was in its place: nothing of it is on record. */
export const replaced = async (one: Scene, taskId: string): Promise<Stop> => {
  expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
  const { evidence } = await one.orchestrator.task(taskId);
  const text = JSON.stringify(evidence.map(({ payload }) => payload));
  expect(text.length).toBeLessThan(10_000);
  const [error, ...others] = one.takeErrors();
  expect(others).toEqual([]);
  return stopOf(await errorOf(() => Promise.reject(error)));
};

/** What stops an attempt from outside that needs no task. */
export const stopped = async (attempt: () => unknown): Promise<Stop> => stopOf(await errorOf(attempt));

const standOf = async ({ orchestrator, invocations, undone }: Scene) => ({
  list: await orchestrator.list(),
  inbox: await orchestrator.inbox(),
  made: invocations.length,
  undone: undone.length,
  facts: await Promise.all(
    (await orchestrator.list()).map(async ({ taskId }) =>
      (await orchestrator.ledger(taskId)).filter(({ kind }) => kind !== 'refusal'),
    ),
  ),
});

/** What stops an attempt on a task; every task stands where it stood, but for the record of the refusal. */
export const unmoved = async (one: Scene, attempt: () => unknown): Promise<Stop> => {
  const before = await standOf(one);
  const error = await errorOf(attempt);
  expect(await standOf(one)).toEqual(before);
  return stopOf(error);
};

/** The reason that decided why a task failed safe; nothing was delivered. */
export const failedSafe = async (one: Scene, taskId: string): Promise<Stop | undefined> => {
  const { state, outcome, reasons, message } = await one.ended(taskId);
  expect({ state, message: message.state }).toEqual({ state: 'failed', message: 'failed' });
  expect(outcome).not.toBe('success');
  expect(await one.states(taskId)).not.toContain('completed');
  return reasons[0]?.code;
};

/** An output of the model was sent back with what is wrong with it, until a person was asked, who gave up. */
export const sentBack = async (one: Scene, taskId: string): Promise<Stop | undefined> => {
  expect((await one.question()).question.kind).toBe('help');
  expect(one.invocations).toEqual([]);
  await one.answer('reject');
  expect(await failedSafe(one, taskId)).toBe('HUMAN_REJECTED');
  expect(one.invocations).toEqual([]);
  const record = (await one.orchestrator.ledger(taskId)).find(
    ({ brought }) => brought.rejected !== undefined,
  );
  expect(record?.brought.rejected?.issues).not.toEqual([]);
  expect(record?.actor.kind).toBe('agent');
  return record?.fact?.type === 'output.rejected' ? record.fact.type : undefined;
};
