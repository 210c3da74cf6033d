import { describe, expect, it } from 'vitest';
import { createOrchestrator, defineTaskClass, type Store } from '../../../../src/index.ts';
import { machine } from './restarts.ts';
import { call, draft, identity, never, plan, readTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';
import { steppingClock } from './stepping-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const unsure = { confidence: 0.1 };

/** A store whose watchers are never called, as if every notification came too late. */
const deaf = (inner: Store): Store => ({ ...inner, watch: () => () => {} });

/** An owner whose task asks twice, and a guest that read the task before its second question. */
const asking = async () => {
  const site = machine();
  const given = { model: [plan([], unsure), draft({}, unsure)], store: deaf };
  const owner = site.start(given);
  const guest = site.start({ ...given, options: { role: 'guest' } });
  const taskId = await owner.submit();
  await guest.orchestrator.task(taskId);
  return { ...site, owner, guest, taskId };
};

describe('a guest process', () => {
  it('answers a question that it just read, although its cached task is older', async () => {
    const { owner, guest, taskId } = await asking();
    await owner.answer('approve');
    expect((await guest.question()).question.kind).toBe('draft');
    await guest.answer('approve');
    expect(await owner.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('needs no model to submit and to answer', async () => {
    const { owner, reader: store, clock, taskId } = await asking();
    const taskClasses = [defineTaskClass({ id: 'work', tools: [] })];
    const guest = createOrchestrator({ role: 'guest', taskClasses, store: deaf(store), clock });
    await owner.answer('approve');
    const [asked] = await guest.inbox();
    await guest.respond({ type: 'approve', target: asked!.message.messageId }, { by: 'dana' });
    expect(await owner.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    const submitted = await guest.submit({ taskClass: 'work', payload: {}, identity });
    expect(await guest.list({ isSettled: false })).toMatchObject([{ taskId: submitted.taskId }]);
  });

  it('rejects an answer to a question that was answered meanwhile', async () => {
    const { owner, guest } = await asking();
    const asked = await guest.question();
    await owner.answer('approve');
    const feedback = { type: 'approve', target: asked.message.messageId } as const;
    await expect(guest.orchestrator.respond(feedback, { by: 'dana' })).rejects.toMatchObject({
      code: 'feedback_refused',
    });
  });

  it('reads how a task ended, although its cached task is older', async () => {
    const { owner, guest, taskId } = await asking();
    await owner.answer('approve');
    await owner.answer('approve');
    expect(await guest.orchestrator.task(taskId)).toMatchObject({ state: 'completed.settled' });
    expect(await guest.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('resolves a dependency that its cached task does not contain', async () => {
    const site = machine();
    const given = {
      model: [plan([call('wait')]), draft()],
      tools: [
        readTool('wait', {
          call: (_, { met, notYet }) => met ?? notYet({ dependency: 'delivery', explanation: 'on its way' }),
        }),
      ],
      store: deaf,
    };
    const guest = site.start({ ...given, options: { role: 'guest' } });
    const taskId = await guest.submit();
    const owner = site.start(given);
    await owner.recover();
    await guest.orchestrator.resolve(taskId, 'delivery', { arrived: true }, { by: 'dana' });
    expect(await site.factsOf(taskId)).toContain('dependency.met');
  });

  it('leaves the owner’s work deadlines alone', async () => {
    const site = machine();
    const clock = steppingClock(site.clock);
    const taskClass = { deadlines: { model: minute } };
    const model = [(_: unknown, signal: AbortSignal) => never(signal)];
    const owner = site.start({ model, taskClass });
    const taskId = await owner.submit();
    clock.step(10 * hour);
    const guest = site.start({ taskClass, options: { role: 'guest', clock } });
    const why = { code: 'POLICY_BLOCKED', explanation: 'not allowed' } as const;
    await guest.orchestrator.refuse(taskId, why);
    expect(await site.factsOf(taskId)).toEqual(['request.accepted']);
    await guest.orchestrator.cancel(taskId, { by: 'dana' });
    await settle();
    expect(await site.factsOf(taskId)).toEqual(['request.accepted', 'task.cancelled']);
  });
});

describe('an owner process', () => {
  it('answers a question that a guest recorded, although its cached task is older', async () => {
    const site = machine();
    const given = {
      model: [plan([call('wait')]), draft()],
      tools: [
        readTool('wait', {
          call: (_, { answer, notYet }) =>
            answer ?? notYet({ dependency: 'delivery', agent: 'carrier', explanation: 'on its way' }),
        }),
      ],
      store: deaf,
    };
    const owner = site.start(given);
    const taskId = await owner.submit();
    const guest = site.start({ ...given, options: { role: 'guest' } });
    const [indexEntry] = await site.reader.taskIndex({ taskId });
    await guest.orchestrator.receive(
      {
        messageId: '00000000-0000-4000-8000-00000000abcd',
        threadId: indexEntry?.threadId,
        timestamp: '2026-11-21T05:00:00Z',
        state: 'needsHumanDecision',
        payload: {},
        explanation: 'Which door?',
        agentId: 'carrier',
      },
      { agent_id: 'carrier', owner_id: 'acme' },
    );
    await owner.answer('edit', { value: 'the blue one' });
    expect(await owner.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('reads how a guest ended a task, although its cached task is older', async () => {
    const { owner, guest, taskId } = await asking();
    await guest.orchestrator.cancel(taskId, { by: 'dana' });
    expect(await owner.orchestrator.settled(taskId)).toMatchObject({ state: 'cancelled' });
  });
});
