import { describe, expect, it } from 'vitest';
import type { Label } from '../../../../src/base/ports/origin.ts';
import { draft, further, identity, plan } from '../../core/shell/scripted.ts';
import { friend, mailTools, paid, pay, paying, read, refusedCode, request, strictTo } from './mailbox.ts';

const taskClass = { mandate: 'plan', flows: 'refuse' } as const;

describe('a mandate that the model declares', () => {
  it('has the tools that a plan declares beside its calls', async () => {
    const one = paying([], {
      model: [plan([read], { declares: ['pay'] }), further(pay(friend)), draft()],
      taskClass,
    });
    await one.ended(await one.submit(request));
    expect(paid(one)).toEqual([{ to: friend, amount: 50 }]);
  });

  it('holds a call of a tool that was not declared', async () => {
    const one = paying([], {
      model: [plan([read], { declares: ['contacts.find'] }), further(pay(friend)), draft()],
      taskClass,
    });
    expect(await refusedCode(one, await one.submit(request))).toBe('MANDATE_EXCEEDED');
  });

  it('has no tool that the task does not have: the model is asked again', async () => {
    const model = [
      plan([read], { declares: ['pai'] }),
      { choice: 'fixed', output: plan([read], { declares: ['pay'] }), explanation: '' },
      further(pay(friend)),
      draft(),
    ];
    const one = paying([], { model, taskClass });
    await one.ended(await one.submit(request));
    expect(one.turns[1]?.rejected?.issues).toEqual([
      { path: '/declares/0', message: expect.stringContaining('unknown tool "pai"') },
    ]);
    expect(paid(one)).toHaveLength(1);
  });

  it('is shown to the person who is asked about the plan, and stays with an edit of its calls', async () => {
    const unsure = plan([read], { declares: ['pay'], confidence: 0.1 });
    const one = paying([], { model: [unsure, further(pay(friend)), draft()], taskClass });
    const taskId = await one.submit(request);
    const { message } = await one.question();
    expect(message.payload).toMatchObject({ declares: ['pay'] });
    await one.answer('edit', { diff: { explanation: 'First the mail.' } });
    await one.ended(taskId);
    expect(paid(one)).toHaveLength(1);
  });

  it('has no tool that a person struck out of the plan', async () => {
    const unsure = plan([read], { declares: ['pay'], confidence: 0.1 });
    const one = paying([], { model: [unsure, further(pay(friend)), draft()], taskClass });
    const taskId = await one.submit(request);
    await one.answer('edit', { diff: { payload: { declares: [] } } });
    expect(await refusedCode(one, taskId)).toBe('MANDATE_EXCEEDED');
  });
});

const untrusted = { integrity: 'untrusted' } as const;

/** Pays a trusted account in the first turn, with a strict flow. */
const payFirst = async (byClass: Partial<Label> | undefined, byRequest: Partial<Label> | undefined) => {
  const one = paying([], {
    tools: mailTools({ pay: { flows: strictTo } }),
    model: [plan([pay(friend)]), draft()],
    taskClass: { flows: 'refuse', ...(byClass && { labels: { context: byClass } }) },
  });
  const { taskId } = await one.orchestrator.submit({
    taskClass: 'work',
    payload: request,
    identity,
    ...(byRequest && { context: byRequest }),
  });
  await one.ended(taskId);
  return paid(one).length;
};

describe('a model that is shown more than its request', () => {
  it.each([
    ['chooses freely if nothing is said of it', undefined, undefined, 1],
    ['has read what is untrusted, if its task class says so', untrusted, undefined, 0],
    ['has read what is untrusted, if the request says so', undefined, untrusted, 0],
    [
      'has read what is untrusted, whatever the request says',
      untrusted,
      { integrity: 'trusted' } as const,
      0,
    ],
    ['chooses freely if only the readers are restricted', { readers: ['ada'] }, undefined, 1],
  ])('%s', async (_, byClass, byRequest, paidTimes) => {
    expect(await payFirst(byClass, byRequest)).toBe(paidTimes);
  });
});
