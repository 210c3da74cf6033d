import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineVerifier, type Recovery, type Tool } from '../../../../src/index.ts';
import { machine, type Given } from './restarts.ts';
import { call, draft, never, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const cents = z.looseObject({ amount: z.string('must be a text') });
const highRisk = { tier: 'write_high_risk' } as const;
const people = { authorities: ['human'] } as const;
const refund = (more: Parameters<typeof writeTool>[1] = {}, name = 'refund'): Tool =>
  writeTool(name, { ...highRisk, ...more });
/** The rollback of a refund, under another name of the tool. */
const ofRefund = {
  describe: () => ({ type: 'inverse', target: 'refund', payload: { of: { amount: 5 } } }),
  run: async () => ({}),
};
const asks: Given = { model: [plan([call('refund', { amount: 5 })])], tools: [refund()], taskClass: people };
const passing = defineVerifier({ id: 'sums', verify: () => ({ checks: [] }) });

/** What recover() tells of a task that began in one release, in the next one. */
const changedIn = async (before: Given, after: Given, crash = false) => {
  const { start, stateOf, factsOf, clock } = machine();
  const first = start(before);
  const taskId = await first.submit();
  await (crash ? first.crash() : first.close());
  const second = start(after);
  const { changed, ...recovery } = await second.recover();
  const told = changed.map(({ kind, name, stops }) => ({ kind, name, stops }));
  return { ...second, taskId, changed, told, recovery, stateOf, factsOf, clock, start };
};

const nothing: Recovery['changed'] = [];

describe('recover() of a new release', () => {
  it.each<[string, Given, object]>([
    [
      'a tool that is gone',
      { taskClass: { ...people, tools: [] } },
      { kind: 'tool_missing', name: 'refund', stops: false },
    ],
    [
      'another version',
      { tools: [refund({ version: '2' })] },
      { kind: 'contract_changed', name: 'refund', stops: false },
    ],
    [
      'another tier',
      { tools: [refund({ tier: 'write_low_risk' })] },
      { kind: 'contract_changed', stops: false },
    ],
    [
      'a schema that refuses',
      { tools: [refund({ input: cents })] },
      { kind: 'arguments_refused', stops: false },
    ],
    [
      'a task class that is gone',
      { taskClass: { id: 'other' } },
      { kind: 'class_missing', name: 'work', stops: true },
    ],
  ])('tells of a question that rests on %s', async (_, release, expected) => {
    const { changed, taskId, stateOf } = await changedIn(asks, { taskClass: people, ...release });
    expect(changed.filter(({ kind }) => kind !== 'class_changed')).toMatchObject([{ taskId, ...expected }]);
    expect(Object.isFrozen(changed) && Object.isFrozen(changed[0])).toBe(true);
    expect(await stateOf(taskId)).toBe('needsHumanDecision'); // it was compared, and not met
  });

  it('tells what to do, in the words of the new release', async () => {
    const { changed } = await changedIn(asks, {
      tools: [refund({ input: cents, formerly: ['refund'] }, 'refund_order')],
      taskClass: people,
    });
    expect(changed[0]?.message).toBe(
      'a call waits, and tool "refund" (now "refund_order") is not what it was: its schema does not take the arguments of this call any more: "/amount" must be a text; it is not made as it is, and planned and approved anew. To have it made, keep the tool as it was until then',
    );
  });

  it.each<[string, Given]>([
    ['the same application', asks],
    [
      'a tool that was renamed',
      {
        tools: [refund({ formerly: ['refund'], rollback: ofRefund }, 'refund_order')],
        taskClass: people,
      },
    ],
    [
      'a tool and a verifier more',
      { ...asks, tools: [refund(), readTool('look')], options: { verifiers: [passing] } },
    ],
    ['a task class that is less strict', { ...asks, taskClass: { ...people, threshold: 0.1 } }],
    [
      'another description, deadline and evidence',
      {
        tools: [refund({ description: 'Pays.', deadline: 5, evidenceType: 'custom' })],
        taskClass: people,
      },
    ],
  ])('tells nothing of %s', async (_, release) => {
    const { changed, recovery } = await changedIn(asks, release);
    expect(changed).toEqual(nothing);
    expect(recovery).toEqual({ taken: 0, carriedOver: [], refused: [] });
  });

  it('tells of the tools, gates and class of the tasks that it resumes, as they were before', async () => {
    const hangs: Given = {
      model: [plan([call('look'), call('pay'), call('hang')])],
      tools: [
        readTool('look'),
        writeTool('pay'),
        writeTool('hang', { call: (_, { signal }) => never(signal) }),
      ],
      taskClass: {
        beforeDeliver: { verifiers: ['sums'], evidence: [{ type: 'tool_result', tool: 'later' }] },
      },
      options: { verifiers: [passing] },
    };
    const before = { ...hangs, tools: [...hangs.tools!, readTool('later')] };
    const { told, recovery } = await changedIn(
      before,
      {
        tools: [writeTool('pay', { rollback: undefined }), readTool('look')],
        taskClass: { beforeDeliver: {}, approvers: 2 },
        model: [draft()],
      },
      true,
    );
    expect(recovery).toMatchObject({ taken: 1, refused: [] });
    expect(told).toEqual([
      { kind: 'tool_missing', name: 'hang', stops: false },
      { kind: 'rollback_missing', name: 'pay', stops: false },
      { kind: 'verifier_missing', name: 'sums', stops: true },
      { kind: 'tool_missing', name: 'later', stops: true },
      { kind: 'class_changed', name: 'work', stops: false },
    ]);
  });

  it('loads a task with a question only if its question shows something that changed', async () => {
    const { start } = machine();
    const first = start(asks);
    for (const _ of [1, 2, 3]) await first.submit();
    await first.close();
    const loaded: string[] = [];
    const store: Given['store'] = (inner) => ({
      ...inner,
      load: (taskId) => {
        loaded.push(taskId);
        return inner.load(taskId);
      },
    });
    const same = start({ ...asks, store });
    expect((await same.recover()).changed).toEqual(nothing);
    expect(loaded).toEqual([]);
    await same.close();
    const next = start({ tools: [refund({ version: '2' })], taskClass: people, store });
    expect((await next.recover()).changed).toHaveLength(3);
    expect(loaded).toHaveLength(3);
  });

  it('tells of a task that can call nothing any more', async () => {
    const stuck: Given = { model: [() => new Promise(() => {})], tools: [refund()], taskClass: people };
    const { changed } = await changedIn(stuck, { taskClass: { ...people, tools: [] } }, true);
    expect(changed.map(({ kind, message }) => [kind, message.slice(0, 40)])).toEqual([
      ['tool_missing', 'the task can call nothing any more: tool'],
    ]);
  });

  it('tells each change once', async () => {
    const { recover } = await changedIn({ ...asks, model: [plan([call('refund'), call('refund', { amount: 1 })])] }, { taskClass: { ...people, tools: [] } }); // prettier-ignore
    const { changed } = await recover(); // the second recovery compares anew
    expect(changed.map(({ kind }) => kind)).toEqual(['tool_missing', 'class_changed']);
  });
});

describe('an answer in a new release', () => {
  it('says of a closed question what changed of its tool since', async () => {
    const { question, answer, orchestrator, taskId, factsOf } = await changedIn(asks, {
      model: [plan([call('refund', { amount: 6 })])],
      tools: [refund({ version: '2' })],
      taskClass: people,
    });
    const old = await question();
    await answer('approve'); // of version 1: it is planned and asked anew
    expect(await factsOf(taskId)).toContain('call.refused');
    const { message } = old;
    const late = orchestrator.respond({ type: 'reject', target: message.messageId }, { by: 'kim' });
    await expect(late).rejects.toMatchObject({
      code: 'feedback_refused',
      message: expect.stringContaining(
        '; tool "refund" is not what it was: its version was "1" and is "2"',
      ) as string,
    });
    await settle();
  });

  it('says of a closed question that its tool is gone', async () => {
    const { answer, orchestrator, taskId } = await changedIn(asks, {
      taskClass: { ...people, tools: [] },
      model: [plan(), draft()],
    });
    await expect(answer('approve')).rejects.toThrow(
      'or the run went on without an answer; tool "refund" is gone: expected it among `tools`, or `formerly: ["refund"]` on the tool that takes its place; `inbox`',
    );
    expect((await orchestrator.settled(taskId)).outcome).toBe('success'); // it was planned anew, as foretold
  });

  it('says of a question that a stricter task class closed that it is asked anew', async () => {
    const { answer } = await changedIn(asks, { ...asks, taskClass: { ...people, threshold: 0.8 } });
    await expect(answer('approve')).rejects.toThrow(
      '; task class "work" is stricter than when the task began, and what it still needs is asked anew; `inbox` lists the open ones',
    );
  });
});
