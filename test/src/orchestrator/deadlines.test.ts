import { describe, expect, it } from 'vitest';
import { scene } from './scene.ts';
import { call, draft, later, plan, readTool, writeTool } from './scripted.ts';
import { asked, situations, unsure } from './situations.ts';
import { settle } from './simulated-clock.ts';

const minute = 60_000;
const question = { deadlines: { question: minute } };

describe('a question that nobody answers [CHART 2]', () => {
  it('without a default fails safe: silence is no approval, and no refusal', async () => {
    const told = scene({ model: [plan([], unsure)], taskClass: question });
    const taskId = await told.submit();
    await told.clock.advance(minute - 1);
    expect(told.stateOf(taskId)).toBe('needsHumanDecision');
    await told.clock.advance(1);
    expect(await told.ended(taskId)).toMatchObject({
      outcome: 'uncertain',
      reasons: [{ code: 'QUESTION_EXPIRED' }],
    });
  });

  it('for information has the declared default, which the model sees as the default and not as a person’s', async () => {
    const told = scene({
      ...situations.information,
      taskClass: { ...question, defaults: { information: { location: 'Lisbon' } } },
    });
    const taskId = await told.submit();
    const open = await told.question();
    await told.clock.advance(minute);
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(told.turns[1]?.answers).toEqual([
      {
        question: 'information',
        by: 'agentcharter',
        feedback: {
          type: 'edit',
          target: open.message.messageId,
          content: { value: { location: 'Lisbon' } },
        },
        message: open.message,
      },
    ]);
    const records = await told.orchestrator.ledger(taskId);
    expect(records.find(({ fact }) => fact?.type === 'deadline.passed')).toMatchObject({
      actor: { kind: 'system' },
      brought: { feedback: { content: { value: { location: 'Lisbon' } } } },
    });
  });

  it('of a tool has the declared default, which the tool is called again with', async () => {
    const told = scene({
      ...situations.tool,
      taskClass: { ...question, defaults: { tool: { pick: 'a' } }, limits: { repairs: 0 } },
    });
    const taskId = await told.submit();
    await told.clock.advance(minute);
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(told.invocations.map(({ answer }) => answer)).toMatchObject([
      null,
      { content: { value: { pick: 'a' } } },
    ]);
  });

  it('for approval may be declared as a refusal: it goes on without the write', async () => {
    const told = scene({
      ...situations.approval,
      taskClass: { ...question, defaults: { approval: 'refuse' } },
    });
    const taskId = await told.submit();
    await told.clock.advance(minute);
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(told.invocations).toEqual([]);
  });
});

describe('an answer that comes after its deadline', () => {
  it('has lost, also when nobody looked in between', async () => {
    const told = scene({ model: [plan([], unsure), draft()], taskClass: question });
    const taskId = await told.submit();
    const open = await told.question();
    told.clock.leap(minute);
    await expect(told.answer('approve', undefined, { to: open })).rejects.toMatchObject({
      code: 'feedback_refused',
    });
    expect(await told.ended(taskId)).toMatchObject({ reasons: [{ code: 'QUESTION_EXPIRED' }] });
    const types = (await told.orchestrator.ledger(taskId)).map(({ kind, fact }) => [kind, fact?.type]);
    expect(types.slice(-2)).toEqual([
      ['fact', 'deadline.passed'],
      ['refusal', 'human.responded'],
    ]);
  });

  it('counts a moment before it', async () => {
    const told = scene({ model: [plan([], unsure), draft()], taskClass: question });
    const taskId = await told.submit();
    told.clock.leap(minute - 1);
    await told.answer('approve');
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('counts where it came in time and waited for the store', async () => {
    const gate = later();
    const told = scene({
      model: [plan([call('read')], unsure), draft()],
      tools: [readTool('read')],
      taskClass: question,
    });
    const taskId = await told.submit();
    const slow = told.store.delay(() => gate.promise);
    const answer = told.answer('comment', 'wait');
    const second = told.answer('approve');
    await settle();
    told.clock.leap(2 * minute);
    gate.resolve(null);
    slow();
    await Promise.all([answer, second]);
    await settle();
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
  });
});

describe('deadlines that passed while nobody looked', () => {
  it('come first, in their order, before the fact that woke the task', async () => {
    const gates = [later(), later()];
    const told = scene({
      model: [plan([call('a'), call('b')]), draft()],
      tools: [
        writeTool('a', { deadline: 2 * minute, call: () => gates[0]!.promise }),
        readTool('b', { deadline: minute, call: () => gates[1]!.promise }),
      ],
      taskClass: { limits: { repairs: 0 } },
    });
    const taskId = await told.submit();
    told.clock.leap(minute);
    gates[1]!.resolve('late');
    await settle();
    const types = (await told.orchestrator.ledger(taskId)).map(({ kind, fact }) => `${kind} ${fact?.type}`);
    expect(types).toContain('fact deadline.passed');
    expect(types.at(-1)).toBe('orphan call.succeeded');
    expect(await told.ended(taskId)).toMatchObject({ reasons: [{ code: 'TOOL_TIMEOUT' }] });
  });
});

describe('a clock', () => {
  it('may ring early: the deadline is not forgotten', async () => {
    const told = scene({ model: [plan([], unsure)], taskClass: question });
    const taskId = await told.submit();
    await told.clock.ringEarly(1);
    expect(told.stateOf(taskId)).toBe('needsHumanDecision');
    await told.clock.advance(minute);
    expect(told.stateOf(taskId)).toBe('failed');
  });

  it('is let go of when a task has settled', async () => {
    const told = scene({
      model: [plan([call('read')]), draft()],
      tools: [readTool('read')],
      taskClass: { maxAge: minute },
    });
    await told.ended(await told.submit());
    expect(told.clock.sleeping()).toBe(0);
  });

  it('runs one wake-up a task, however many deadlines it has', async () => {
    const { clock } = await asked('approval');
    expect(clock.sleeping()).toBe(1);
  });
});
