import { describe, expect, it } from 'vitest';
import { scene } from './scene.ts';
import { call, draft, later, plan, readTool, writeTool } from './scripted.ts';
import { asked, situations, unsure } from './situations.ts';
import { settle } from './simulated-clock.ts';

const minute = 60_000;
const question = { deadlines: { question: minute } };

describe('a question without an answer [CHART 2]', () => {
  it('fails safe when it has no default', async () => {
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

  it('for information uses the declared default, marked as a default for the model', async () => {
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

  it('of a tool uses the declared default for the next call', async () => {
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

  it('for approval may default to a refusal, and the run continues without the write', async () => {
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
  it('is rejected, even when no process applied the deadline in between', async () => {
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

  it('is accepted one moment before it', async () => {
    const told = scene({ model: [plan([], unsure), draft()], taskClass: question });
    const taskId = await told.submit();
    told.clock.leap(minute - 1);
    await told.answer('approve');
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('is accepted when it arrived in time and waited for the store', async () => {
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

describe('deadlines that passed while no process ran', () => {
  it('are recorded in order, before the fact that woke the task', async () => {
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

describe('the timer of a task', () => {
  it('keeps the deadline when it rings early', async () => {
    const told = scene({ model: [plan([], unsure)], taskClass: question });
    const taskId = await told.submit();
    await told.clock.ringEarly(1);
    expect(told.stateOf(taskId)).toBe('needsHumanDecision');
    await told.clock.advance(minute);
    expect(told.stateOf(taskId)).toBe('failed');
  });

  it('is cleared when the task settles', async () => {
    const told = scene({
      model: [plan([call('read')]), draft()],
      tools: [readTool('read')],
      taskClass: { maxAge: minute },
    });
    await told.ended(await told.submit());
    expect(told.clock.sleeping()).toBe(0);
  });

  it('is one per task, however many deadlines the task has', async () => {
    const { clock } = await asked('approval');
    expect(clock.sleeping()).toBe(1);
  });
});
