import { describe, expect, it } from 'vitest';
import type { Rollback } from '../../../src/index.ts';
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
    const told = levels({ work: { tools: ['mid'] }, mid: { tools: ['leaf'] }, leaf: { tools: ['write'] } }, [
      taskTool('mid', { rollback }),
      taskTool('leaf', { rollback }),
      writeTool('write', { tier: 'write_high_risk' }),
    ]);
    await told.submit();
    expect(tiersIn(told)).toEqual(['write_high_risk']);
  });

  it('follows a class that calls itself once and includes its other tools', async () => {
    const told = levels({ work: { tools: ['work', 'write'] } }, [
      taskTool('work'),
      writeTool('write', { tier: 'write_low_risk' }),
    ]);
    await told.submit();
    expect(tiersIn(told)).toEqual(['write_low_risk', 'write_low_risk']);
  });
});

/** Three levels, the innermost of which says this. */
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
    const told = three(({ asks }) => (asks === 'plan' ? plan([], { confidence: 0.1 }) : draft()));
    const taskId = await told.submit();
    const path = [taskId, (await told.of('mid'))?.taskId ?? '', (await told.of('leaf'))?.taskId ?? ''];
    for (const within of [undefined, ...path])
      expect((await told.orchestrator.inbox(within)).map((entry) => entry.path)).toEqual([path]);
    await told.answer('approve');
    expect(await told.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('cancel the innermost task with the outermost', async () => {
    const told = three((_, signal) => never(signal));
    const taskId = await told.submit();
    await told.orchestrator.cancel(taskId, { by: 'dana' });
    expect(await told.ended(taskId)).toMatchObject({ state: 'cancelled' });
    for (const id of ['mid', 'leaf'])
      expect(await told.ended((await told.of(id))?.taskId ?? '')).toMatchObject({ state: 'cancelled' });
  });
});

describe('a child whose first record is still being written', () => {
  it('is cancelled when its parent was cancelled meanwhile', async () => {
    const gate = later();
    const told = levels({ work: { tools: ['leaf'] }, leaf: {} }, [taskTool('leaf')], {
      leaf: (_, signal) => never(signal),
    });
    let hurry: (() => void) | undefined;
    told.orchestrator.on('record', ({ fact }) => {
      if (fact?.type === 'dependency.awaited') hurry = told.store.delay(() => gate.promise);
    });
    const taskId = await told.submit();
    hurry?.();
    expect(await told.of('leaf')).toBeUndefined();
    await told.orchestrator.cancel(taskId, { by: 'dana' });
    expect(await told.ended(taskId)).toMatchObject({ state: 'cancelled' });
    gate.resolve(null);
    await settle();
    expect(await told.ended((await told.of('leaf'))?.taskId ?? '')).toMatchObject({ state: 'cancelled' });
  });

  it('reports an immediate refusal, so its parent stops waiting', async () => {
    const gate = later();
    const refused = { refused: 'IDENTITY_INVALID', explanation: 'not of this' } as const;
    const told = levels({ work: { tools: ['leaf'] }, leaf: { accept: () => refused } }, [taskTool('leaf')]);
    told.orchestrator.on('record', ({ fact }) => {
      if (fact?.type === 'dependency.awaited') told.store.delay(() => gate.promise);
    });
    const taskId = await told.submit();
    expect(told.stateOf(taskId)).toBe('waiting');
    gate.resolve(null);
    const settled = await told.ended(taskId);
    expect(settled.reasons.map(({ code }) => code)).toEqual(['CHILD_FAILED', 'IDENTITY_INVALID']);
  });
});

const hanging = (work: Level) =>
  levels(
    { work: { tools: ['leaf'], ...work }, leaf: { tools: ['write'], limits: { repairs: 0, pauses: 0 } } },
    [
      taskTool('leaf', { tier: 'write_low_risk' }),
      writeTool('write', { deadline: 1_000, call: (_, { signal }) => never(signal) }),
    ],
  );

describe('a child with a write in doubt', () => {
  it('leaves the parent’s call in doubt until a person resolves it', async () => {
    const told = hanging({});
    await told.submit();
    await told.clock.advance(61_000);
    expect(await told.of('leaf')).toMatchObject({ state: 'failed', reasons: [{ code: 'EFFECT_IN_DOUBT' }] });
    expect((await told.question()).question.kind).toBe('doubt');
    expect((await told.question()).taskId).toBe((await told.of('work'))?.taskId);
  });

  it('becomes a failure reason of its parent when no person is asked', async () => {
    const told = hanging({ limits: { repairs: 0, pauses: 0 } });
    const taskId = await told.submit();
    await told.clock.advance(61_000);
    const settled = await told.ended(taskId);
    expect(settled).toMatchObject({ state: 'failed', outcome: 'uncertain' });
    expect(settled.reasons.map(({ code }) => code)).toContain('EFFECT_IN_DOUBT');
  });
});
