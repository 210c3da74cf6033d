import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator, defineTaskClass, type Model } from 'agentcharter';
import { createInspector, type Watched } from 'agentcharter/inspect';
import { stateName, type Fact } from 'agentcharter/machines';
import type { LedgerRecord } from '../../../src/ports/ledger.ts';
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

const setUp = async () => {
  const orchestrator = createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'letter', tools: [] })],
    model,
  });
  const errors: unknown[] = [];
  orchestrator.on('error', ({ error }) => errors.push(error));
  const asked = (): Promise<string> =>
    new Promise((resolve) => orchestrator.on('question', ({ message }) => resolve(message.messageId)));
  const inspector = await createInspector();
  onTestFinished(async () => {
    await inspector.close();
    await orchestrator.close();
    expect(errors).toEqual([]);
  });
  const viewing = async () => {
    const viewer = await view(inspector.url);
    onTestFinished(() => void viewer.leave());
    return viewer;
  };
  const approve = (target: string) => orchestrator.respond({ type: 'approve', target }, { by: 'dana' });
  return { orchestrator, inspector, asked, viewing, approve };
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

  it('shows an open task from before, and no settled one', async () => {
    const { orchestrator, inspector, asked, viewing, approve } = await setUp();
    const early = asked();
    const settled = await orchestrator.submit(request);
    await approve(await early);
    await orchestrator.settled(settled.taskId);
    const question = asked();
    const { taskId } = await orchestrator.submit(request);
    const target = await question;
    await inspector.watch(orchestrator);
    const viewer = await viewing();
    await viewer.until(({ length }) => length === 2);
    expect(viewer.messages).toMatchObject([
      { type: '@xstate.actor', name: `letter ${taskId}`, snapshot: { value: 'needsHumanDecision' } },
      { type: '@xstate.snapshot' },
    ]);
    await approve(target);
    await viewer.until(isSettled);
    const late = await viewing();
    await late.until(({ length }) => length === 2);
    expect(late.messages.map(stateOf)).toEqual(['completed.settled', 'completed.settled']);
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
  const question = made.asked();
  const { taskId } = await made.orchestrator.submit(request);
  await made.approve(await question);
  await made.orchestrator.settled(taskId);
  return { ...made, taskId, records: await made.orchestrator.ledger(taskId) };
};
const ledgerReplay = (records: readonly LedgerRecord[]) => {
  const listeners: ((record: LedgerRecord) => unknown)[] = [];
  const watched: Watched = {
    on: (_name, listener) => {
      listeners.push(listener as (record: LedgerRecord) => unknown);
      return () => undefined;
    },
    list: async () => [],
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
