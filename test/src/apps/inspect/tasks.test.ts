import { describe, expect, it, onTestFinished } from 'vitest';
import { CharterError, createOrchestrator, defineTaskClass, type Model } from 'agentcharter';
import { createInspector, type InspectorOptions, type Watched } from 'agentcharter/inspect';
import { stateName, type Fact } from 'agentcharter/machines';
import type { TaskFilter, TaskPageQuery } from 'agentcharter/types';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { ofType, view, type Message } from './client.ts';

const thought = { canProceed: true, explanation: 'To the landlord.' };
const model: Model = {
  answer: async ({ asks }) =>
    asks === 'plan'
      ? { ...thought, confidence: 0.4, calls: [] }
      : { ...thought, confidence: 0.9, payload: { letter: 'Dear landlord' } },
};
const identity = { agent_id: 'writer', owner_id: 'acme', control_class: 'human-supervised' as const };
const request = { taskClass: 'letter', payload: {}, identity } as const;

const setUp = async (options: InspectorOptions = {}) => {
  const orchestrator = createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'letter', tools: [] })],
    model,
  });
  const errors: unknown[] = [];
  orchestrator.on('error', ({ error }) => errors.push(error));
  const asked = (): Promise<string> =>
    new Promise((resolve) => orchestrator.on('question', ({ message }) => resolve(message.messageId)));
  const inspector = await createInspector(options);
  onTestFinished(async () => {
    await inspector.close();
    await orchestrator.close();
    expect(errors).toEqual([]);
  });
  const approve = (target: string) => orchestrator.respond({ type: 'approve', target }, { by: 'dana' });
  /** Begins a task and approves its plan. */
  const settle = async (): Promise<string> => {
    const question = asked();
    const { taskId } = await orchestrator.submit(request);
    await approve(await question);
    await orchestrator.settled(taskId);
    return taskId;
  };
  const viewing = async () => {
    const viewer = await view(inspector.url);
    onTestFinished(() => void viewer.leave());
    return viewer;
  };
  return { orchestrator, inspector, asked, viewing, approve, settle };
};

const stateOf = ({ snapshot }: Message): string =>
  snapshot === undefined ? '' : stateName(snapshot['value'] as never);
const isSettled = (messages: readonly Message[]) =>
  messages.some((message) => stateOf(message) === 'completed.settled');
/** The records that led somewhere, the opening one included. */
const stepsIn = (records: readonly LedgerRecord[]) => records.filter(({ kind }) => kind === 'fact');

