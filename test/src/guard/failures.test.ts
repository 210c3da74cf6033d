import { guardTool } from 'agentcharter/guard';
import { verifyLedger } from 'agentcharter/ledger';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openBank } from './bank.ts';

const wrong = 'order must look like ORD-123';

/** A bank whose look-up takes orders of one form only, and whose payment may not have happened. */
const openDesk = (limits: { readonly failures?: number; readonly repairs?: number } = {}) => {
  const look = guardTool(
    {
      name: 'read',
      input: z.object({ order: z.string() }),
      execute: ({ order }) => {
        if (!order.startsWith('ORD-')) throw new Error(wrong);
        return { order };
      },
    },
    { tier: 'read_only' },
  );
  const note = guardTool(
    {
      name: 'note',
      input: z.object({ line: z.string() }),
      execute: ({ line }, { notDone }) => (line === '' ? notDone('a line is needed') : { line }),
    },
    { tier: 'write_low_risk' },
  );
  return openBank({ tools: ['read', 'note'], limits: { failures: 8, ...limits } }, { tools: [look, note] });
};

describe("A tool's error", () => {
  it('is told to the agent, and the run goes on, as often as the limit says', async () => {
    const bank = openDesk({ failures: 3, repairs: 0 });
    await using _ = bank.guard;
    const run = await bank.begin();
    for (const order of ['1', '2', '3'])
      expect(await run.call('read', { order })).toMatchObject({
        status: 'refused',
        code: 'TOOL_FAILED',
        explanation: expect.stringContaining(wrong),
      });
    expect(await run.call('read', { order: 'ORD-1' })).toMatchObject({ status: 'done' });
    expect(await run.progress()).toMatchObject({ attempt: 0 });
    expect(await run.call('read', { order: '4' })).toMatchObject({
      status: 'ended',
      reasons: [{ code: 'TOOL_FAILED' }],
    });
  });

  it('of a write that is known not to have happened is one, and the next one is made', async () => {
    const bank = openDesk({ repairs: 0 });
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(await run.call('note', { line: '' })).toMatchObject({
      status: 'refused',
      explanation: expect.stringContaining('a line is needed'),
    });
    expect(await run.call('note', { line: 'a' })).toMatchObject({ status: 'done' });
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'delivered' });
    const records = await bank.guard.orchestrator.ledger(run.taskId);
    expect(await verifyLedger(records)).toMatchObject({ intact: true, findings: [] });
  });

  it('leaves the gates as they are: evidence that is missing is missing', async () => {
    const bank = openBank(
      {
        beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'read' }] },
        limits: { failures: 8, repairs: 0 },
      },
      {},
    );
    await using _ = bank.guard;
    const run = await bank.begin();
    bank.breaks.push('read');
    expect(await run.call('read', {})).toMatchObject({ status: 'refused' });
    expect(await run.conclude({ payload: {} })).toMatchObject({ reasons: [{ code: 'EVIDENCE_MISSING' }] });
  });

  it('of a hidden tool is told to people, and not to the agent, also in the last message', async () => {
    const hidden = guardTool(
      {
        name: 'read',
        input: z.object({}),
        execute: () => {
          throw new Error('SECRET 42');
        },
      },
      { tier: 'read_only', isHidden: true },
    );
    const bank = openBank({ tools: ['read'], limits: { repairs: 0, failures: 1 } }, { tools: [hidden] });
    await using _ = bank.guard;
    const run = await bank.begin();
    const told = [await run.call('read', {}), await run.call('read', {}), await run.documents()];
    expect(told[1]).toMatchObject({ status: 'ended' });
    expect(JSON.stringify(told)).not.toContain('SECRET');
    const { message } = await bank.guard.orchestrator.settled(run.taskId);
    expect(message.explanation).toContain('SECRET 42');
  });

  it('does not stop what was proposed with it', async () => {
    const bank = openDesk();
    await using _ = bank.guard;
    const run = await bank.begin();
    const made = await Promise.all([
      run.call('read', { order: '1' }),
      run.call('read', { order: 'ORD-2' }),
      run.call('note', { line: 'a' }),
    ]);
    expect(made.map(({ status }) => status)).toEqual(['refused', 'done', 'done']);
  });
});

