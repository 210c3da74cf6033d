import { describe, expect, it } from 'vitest';
import { fails } from './scene.ts';
import { levels, taskTool, type Level, type Says } from './levels.ts';
import { call, draft, later, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const strict: Level = { beforeDeliver: { verifiers: ['strict'] } };
const verifiers = { strict: fails };
const low = { tier: 'write_low_risk' } as const;
const irreversible = { rollback: undefined } as unknown as object;

describe('a child that delivered a write before its parent fails', () => {
  it('rolls the writes back, newest first, in its own ledger', async () => {
    const scenario = levels(
      { work: { tools: ['leaf'], ...strict }, leaf: { tools: ['note', 'send'] } },
      [taskTool('leaf', low), writeTool('note'), writeTool('send')],
      {},
      { verifiers },
    );
    const settled = await scenario.ended(await scenario.submit());
    expect(settled.reasons.map(({ code }) => code)).toEqual(['VERIFICATION_FAILED']);
    expect(scenario.undone).toEqual(['send', 'note']);
    expect(await scenario.lateOf('leaf')).toEqual([
      'rollback.started send',
      'rollback.succeeded send',
      'rollback.started note',
      'rollback.succeeded note',
    ]);
    expect(await scenario.of('leaf')).toMatchObject({ state: 'completed.settled' });
  });

  it('records for which task it is rolled back, and why', async () => {
    const scenario = levels(
      { work: { tools: ['leaf'], ...strict }, leaf: { tools: ['note'] } },
      [taskTool('leaf', low), writeTool('note')],
      {},
      { verifiers },
    );
    const taskId = await scenario.submit();
    await scenario.ended(taskId);
    const records = await scenario.orchestrator.ledger((await scenario.of('leaf'))?.taskId ?? '');
    const intent = records.find(({ fact }) => fact?.type === 'rollback.started');
    expect(intent?.brought.explanation).toContain(taskId);
    expect(intent?.brought.explanation).toContain('VERIFICATION_FAILED');
    const [started] = (await scenario.orchestrator.ledger(taskId)).filter(
      ({ fact }) => fact?.type === 'rollback.started',
    );
    expect(started?.brought.explanation).toContain((await scenario.of('leaf'))?.taskId);
  });

  it('declares the rollback of its call: the envelope of the call names the class', async () => {
    const scenario = levels({ work: { tools: ['leaf'] }, leaf: { tools: ['note'] } }, [
      taskTool('leaf', low),
      writeTool('note'),
    ]);
    const taskId = await scenario.submit();
    await scenario.ended(taskId);
    const documents = await scenario.orchestrator.documents(taskId);
    const action = documents.flatMap(({ document }) =>
      'rollback_action' in document ? [document.rollback_action] : [],
    );
    expect(action).toEqual([{ type: 'undo_task', target: 'leaf', payload: {} }]);
    expect(scenario.undone).toEqual([]);
  });

  it('names the writes without a rollback', async () => {
    const scenario = levels(
      { work: { tools: ['leaf'], ...strict }, leaf: { tools: ['note', 'mail'] } },
      [taskTool('leaf', low), writeTool('note'), writeTool('mail', irreversible)],
      {},
      { verifiers },
    );
    const settled = await scenario.ended(await scenario.submit());
    expect(settled).toMatchObject({ state: 'failed', outcome: 'uncertain' });
    expect(settled.reasons.map(({ code }) => code)).toEqual(['VERIFICATION_FAILED', 'ROLLBACK_REQUIRED']);
    expect(scenario.undone).toEqual(['note']);
    expect(settled.message.explanation).toMatch(/leaf: .*mail/);
    expect(settled.message.explanation).not.toContain('note');
    expect(settled.message.payload['reasons']).toMatchObject([
      { code: 'VERIFICATION_FAILED' },
      { code: 'ROLLBACK_REQUIRED', tool: 'leaf', explanation: expect.stringContaining('mail') },
    ]);
  });

  it('names the writes whose rollback failed, and each runs once', async () => {
    let runs = 0;
    const rollback = {
      describe: () => ({ type: 'inverse', target: 'note', payload: {} }),
      run: async () => {
        runs += 1;
        throw new Error('gone');
      },
    };
    const scenario = levels(
      { work: { tools: ['leaf'], ...strict }, leaf: { tools: ['note', 'send'] } },
      [taskTool('leaf', low), writeTool('note'), writeTool('send', { rollback })],
      {},
      { verifiers },
    );
    const settled = await scenario.ended(await scenario.submit());
    expect(settled.message.explanation).toMatch(/leaf: .*send.*gone/);
    expect({ runs, undone: scenario.undone }).toEqual({ runs: 1, undone: ['send', 'note'] });
    expect(await scenario.lateOf('leaf')).toContain('rollback.failed send');
  });

  it('is rolled back by the rollback that its tool declares', async () => {
    const ran: string[] = [];
    const rollback = {
      describe: () => ({ type: 'withdraw', target: 'leaf', payload: {} }),
      run: async () => ran.push('withdraw'),
    };
    const scenario = levels(
      { work: { tools: ['leaf'], ...strict }, leaf: { tools: ['note'] } },
      [taskTool('leaf', { ...low, rollback }), writeTool('note')],
      {},
      { verifiers },
    );
    await scenario.ended(await scenario.submit());
    expect({ ran, undone: scenario.undone }).toEqual({ ran: ['withdraw'], undone: ['leaf'] });
    expect(await scenario.lateOf('leaf')).toEqual([]);
  });

  it('is rolled back even when that takes longer than one rollback of the parent may', async () => {
    const rollback = {
      describe: () => ({ type: 'inverse', target: 'note', payload: {} }),
      run: () =>
        scenario.clock.wakeAt &&
        new Promise((resolve) => scenario.clock.wakeAt(scenario.clock.now() + 4_000, () => resolve(null))),
    };
    const scenario = levels(
      {
        work: { tools: ['leaf'], ...strict, deadlines: { rollback: 5_000 } },
        leaf: { tools: ['note', 'send'], deadlines: { rollback: 5_000 } },
      },
      [taskTool('leaf', low), writeTool('note', { rollback }), writeTool('send', { rollback })],
      {},
      { verifiers },
    );
    const taskId = await scenario.submit();
    await scenario.clock.advance(4_000);
    await scenario.clock.advance(4_000);
    expect((await scenario.ended(taskId)).reasons.map(({ code }) => code)).toEqual(['VERIFICATION_FAILED']);
    expect(scenario.undone).toEqual(['send', 'note']);
  });
});

const replanning: Says = ({ asks, attempt }) =>
  asks === 'plan' ? plan([call(attempt === 0 ? 'leaf' : 'other')]) : draft({ attempt });

describe('a child that delivered a write before its parent is cancelled or plans again', () => {
  it('is rolled back when the parent is cancelled', async () => {
    const scenario = levels(
      { work: { tools: ['leaf', 'slow'] }, leaf: { tools: ['note'] } },
      [
        taskTool('leaf', low),
        writeTool('note'),
        writeTool('slow', { call: (_, { notYet }) => notYet({ dependency: 'parcel', explanation: '' }) }),
      ],
      {},
    );
    const taskId = await scenario.submit();
    expect(scenario.stateOf(taskId)).toBe('waiting');
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    await scenario.clock.advance(24 * 3_600_000);
    expect(await scenario.ended(taskId)).toMatchObject({ state: 'cancelled' });
    expect(scenario.undone).toEqual(['note']);
  });

  it('is rolled back when another plan does not use it', async () => {
    const scenario = levels(
      {
        work: { tools: ['leaf', 'other'], ...strict, limits: { repairs: 1 }, repairTo: 'plan' },
        leaf: { tools: ['note'] },
      },
      [taskTool('leaf', low), writeTool('note'), writeTool('other')],
      { work: replanning },
      {
        verifiers: {
          strict: ({ value }) => ({
            checks: [
              { check_id: 'second', result: (value as { attempt?: number }).attempt === 1 ? 'pass' : 'fail' },
            ],
          }),
        },
      },
    );
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
    expect(scenario.undone).toEqual(['note']);
  });

  it('keeps its writes when the parent delivers', async () => {
    const scenario = levels({ work: { tools: ['leaf'] }, leaf: { tools: ['note'] } }, [
      taskTool('leaf', low),
      writeTool('note'),
    ]);
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
    expect(scenario.undone).toEqual([]);
  });

  it('rolls back the writes of all its requests, including those before a change request', async () => {
    const scenario = levels(
      {
        work: { tools: ['leaf'], ...strict },
        leaf: { tools: ['note'], followup: () => ({ explanation: 'More?', payload: {}, byDefault: {} }) },
      },
      [taskTool('leaf', low), writeTool('note')],
      {},
      { verifiers },
    );
    const taskId = await scenario.submit();
    await scenario.answer('instruction', 'once more');
    expect(scenario.invocations).toHaveLength(2);
    await scenario.answer('approve');
    await scenario.ended(taskId);
    expect(scenario.undone).toEqual(['note', 'note']);
  });
});

describe('a grandchild that delivered a write', () => {
  it('is rolled back through the ledgers in between, newest first', async () => {
    const scenario = levels(
      {
        work: { tools: ['mid'], ...strict },
        mid: { tools: ['first', 'leaf', 'last'] },
        leaf: { tools: ['a', 'b'] },
      },
      [
        taskTool('mid', low),
        taskTool('leaf', low),
        ...['first', 'last', 'a', 'b'].map((name) => writeTool(name)),
      ],
      {},
      { verifiers },
    );
    await scenario.ended(await scenario.submit());
    expect(scenario.undone).toEqual(['last', 'b', 'a', 'first']);
    expect(await scenario.lateOf('mid')).toContain('rollback.succeeded leaf');
    expect(await scenario.lateOf('leaf')).toContain('rollback.succeeded a');
  });

  it('is named in the outermost task when its rollback fails', async () => {
    const scenario = levels(
      { work: { tools: ['mid'], ...strict }, mid: { tools: ['leaf'] }, leaf: { tools: ['mail'] } },
      [taskTool('mid', low), taskTool('leaf', low), writeTool('mail', irreversible)],
      {},
      { verifiers },
    );
    const settled = await scenario.ended(await scenario.submit());
    expect(settled.message.explanation).toMatch(/mid: .*leaf.*mail/);
  });
});

describe('a child that delivers after its parent settled', () => {
  it('is rolled back by the parent, in the ledgers of both', async () => {
    const scenario = levels(
      {
        work: {
          tools: ['leaf'],
          deadlines: { dependency: 5_000 },
          atLimit: 'stop',
          limits: { repairs: 0, pauses: 1 },
        },
        leaf: { tools: ['note'], followup: () => ({ explanation: 'More?', payload: {}, byDefault: {} }) },
      },
      [taskTool('leaf', low), writeTool('note')],
    );
    const taskId = await scenario.submit();
    expect(await scenario.of('leaf')).toMatchObject({ state: 'followup' });
    await scenario.clock.advance(5_000); // no pause is left for a question about the doubt
    expect((await scenario.ended(taskId)).reasons.map(({ code }) => code)).toContain('EFFECT_IN_DOUBT');
    await settle();
    expect(scenario.undone).toEqual(['note']);
    expect(await scenario.lateOf('work')).toEqual([
      'call.succeeded leaf',
      'rollback.started leaf',
      'rollback.succeeded leaf',
    ]);
    expect(await scenario.lateOf('leaf')).toEqual(['rollback.started note', 'rollback.succeeded note']);
    expect(await scenario.orchestrator.inbox()).toEqual([]);
  });
});

describe('a running child that a person marks as done', () => {
  it('rolls itself back when it ends, and the parent reports that', async () => {
    const gate = later();
    const scenario = levels(
      { work: { tools: ['leaf'], ...strict, deadlines: { dependency: 5_000 } }, leaf: { tools: ['note'] } },
      [taskTool('leaf', low), writeTool('note', { deadline: 3_600_000, call: () => gate.promise })],
      {},
      { verifiers },
    );
    const taskId = await scenario.submit();
    await scenario.clock.advance(5_000);
    expect((await scenario.question()).question.kind).toBe('doubt');
    await scenario.answer('approve');
    const settled = await scenario.ended(taskId);
    expect(settled.message.explanation).toMatch(/leaf: .*not ended/);
    expect(await scenario.lateOf('leaf')).toEqual([]);
    gate.resolve({ written: true });
    await settle();
    expect(await scenario.of('leaf')).toMatchObject({ state: 'cancelled' });
    expect(scenario.undone).toEqual(['note']);
  });
});

it('undoes a write that was undone when it landed late, and was then made again', async () => {
  const made: string[] = [];
  const landing = later();
  const pack = writeTool('pack', {
    deadline: 1_000,
    doubt: 'unsafe',
    call: async () => {
      if (made.push('made') === 1) await landing.promise;
      return {};
    },
    rollback: {
      describe: () => ({ type: 'inverse', target: 'pack', payload: {} }),
      run: async () => made.push('undone'),
    },
  });
  let isGivenUp = false;
  const policy = {
    decide: async () => {
      if (isGivenUp) landing.resolve(null); // before it is made again
      await settle();
      return { verdict: 'allow', reasons: ['ours'] } as const;
    },
  };
  const scenario = levels(
    { work: { tools: ['leaf'], ...strict }, leaf: { tools: ['pack'], limits: { repairs: 0 } } },
    [taskTool('leaf', low), pack],
    {},
    { verifiers, options: { policy } },
  );
  const taskId = await scenario.submit();
  for (let times = 0; times < 9; times += 1) await settle();
  await scenario.clock.advance(1_000);
  isGivenUp = true;
  await scenario.answer('edit', { value: { effect: 'absent' } });
  const settled = await scenario.ended(taskId);
  expect(made).toEqual(['made', 'undone', 'made', 'undone']);
  expect(settled.reasons.map(({ code }) => code)).toEqual(['VERIFICATION_FAILED']);
});
