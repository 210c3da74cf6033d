import { describe, expect, it } from 'vitest';
import type { Rollback } from '../../../../src/index.ts';
import { levels, taskTool, type Level, type Says } from './levels.ts';
import { later, never, draft, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const tiersIn = ({ turns }: ReturnType<typeof levels>) => turns[0]?.tools.map(({ tier }) => tier);

const rollback: Rollback = {
  describe: () => ({ type: 'inverse', target: 'task', payload: {} }),
  run: async () => null,
};

describe('the tier of a tool that runs a task [UAICP 4.3, 5.3]', () => {
  it('is at least that of a tool two levels down', async () => {
    const scenario = levels(
      { work: { tools: ['mid'] }, mid: { tools: ['leaf'] }, leaf: { tools: ['write'] } },
      [
        taskTool('mid', { rollback }),
        taskTool('leaf', { rollback }),
        writeTool('write', { tier: 'write_high_risk' }),
      ],
    );
    await scenario.submit();
    expect(tiersIn(scenario)).toEqual(['write_high_risk']);
  });

  it('follows a class that calls itself once and includes its other tools', async () => {
    const scenario = levels({ work: { tools: ['work', 'write'] } }, [
      taskTool('work'),
      writeTool('write', { tier: 'write_low_risk' }),
    ]);
    await scenario.submit();
    expect(tiersIn(scenario)).toEqual(['write_low_risk', 'write_low_risk']);
  });
});

/** Three levels of tasks; the innermost has this model. */
const three = (leaf: Says) =>
  levels(
    { work: { tools: ['mid'] }, mid: { tools: ['leaf'] }, leaf: {} },
    [taskTool('mid'), taskTool('leaf')],
    {
      leaf,
    },
  );

describe('three levels of tasks [UAICP 4.3]', () => {
  it('list the innermost question in every inbox, under the path of all three', async () => {
    const scenario = three(({ asks }) => (asks === 'plan' ? plan([], { confidence: 0.1 }) : draft()));
    const taskId = await scenario.submit();
    const path = [
      taskId,
      (await scenario.of('mid'))?.taskId ?? '',
      (await scenario.of('leaf'))?.taskId ?? '',
    ];
    for (const within of [undefined, ...path])
      expect((await scenario.orchestrator.inbox(within)).map((entry) => entry.path)).toEqual([path]);
    await scenario.answer('approve');
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('cancel the innermost task with the outermost', async () => {
    const scenario = three((_, signal) => never(signal));
    const taskId = await scenario.submit();
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    expect(await scenario.ended(taskId)).toMatchObject({ state: 'cancelled' });
    for (const id of ['mid', 'leaf'])
      expect(await scenario.ended((await scenario.of(id))?.taskId ?? '')).toMatchObject({
        state: 'cancelled',
      });
  });
});

describe('a child whose first record is still being written', () => {
  it('is cancelled when its parent was cancelled meanwhile', async () => {
    const gate = later();
    const scenario = levels({ work: { tools: ['leaf'] }, leaf: {} }, [taskTool('leaf')], {
      leaf: (_, signal) => never(signal),
    });
    let hurry: (() => void) | undefined;
    scenario.orchestrator.on('record', ({ fact }) => {
      if (fact?.type === 'dependency.awaited') hurry = scenario.store.delay(() => gate.promise);
    });
    const taskId = await scenario.submit();
    hurry?.();
    expect(await scenario.of('leaf')).toBeUndefined();
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    expect(await scenario.ended(taskId)).toMatchObject({ state: 'cancelled' });
    gate.resolve(null);
    await settle();
    expect(await scenario.ended((await scenario.of('leaf'))?.taskId ?? '')).toMatchObject({
      state: 'cancelled',
    });
  });

  it('reports an immediate refusal, so its parent stops waiting', async () => {
    const gate = later();
    const refused = { refused: 'IDENTITY_INVALID', explanation: 'not of this' } as const;
    const scenario = levels({ work: { tools: ['leaf'] }, leaf: { accept: () => refused } }, [
      taskTool('leaf'),
    ]);
    scenario.orchestrator.on('record', ({ fact }) => {
      if (fact?.type === 'dependency.awaited') scenario.store.delay(() => gate.promise);
    });
    const taskId = await scenario.submit();
    expect(scenario.stateOf(taskId)).toBe('waiting');
    gate.resolve(null);
    const settled = await scenario.ended(taskId);
    expect(settled.reasons.map(({ code }) => code)).toEqual(['CHILD_FAILED', 'IDENTITY_INVALID']);
  });
});

const hanging = (work: Level) =>
  levels(
    {
      work: { tools: ['leaf'], ...work },
      leaf: { tools: ['write'], atLimit: 'stop', limits: { repairs: 0, pauses: 0 } },
    },
    [
      taskTool('leaf', { tier: 'write_low_risk' }),
      writeTool('write', { deadline: 1_000, call: (_, { signal }) => never(signal) }),
    ],
  );

describe('a child with a write in doubt', () => {
  it('leaves the parent’s call in doubt until a person resolves it', async () => {
    const scenario = hanging({});
    await scenario.submit();
    await scenario.clock.advance(61_000);
    expect(await scenario.of('leaf')).toMatchObject({
      state: 'failed',
      reasons: [{ code: 'BUDGET_SPENT' }, { code: 'EFFECT_IN_DOUBT' }],
    });
    expect((await scenario.question()).question.kind).toBe('doubt');
    expect((await scenario.question()).taskId).toBe((await scenario.of('work'))?.taskId);
  });

  it('becomes a failure reason of its parent when no person is asked', async () => {
    const scenario = hanging({ limits: { repairs: 0, pauses: 0 } });
    const taskId = await scenario.submit();
    await scenario.clock.advance(61_000);
    const settled = await scenario.ended(taskId);
    expect(settled).toMatchObject({ state: 'failed', outcome: 'uncertain' });
    expect(settled.reasons.map(({ code }) => code)).toContain('EFFECT_IN_DOUBT');
  });
});
