import { expect, it, onTestFinished, vi } from 'vitest';
import {
  notifyPeople,
  type Notice,
  type NotifyOptions,
  type Notifier,
} from '../../../../../src/apps/console/index.ts';
import type { Orchestrator } from '../../../../../src/index.ts';
import { scene, type Given } from '../../../core/shell/scene.ts';
import { call, draft, plan, writeTool } from '../../../core/shell/scripted.ts';
import { situations } from '../../../core/shell/situations.ts';
import { settle } from '../../../core/shell/simulated-clock.ts';

/** An orchestrator whose people are told. */
const notified = (
  options: NotifyOptions = {},
  notify: (notice: Notice, signal: AbortSignal) => Promise<void> = async () => {},
  given: Given = situations.plan,
  replaced: Partial<Orchestrator> = {},
) => {
  const notices: Notice[] = [];
  const errors: unknown[] = [];
  const notifier: Notifier = {
    notify: async (notice, signal) => {
      notices.push(notice);
      await notify(notice, signal);
    },
  };
  const made = scene(given);
  const onError = (error: unknown): void => void errors.push(error);
  const stop = notifyPeople({ ...made.orchestrator, ...replaced }, notifier, {
    clock: made.clock,
    onError,
    ...options,
  });
  onTestFinished(stop);
  return { ...made, notices, errors, stop };
};

it('notifies people of a question and of the end, without the contents', async () => {
  const { submit, answer, ended, notices, question } = notified();
  const taskId = await submit({ secret: 'x' });
  const { message } = await question();
  await answer('approve');
  await ended(taskId);
  expect(notices).toEqual([
    {
      id: expect.any(String) as unknown,
      event: 'question',
      taskId,
      taskClass: 'work',
      summary: 'work waits for an answer: plan',
      at: '2026-11-21T05:00:00.000Z',
      messageId: message.messageId,
      kind: 'plan',
      accepts: ['approve', 'edit', 'rank', 'instruction', 'reject', 'comment'],
      deadline: expect.any(String) as unknown,
    },
    {
      id: taskId,
      event: 'settled',
      taskId,
      taskClass: 'work',
      summary: 'work: completed',
      state: 'completed.settled',
      outcome: 'success',
      at: '2026-11-21T05:00:00.000Z',
    },
  ]);
  expect(JSON.stringify(notices)).not.toContain(message.explanation);
});

it('quotes the message on request', async () => {
  const { submit, notices, question } = notified({ withContent: true });
  await submit();
  const { message } = await question();
  expect(notices[0]).toMatchObject({
    summary: message.explanation,
    content: { explanation: message.explanation, payload: message.payload },
  });
});

it('leads with what a write does and why a person is asked, and quotes neither without a request', async () => {
  const sentence = 'Refund 180 EUR for order o-7.';
  const refunds: Given = {
    model: [plan([call('refund')]), draft()],
    tools: [writeTool('refund', { summary: () => sentence })],
    policy: () => ({ verdict: 'needs_review', reasons: ['refunds need a person'] }),
  };
  const quoted = notified({ withContent: true }, async () => {}, refunds);
  await quoted.submit();
  const [notice] = quoted.notices;
  expect(notice).toMatchObject({ summary: sentence, content: { reasons: ['refunds need a person'] } });
  await quoted.answer('reject');
  const silent = notified({}, async () => {}, refunds);
  await silent.submit();
  expect(JSON.stringify(silent.notices)).not.toContain(sentence);
  await silent.answer('reject');
});

it('reports a failed notice to the host, and disturbs no task', async () => {
  const { submit, answer, ended, errors } = notified({}, () => Promise.reject(new Error('no route')));
  const taskId = await submit();
  await answer('approve');
  expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
  expect(errors).toMatchObject([{ message: 'no route' }, { message: 'no route' }]);
});

it('sends at most four notices at once, and aborts them when it stops', async () => {
  const signals: AbortSignal[] = [];
  const { submit, errors, stop, notices } = notified({}, (_, signal) => {
    signals.push(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  for (let n = 0; n < 6; n += 1) await submit();
  expect(signals).toHaveLength(4);
  stop();
  await settle();
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  expect([notices.length, errors]).toEqual([4, []]);
});

it('warns of a notice that could not be sent, where the host handles no errors', async () => {
  const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const { orchestrator, clock, submit, question } = scene(situations.plan);
  const fails: Notifier = { notify: () => Promise.reject(new Error('mail is down')) };
  onTestFinished(notifyPeople(orchestrator, fails, { clock }));
  await submit();
  await question();
  await settle();
  const message = 'a person was not notified: Error: mail is down; pass `onError` to handle this';
  expect(warning).toHaveBeenCalledWith(message, expect.objectContaining({ code: 'AGENTCHARTER_ERROR' }));
  warning.mockRestore();
});

const refused = (of: unknown, by: unknown) => () => notifyPeople(of as never, by as never);

it('refuses a function for a notifier, and a guard for its orchestrator', () => {
  const { orchestrator } = scene(situations.plan);
  const notifier: Notifier = { notify: async () => {} };
  expect(refused(orchestrator, async () => {})).toThrow(/notifyPeople: notifier.*\{ notify: async/);
  expect(refused({ orchestrator }, notifier)).toThrow(/notifyPeople: orchestrator.*function/);
});

it('notifies people once of each task that gets stuck, if it is told to look', async () => {
  const stuck = {
    taskId: 't',
    taskClass: 'work',
    since: 5,
    reason: 'not_taken',
    message: 'no process\nhas taken it',
  };
  let found: readonly unknown[] = [];
  const { clock, notices, stop, errors } = notified({ stuckEvery: 60_000 }, undefined, undefined, {
    stuck: async () => {
      if (found.length === 3) throw new Error('the store is gone');
      return found as never;
    },
  });
  const look = async (...given: readonly unknown[]): Promise<void> => {
    found = given;
    await clock.advance(60_000);
  };
  await look();
  await look(stuck);
  await look(stuck);
  await look(1, 2, 3);
  await look(stuck);
  await look();
  await look({ ...stuck, since: 9 });
  stop();
  await look({ ...stuck, since: 10 });
  expect(notices.map(({ id }) => id)).toEqual(['t@5', 't@9']);
  expect(notices[0]).toEqual({
    id: 't@5',
    event: 'stuck',
    taskId: 't',
    taskClass: 'work',
    at: expect.any(String),
    reason: 'not_taken',
    summary: String.raw`work is stuck: no process\u000ahas taken it`,
  });
  expect(errors).toEqual([]);
});
