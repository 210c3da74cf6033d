import { describe, expect, it } from 'vitest';
import type { Found } from '../../../../../src/index.ts';
import { scene } from '../scene.ts';
import { call, draft, later, never, plan, writeTool } from '../scripted.ts';
import { settle } from '../simulated-clock.ts';

const minute = 60_000;
const refuses = writeTool('refuses', { call: (_, { notDone }) => notDone('no funds') });

describe('a run that fails after committed writes [UAICP 5.3, CHART 7]', () => {
  it('rolls them back once each, newest first, with intent and outcome', async () => {
    const scenario = scene({
      model: [plan([call('a'), call('b'), call('c'), call('refuses')])],
      tools: [writeTool('a'), writeTool('b'), writeTool('c'), refuses],
      taskClass: { limits: { repairs: 0 } },
    });
    const taskId = await scenario.submit();
    expect(await scenario.ended(taskId)).toMatchObject({ state: 'failed', outcome: 'failure' });
    expect(scenario.undone).toEqual(['c', 'b', 'a']);
    const rollbacks = (await scenario.facts(taskId)).filter((type) => type.startsWith('rollback'));
    expect(rollbacks).toEqual(
      Array.from({ length: 3 }, () => ['rollback.started', 'rollback.succeeded']).flat(),
    );
  });

  it.each<[string, () => Promise<unknown>]>([
    ['throws', () => Promise.reject(new Error('gone'))],
    ['hangs', () => new Promise(() => {})],
  ])('reports a rollback that %s, and runs the others', async (_, run) => {
    const stuck = writeTool('stuck', {
      rollback: { describe: () => ({ type: 'inverse', target: 'stuck', payload: {} }), run },
    });
    const scenario = scene({
      model: [plan([call('a'), call('stuck'), call('refuses')])],
      tools: [writeTool('a'), stuck, refuses],
      taskClass: { limits: { repairs: 0 } },
    });
    const taskId = await scenario.submit();
    await scenario.clock.advance(minute);
    const { reasons, message } = await scenario.ended(taskId);
    expect(reasons.map(({ code }) => code)).toEqual(['TOOL_FAILED', 'ROLLBACK_REQUIRED']);
    expect(message.payload['reasonCodes']).toContain('ROLLBACK_REQUIRED');
    expect(scenario.undone).toEqual(['stuck', 'a']);
  });

  it('reports a write without a declared rollback', async () => {
    const scenario = scene({
      model: [plan([call('once'), call('refuses')])],
      tools: [{ ...writeTool('once'), rollback: null }, refuses],
      taskClass: { limits: { repairs: 0 } },
    });
    expect((await scenario.ended(await scenario.submit())).reasons.map(({ code }) => code)).toEqual([
      'TOOL_FAILED',
      'ROLLBACK_REQUIRED',
    ]);
  });

  it('records the late outcome of a rollback that timed out', async () => {
    const answer = later();
    const slow = writeTool('slow', {
      rollback: {
        describe: () => ({ type: 'inverse', target: 'slow', payload: {} }),
        run: () => answer.promise,
      },
    });
    const scenario = scene({
      model: [plan([call('slow'), call('refuses')])],
      tools: [slow, refuses],
      taskClass: { limits: { repairs: 0 } },
    });
    const taskId = await scenario.submit();
    await scenario.clock.advance(minute);
    await scenario.ended(taskId);
    answer.resolve(null);
    await settle();
    expect((await scenario.orchestrator.ledger(taskId)).at(-1)).toMatchObject({
      kind: 'orphan',
      fact: { type: 'rollback.succeeded' },
    });
  });

  it('aborts a rollback that hangs, through its signal', async () => {
    let isTold = false;
    const scenario = scene({
      model: [plan([call('slow'), call('refuses')])],
      tools: [
        writeTool('slow', {
          rollback: {
            describe: () => ({ type: 'inverse', target: 'slow', payload: {} }),
            run: (_, { signal }) => never(signal, () => (isTold = true)),
          },
        }),
        refuses,
      ],
      taskClass: { limits: { repairs: 0 }, deadlines: { rollback: minute } },
    });
    await scenario.submit();
    await scenario.clock.advance(minute);
    expect(isTold).toBe(true);
  });
});

describe('a cancelled run', () => {
  it('waits for the write in flight and rolls it back', async () => {
    const answer = later();
    const scenario = scene({
      model: [plan([call('slow')]), draft()],
      tools: [writeTool('slow', { call: () => answer.promise })],
    });
    const taskId = await scenario.submit();
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    expect(scenario.stateOf(taskId)).toBe('submitted.undoing.stop');
    answer.resolve({ ok: true });
    expect(await scenario.ended(taskId)).toMatchObject({ state: 'cancelled', outcome: 'failure' });
    expect(scenario.undone).toEqual(['slow']);
  });
});

describe('a rollback that is looked up after its deadline', () => {
  it('is not repeated, even when the lookup does not find it', async () => {
    const found = later<Found>();
    let runs = 0;
    const scenario = scene({
      model: [plan([call('a'), call('refuses')])],
      tools: [
        writeTool('a', {
          rollback: {
            describe: () => ({ type: 'inverse', target: 'a', payload: {} }),
            run: async () => {
              runs += 1;
              throw new Error('gone');
            },
            doubt: 'reconcilable',
            lookup: () => found.promise,
          },
        }),
        refuses,
      ],
      taskClass: { limits: { repairs: 0 }, deadlines: { rollback: minute } },
    });
    const taskId = await scenario.submit();
    await scenario.clock.advance(minute);
    found.resolve({ found: 'absent' });
    await settle();
    expect((await scenario.ended(taskId)).reasons.map(({ code }) => code)).toContain('ROLLBACK_REQUIRED');
    expect(runs).toBe(1);
  });
});