describe('A watched orchestrator', () => {
  it('shows the same facts and states of each task as its ledger', async () => {
    const { orchestrator, inspector, asked, viewing, approve } = await setUp();
    await inspector.watch(orchestrator);
    const viewer = await viewing();
    const question = asked();
    const { taskId } = await orchestrator.submit(request);
    await approve(await question);
    await orchestrator.settled(taskId);
    await viewer.until(isSettled);
    const steps = stepsIn(await orchestrator.ledger(taskId));
    const snapshots = ofType(viewer.messages, '@xstate.snapshot');
    expect(snapshots.slice(1).map(({ event }) => event)).toEqual(steps.slice(1).map(({ fact }) => fact));
    expect(snapshots.map(stateOf)).toEqual(steps.map(({ to }) => to));
    expect(steps.length).toBeGreaterThan(4);
    const [actor] = ofType(viewer.messages, '@xstate.actor');
    expect(actor).toMatchObject({ name: `letter ${taskId}`, snapshot: { value: expect.anything() } });
    expect(JSON.parse(actor?.definition ?? '')).toMatchObject({ id: 'task', initial: 'submitted' });
  });

  it('shows an open task from before, after the settled ones in their final state', async () => {
    const { orchestrator, inspector, asked, viewing, approve, settle } = await setUp();
    const settled = await settle();
    const question = asked();
    const { taskId } = await orchestrator.submit(request);
    const target = await question;
    await inspector.watch(orchestrator);
    const viewer = await viewing();
    await viewer.until(({ length }) => length === 4);
    expect(viewer.messages).toMatchObject([
      { type: '@xstate.actor', name: `letter ${settled}`, snapshot: { value: { completed: 'settled' } } },
      { type: '@xstate.snapshot' },
      { type: '@xstate.actor', name: `letter ${taskId}`, snapshot: { value: 'needsHumanDecision' } },
      { type: '@xstate.snapshot' },
    ]);
    await approve(target);
    await orchestrator.settled(taskId);
    const late = await viewing();
    await late.until(({ length }) => length === 4);
    expect(new Set(late.messages.map(stateOf))).toEqual(new Set(['completed.settled']));
  });

  it('begins with at most 50 settled tasks, and says how many are not shown', async () => {
    const { orchestrator, inspector, viewing, settle } = await setUp();
    const settled: string[] = [];
    for (let count = 0; count < 53; count++) settled.push(await settle());
    const early = await viewing();
    await early.until(() => early.unshown() === 0);
    const stop = await inspector.watch(orchestrator);
    await early.until(() => early.unshown() === 3);
    const viewer = await viewing();
    await viewer.until(() => viewer.unshown() === 3);
    const names = ofType(viewer.messages, '@xstate.actor').map(({ name }) => name);
    expect(names).toEqual(settled.slice(3).map((taskId) => `letter ${taskId}`));
    stop();
    await viewer.until(() => viewer.unshown() === 0);
  });

  it('shows open tasks before settled ones when it may show few', async () => {
    const { orchestrator, inspector, asked, viewing, settle } = await setUp({ actors: 2 });
    const question = asked();
    const { taskId } = await orchestrator.submit(request);
    await question;
    await settle();
    const newest = await settle();
    await inspector.watch(orchestrator);
    const viewer = await viewing();
    await viewer.until(() => viewer.unshown() === 1);
    const names = ofType(viewer.messages, '@xstate.actor').map(({ name }) => name);
    expect(names).toEqual([newest, taskId].map((id) => `letter ${id}`));
  });

  it('counts a task that cannot be read, and shows the others', async () => {
    const { orchestrator, inspector, viewing, settle } = await setUp();
    const [unreadable, readable] = [await settle(), await settle()];
    const reason = { taskId: unreadable, seq: 0, reason: 'a hash is wrong' };
    await inspector.watch({
      ...orchestrator,
      ledger: async (taskId) => {
        if (taskId === unreadable) throw new CharterError('task_corrupted', 'a hash is wrong', reason);
        return orchestrator.ledger(taskId);
      },
    });
    const viewer = await viewing();
    await viewer.until(() => viewer.unshown() === 1);
    expect(ofType(viewer.messages, '@xstate.actor').map(({ name }) => name)).toEqual([`letter ${readable}`]);
  });

  it('shows a task once that settles while the watch begins', async () => {
    const { orchestrator, inspector, asked, viewing, approve } = await setUp();
    const question = asked();
    const { taskId } = await orchestrator.submit(request);
    const target = await question;
    const list = async (query: TaskPageQuery | TaskFilter = {}) => {
      if (!('limit' in query)) return orchestrator.list(query);
      await approve(target);
      await orchestrator.settled(taskId);
      return orchestrator.list(query);
    };
    await inspector.watch({ ...orchestrator, list: list as Watched['list'] }); // an overload for each query
    const viewer = await viewing();
    await viewer.until(() => viewer.unshown() === 0);
    expect(viewer.messages.map(stateOf)).toEqual(['completed.settled', 'completed.settled']);
  });

  it('is shown until the watch ends or the inspector closes', async () => {
    const { orchestrator, inspector, asked, viewing, approve } = await setUp();
    const stop = await inspector.watch(orchestrator);
    const viewer = await viewing();
    const question = asked();
    const { taskId } = await orchestrator.submit(request);
    const target = await question;
    await viewer.until((messages) => messages.some((message) => stateOf(message) === 'needsHumanDecision'));
    stop();
    const unseen = asked();
    const other = await orchestrator.submit(request);
    await unseen;
    await inspector.watch(orchestrator); // a second look begins at the beginning
    await viewer.until((messages) => ofType(messages, '@xstate.actor').length >= 3);
    const names = [taskId, taskId, other.taskId].map((id) => `letter ${id}`);
    expect(ofType(viewer.messages, '@xstate.actor').map(({ name }) => name)).toEqual(names);
    await inspector.close();
    await approve(target);
    await orchestrator.settled(taskId);
    expect(isSettled(viewer.messages)).toBe(false);
  });

  it('rejects the watch when it cannot be read', async () => {
    const { orchestrator, inspector } = await setUp();
    await orchestrator.close();
    await expect(inspector.watch(orchestrator)).rejects.toMatchObject({ code: 'closed' });
  });
});

/** A ledger as it was recorded, told by whoever a test likes. */
const recorded = async () => {
  const made = await setUp();
  const taskId = await made.settle();
  return { ...made, taskId, records: await made.orchestrator.ledger(taskId) };
};
const ledgerReplay = (records: readonly LedgerRecord[]) => {
  const empty = createOrchestrator({ taskClasses: [], model });
  onTestFinished(() => empty.close());
  const listeners: ((record: LedgerRecord) => unknown)[] = [];
  const watched: Watched = {
    on: (_name, listener) => {
      listeners.push(listener as (record: LedgerRecord) => unknown);
      return () => undefined;
    },
    list: empty.list,
    counts: empty.counts,
    ledger: async () => records,
  };
  return {
    watched,
    tell: (record: LedgerRecord) => Promise.all(listeners.map((listener) => listener(record))),
  };
};

describe('The records of a watched orchestrator', () => {
  it('are read from the ledger when they were missed, and shown once', async () => {
    const { inspector, viewing, records } = await recorded();
    const { watched, tell } = ledgerReplay(records);
    await inspector.watch(watched);
    const viewer = await viewing();
    await Promise.all(records.slice(2).map(tell));
    await viewer.until(isSettled);
    expect(ofType(viewer.messages, '@xstate.snapshot').map(stateOf)).toEqual(
      stepsIn(records).map(({ to }) => to),
    );
  });

  it('end the view of a task when the chart refuses them', async () => {
    const { inspector, viewing, records } = await recorded();
    const at = records.findIndex(({ fact }) => fact?.type === 'human.responded');
    const forged = records.map((record, index) =>
      index === at ? { ...record, fact: { type: 'task.cancelled' } satisfies Fact } : record,
    );
    const { watched, tell } = ledgerReplay(forged);
    await inspector.watch(watched);
    const viewer = await viewing();
    for (const record of forged) await tell(record);
    await viewer.until((messages) => messages.some(({ snapshot }) => snapshot?.['status'] === 'stopped'));
    const states = ofType(viewer.messages, '@xstate.snapshot').map(stateOf);
    const [stopped, ...before] = states.toReversed();
    expect(before.toReversed()).toEqual(stepsIn(records.slice(0, at)).map(({ to }) => to));
    expect(stopped).toBe('needsHumanDecision');
  });
});
