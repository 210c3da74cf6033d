import { describe, expect, it } from 'vitest';
import { scene } from '../shell/scene.ts';
import { call, draft, later, plan, readTool, writeTool } from '../shell/scripted.ts';
import { asked, situations, unsure } from '../shell/situations.ts';
import { settle } from '../shell/simulated-clock.ts';

const minute = 60_000;
const question = { deadlines: { question: minute } };

describe('a question without an answer [CHART 2]', () => {
  it('fails safe when it has no default', async () => {
    const scenario = scene({ model: [plan([], unsure)], taskClass: question });
    const taskId = await scenario.submit();
    await scenario.clock.advance(minute - 1);
    expect(scenario.stateOf(taskId)).toBe('needsHumanDecision');
    await scenario.clock.advance(1);
    expect(await scenario.ended(taskId)).toMatchObject({
      outcome: 'uncertain',
      reasons: [{ code: 'QUESTION_EXPIRED' }],
    });
  });

  it('for information uses the declared default, marked as a default for the model', async () => {
    const scenario = scene({
      ...situations.information,
      taskClass: { ...question, defaults: { information: { location: 'Lisbon' } } },
    });
    const taskId = await scenario.submit();
    const open = await scenario.question();
    await scenario.clock.advance(minute);
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(scenario.turns[1]?.answers).toEqual([
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
    const records = await scenario.orchestrator.ledger(taskId);
    expect(records.find(({ fact }) => fact?.type === 'deadline.passed')).toMatchObject({
      actor: { kind: 'system' },
      brought: { feedback: { content: { value: { location: 'Lisbon' } } } },
    });
  });

  it('of a tool uses the declared default for the next call', async () => {
    const scenario = scene({
      ...situations.tool,
      taskClass: { ...question, defaults: { tool: { pick: 'a' } }, limits: { repairs: 0 } },
    });
    const taskId = await scenario.submit();
    await scenario.clock.advance(minute);
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(scenario.invocations.map(({ answer }) => answer)).toMatchObject([
      null,
      { content: { value: { pick: 'a' } } },
    ]);
  });

  it('for approval may default to a refusal, and the run continues without the write', async () => {
    const scenario = scene({
      ...situations.approval,
      taskClass: { ...question, defaults: { approval: 'refuse' } },
    });
    const taskId = await scenario.submit();
    await scenario.clock.advance(minute);
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(scenario.invocations).toEqual([]);
  });
});

describe('an answer that comes after its deadline', () => {
  it('is rejected, even when no process applied the deadline in between', async () => {
    const scenario = scene({ model: [plan([], unsure), draft()], taskClass: question });
    const taskId = await scenario.submit();
    const open = await scenario.question();
    scenario.clock.leap(minute);
    await expect(scenario.answer('approve', undefined, { to: open })).rejects.toMatchObject({
      code: 'feedback_refused',
    });
    expect(await scenario.ended(taskId)).toMatchObject({ reasons: [{ code: 'QUESTION_EXPIRED' }] });
    const types = (await scenario.orchestrator.ledger(taskId)).map(({ kind, fact }) => [kind, fact?.type]);
    expect(types.slice(-2)).toEqual([
      ['fact', 'deadline.passed'],
      ['refusal', 'human.responded'],
    ]);
  });

  it('is accepted one moment before it', async () => {
    const scenario = scene({ model: [plan([], unsure), draft()], taskClass: question });
    const taskId = await scenario.submit();
    scenario.clock.leap(minute - 1);
    await scenario.answer('approve');
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('is accepted when it arrived in time and waited for the store', async () => {
    const gate = later();
    const scenario = scene({
      model: [plan([call('read')], unsure), draft()],
      tools: [readTool('read')],
      taskClass: question,
    });
    const taskId = await scenario.submit();
    const slow = scenario.store.delay(() => gate.promise);
    const answer = scenario.answer('comment', 'wait');
    const second = scenario.answer('approve');
    await settle();
    scenario.clock.leap(2 * minute);
    gate.resolve(null);
    slow();
    await Promise.all([answer, second]);
    await settle();
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
  });
});

describe('deadlines that passed while no process ran', () => {
  it('are recorded in order, before the fact that woke the task', async () => {
    const gates = [later(), later()];
    const scenario = scene({
      model: [plan([call('a'), call('b')]), draft()],
      tools: [
        writeTool('a', { deadline: 2 * minute, call: () => gates[0]!.promise }),
        readTool('b', { deadline: minute, call: () => gates[1]!.promise }),
      ],
      taskClass: { limits: { repairs: 0 } },
    });
    const taskId = await scenario.submit();
    scenario.clock.leap(minute);
    gates[1]!.resolve('late');
    await settle();
    const types = (await scenario.orchestrator.ledger(taskId)).map(
      ({ kind, fact }) => `${kind} ${fact?.type}`,
    );
    expect(types).toContain('fact deadline.passed');
    expect(types.at(-1)).toBe('orphan call.succeeded');
    expect(await scenario.ended(taskId)).toMatchObject({ reasons: [{ code: 'TOOL_TIMEOUT' }] });
  });
});

describe('the timer of a task', () => {
  it('keeps the deadline when it rings early', async () => {
    const scenario = scene({ model: [plan([], unsure)], taskClass: question });
    const taskId = await scenario.submit();
    await scenario.clock.ringEarly(1);
    expect(scenario.stateOf(taskId)).toBe('needsHumanDecision');
    await scenario.clock.advance(minute);
    expect(scenario.stateOf(taskId)).toBe('failed');
  });

  it('is cleared when the task settles', async () => {
    const scenario = scene({
      model: [plan([call('read')]), draft()],
      tools: [readTool('read')],
      taskClass: { maxAge: minute },
    });
    await scenario.ended(await scenario.submit());
    expect(scenario.clock.sleeping()).toBe(0);
  });

  it('is one per task, however many deadlines the task has', async () => {
    const { clock } = await asked('approval');
    expect(clock.sleeping()).toBe(1);
  });
});
