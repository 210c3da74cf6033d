import { describe, expect, it } from 'vitest';
import { scene } from '../scene.ts';
import { call, draft, later, plan, writeTool } from '../scripted.ts';
import { settle } from '../simulated-clock.ts';

const minute = 60_000;

const late = (rollback?: () => Promise<unknown>) => {
  const landing = later();
  const told = scene({
    model: [plan([call('write')]), draft()],
    tools: [
      writeTool('write', {
        call: () => landing.promise,
        rollback: {
          describe: () => ({ type: 'inverse', target: 'it', payload: {} }),
          run: rollback ?? (async () => null),
        },
      }),
    ],
    taskClass: { limits: { repairs: 0, pauses: 0 } },
  });
  const orphans = async (taskId: string) =>
    (await told.orchestrator.ledger(taskId)).flatMap(({ kind, fact, outcome }) =>
      kind === 'orphan' ? [[fact?.type, outcome]] : [],
    );
  return { ...told, landing, orphans };
};

describe('a write that lands after its run settled [UAICP 5.3]', () => {
  it('is rolled back, once, with an intent and an outcome on record', async () => {
    const { submit, orchestrator, clock, ended, landing, undone, orphans } = late();
    const taskId = await submit();
    await orchestrator.cancel(taskId, { by: 'dana' });
    await clock.advance(minute);
    expect(await ended(taskId)).toMatchObject({ state: 'cancelled', outcome: 'uncertain' });
    expect(undone).toEqual([]);
    landing.resolve({ written: true });
    await settle();
    expect(undone).toEqual(['write']);
    expect(await orphans(taskId)).toEqual([
      ['call.succeeded', 'success'],
      ['rollback.started', 'uncertain'],
      ['rollback.succeeded', 'success'],
    ]);
  });

  it('that cannot be rolled back is on record as such', async () => {
    const { submit, orchestrator, clock, ended, landing, orphans } = late(() =>
      Promise.reject(new Error('gone')),
    );
    const taskId = await submit();
    await orchestrator.cancel(taskId, { by: 'dana' });
    await clock.advance(minute);
    await ended(taskId);
    landing.resolve({ written: true });
    await settle();
    expect((await orphans(taskId)).map(([type]) => type)).toEqual([
      'call.succeeded',
      'rollback.started',
      'rollback.failed',
    ]);
    expect((await orchestrator.ledger(taskId)).at(-1)?.brought.explanation).toBe('Error: gone');
  });

  it('is left alone where a person said that it had happened', async () => {
    const { submit, clock, question, answer, ended, landing, undone, facts } = (() => {
      const landing = later();
      const told = scene({
        model: [plan([call('write')]), draft()],
        tools: [writeTool('write', { call: () => landing.promise })],
      });
      return { ...told, landing };
    })();
    const taskId = await submit();
    await clock.advance(minute);
    expect((await question()).question.kind).toBe('doubt');
    await answer('approve');
    await ended(taskId);
    landing.resolve({ written: true });
    await settle();
    expect(undone).toEqual([]);
    expect(await facts(taskId)).not.toContain('rollback.started');
  });

  it('is rolled back where a person had ruled it out', async () => {
    const landing = later();
    const told = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { call: () => landing.promise })],
      taskClass: { limits: { repairs: 0 } },
    });
    const taskId = await told.submit();
    await told.clock.advance(minute);
    await told.answer('reject');
    landing.resolve({ written: true });
    await told.ended(taskId);
    await settle();
    expect(told.undone).toEqual(['write']);
  });

  it.each([
    ['cannot be read', { when: new Date(0) }],
    ['is too large to be kept', { text: 'a'.repeat(1_100_000) }],
  ])('is rolled back also where its result %s: the tool came back', async (_, result) => {
    const { submit, orchestrator, clock, ended, landing, undone } = late();
    const taskId = await submit();
    await orchestrator.cancel(taskId, { by: 'dana' });
    await clock.advance(minute);
    await ended(taskId);
    landing.resolve(result);
    await settle();
    expect(undone).toEqual(['write']);
  });

  it('whose rollback hangs has an outcome all the same: it failed', async () => {
    const { submit, orchestrator, clock, ended, landing, orphans } = late(() => new Promise(() => {}));
    const taskId = await submit();
    await orchestrator.cancel(taskId, { by: 'dana' });
    await clock.advance(minute);
    await ended(taskId);
    landing.resolve({ written: true });
    await settle();
    await clock.advance(minute);
    expect((await orphans(taskId)).at(-1)).toEqual(['rollback.failed', 'failure']);
  });
});