describe('A limit of a run', () => {
  it('asks a person before the agent takes another turn, keeps what was made meanwhile, and goes on', async () => {
    const bank = openBank({ limits: { modelCalls: 2 } });
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(await run.call('note', { line: 'a' }, { ref: 'a' })).toMatchObject({ status: 'done' });
    expect(await run.call('note', { line: 'b' }, { ref: 'b' })).toMatchObject({ status: 'done' });
    const next = await run.call('note', { line: 'c' }, { ref: 'c' });
    expect(next).toMatchObject({
      status: 'paused',
      questions: [
        { question: { kind: 'limit', about: 'modelCalls', accepts: ['approve', 'reject', 'comment'] } },
      ],
    });
    const [asked] = await run.questions();
    expect(asked?.message.explanation).toBe(
      'Task class "job" allows limits.modelCalls = 2, which is used up. May the task go on, with as much again?',
    );
    expect(asked?.message.payload).toMatchObject({
      writes: [{ arguments: { line: 'a' } }, { arguments: { line: 'b' } }],
    });
    const target = asked?.message.messageId ?? '';
    await bank.guard.orchestrator.respond({ type: 'approve', target }, { by: 'kim' });
    expect(await run.call('note', { line: 'c' }, { ref: 'c' })).toMatchObject({ status: 'done' });
    expect(bank.done).toEqual(['note a', 'note b', 'note c']);
  });

  it('names itself where nobody lets the run go on, and the last message names what stays', async () => {
    const bank = openBank({ atLimit: 'keep', limits: { modelCalls: 1 } });
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(await run.call('pay', { to: 'dana' }, { ref: 'a' })).toMatchObject({ status: 'paused' });
    const answerLast = async (type: 'approve' | 'reject') => {
      const [entry] = await run.questions();
      await bank.guard.orchestrator.respond({ type, target: entry?.message.messageId ?? '' }, { by: 'kim' });
    };
    await answerLast('approve');
    expect(await run.call('pay', { to: 'dana' }, { ref: 'a' })).toMatchObject({ status: 'done' });
    await answerLast('reject');
    expect(await run.conclude({ payload: {} })).toMatchObject({
      status: 'ended',
      reasons: [{ code: 'BUDGET_SPENT', about: 'modelCalls' }],
    });
    const { message } = await bank.guard.orchestrator.settled(run.taskId);
    expect(message.explanation).toContain('These writes stay: Call pay with to "dana".');
    expect(message.payload).toMatchObject({ kept: [{ tool: 'pay' }] });
    expect(bank.done).toEqual(['pay dana']);
  });

  it.each(['autonomous', 'human-directed'] as const)(
    'asks nobody for an agent that is %s',
    async (control_class) => {
      const bank = openBank({ limits: { rounds: 1 } });
      await using _ = bank.guard;
      const identity = { agent_id: 'teller', owner_id: 'acme', control_class };
      const run = await bank.guard.begin({ taskClass: 'job', payload: {}, identity });
      await run.call('read', {});
      expect(await run.call('read', {})).toMatchObject({
        status: 'ended',
        reasons: [{ code: 'BUDGET_SPENT', about: 'rounds' }],
      });
    },
  );

  it('counts no question that a person answered: a task may ask as often as people answer', async () => {
    const bank = openBank({ limits: { pauses: 2 } });
    await using _ = bank.guard;
    const run = await bank.begin();
    for (const to of ['a', 'b', 'c', 'd', 'e']) {
      const pay = () => run.call('pay', { to }, { ref: to });
      expect(await pay()).toMatchObject({
        status: 'paused',
        questions: [{ question: { kind: 'approval' } }],
      });
      const [entry] = await run.questions();
      await bank.guard.orchestrator.respond(
        { type: 'approve', target: entry?.message.messageId ?? '' },
        { by: 'kim' },
      );
      expect(await pay()).toMatchObject({ status: 'done' });
    }
    expect(bank.done).toHaveLength(5);
  });
});
