import { describe, expect, it } from 'vitest';
import { scene } from './scene.ts';
import { call, draft, later, never, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const minute = 60_000;

describe('simultaneous duties [CHART 4]', () => {
  it('run in parallel when they are reads, and their outcomes are recorded one at a time', async () => {
    let together = 0;
    let most = 0;
    const gates = [later(), later(), later()];
    const read = async (at: number) => {
      together += 1;
      most = Math.max(most, together);
      await gates[at]!.promise;
      together -= 1;
      return at;
    };
    const { submit, ended, facts } = scene({
      model: [plan([call('a'), call('b'), call('c')]), draft()],
      tools: ['a', 'b', 'c'].map((name, at) => readTool(name, { call: () => read(at) })),
    });
    const taskId = await submit();
    expect(most).toBe(3);
    gates.forEach(({ resolve }) => resolve(null));
    await ended(taskId);
    expect((await facts(taskId)).slice(2, 8)).toEqual([
      'call.started',
      'call.started',
      'call.started',
      'call.succeeded',
      'call.succeeded',
      'call.succeeded',
    ]);
  });

  it('wait for a slot when too many would run at once, over all tasks', async () => {
    let running = 0;
    let most = 0;
    const slow = async () => {
      running += 1;
      most = Math.max(most, running);
      await settle();
      running -= 1;
      return null;
    };
    const { submit, ended } = scene({
      model: async ({ asks }) => {
        await slow();
        return asks === 'plan' ? plan([call('a'), call('a', { n: 1 }), call('a', { n: 2 })]) : draft();
      },
      tools: [readTool('a', { call: slow })],
      options: { concurrency: 2 },
    });
    const tasks = await Promise.all([submit(), submit(), submit()]);
    for (const taskId of tasks) expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(most).toBe(2);
  });

  it('write one at a time, in the order of the plan', async () => {
    const order: string[] = [];
    const write = async (name: string) => {
      order.push(`${name} begins`);
      await settle();
      order.push(`${name} ends`);
      return null;
    };
    const { submit, ended } = scene({
      model: [plan([call('b'), call('a'), call('c')]), draft()],
      tools: ['a', 'b', 'c'].map((name) => writeTool(name, { call: () => write(name) })),
    });
    await ended(await submit());
    expect(order).toEqual(['b begins', 'b ends', 'a begins', 'a ends', 'c begins', 'c ends']);
  });
});

describe('a plan with the same write twice', () => {
  it.each(['allow', 'needs_review'] as const)('makes it once: %s', async (policy) => {
    const same = call('write', { amount: 1 });
    const scenario = scene({ model: [plan([same, same]), draft()], tools: [writeTool('write')], policy });
    const taskId = await scenario.submit();
    if (policy === 'needs_review') await scenario.answer('approve');
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(scenario.invocations).toHaveLength(1);
  });
});

const waitingForSlot = async () => {
  const slow = later();
  const clearance = later();
  const scenario = scene({
    model: ({ request, asks }) =>
      asks === 'draft' ? draft() : plan([call(request['writes'] === true ? 'write' : 'slow')]),
    tools: [
      readTool('slow', { call: () => slow.promise, deadline: 60 * minute }),
      writeTool('write', { deadline: minute }),
    ],
    policy: () => clearance.promise,
    options: { concurrency: 1 },
  });
  const writer = await scenario.submit({ writes: true });
  const reader = await scenario.submit({ writes: false });
  clearance.resolve({ verdict: 'allow', reasons: [] });
  await settle();
  expect(scenario.stateOf(writer)).toBe('submitted.execute.calling');
  return { ...scenario, slow, writer, reader };
};

describe('a duty that waits for a slot', () => {
  it('is dropped when its task settles, so no write follows', async () => {
    const { orchestrator, invocations, ended, slow, writer, reader, facts } = await waitingForSlot();
    await orchestrator.cancel(writer, { by: 'dana' });
    expect(await ended(writer)).toMatchObject({ state: 'cancelled' });
    slow.resolve(null);
    expect(await ended(reader)).toMatchObject({ outcome: 'success' });
    expect(invocations.map(({ tool }) => tool)).toEqual(['slow']);
    expect(await facts(writer)).not.toContain('call.started');
  });

  it('starts its deadline with its intent, which is recorded when the slot is free', async () => {
    const { clock, invocations, ended, slow, writer, facts } = await waitingForSlot();
    await clock.advance(10 * minute);
    expect(await facts(writer)).not.toContain('call.started');
    slow.resolve(null);
    expect(await ended(writer)).toMatchObject({ outcome: 'success' });
    expect(invocations.map(({ tool }) => tool)).toEqual(['slow', 'write']);
  });

  it('runs after the duties before it time out and release their slot', async () => {
    const { submit, ended, clock } = scene({
      model: ({ request, asks }) => {
        if (asks === 'draft') return draft();
        return plan(request['hangs'] === true ? [call('hangs')] : []);
      },
      tools: [readTool('hangs', { call: () => new Promise(() => {}) })],
      options: { concurrency: 1 },
      taskClass: { limits: { repairs: 0 } },
    });
    const stuck = await submit({ hangs: true });
    const next = await submit({ hangs: false });
    await clock.advance(minute);
    expect(await ended(stuck)).toMatchObject({ outcome: 'failure' });
    expect(await ended(next)).toMatchObject({ outcome: 'success' });
  });
});

describe('a duty that is no longer due', () => {
  it('is aborted through the signal of model, tool or verifier', async () => {
    const aborted: string[] = [];
    const hang = (name: string) => (signal: AbortSignal) => never(signal, () => aborted.push(name));
    const { submit, orchestrator, ended } = scene({
      model: ({ request, asks }, signal) => {
        if (request['hangs'] === 'model') return hang('model')(signal);
        return asks === 'plan' ? plan(request['hangs'] === 'tool' ? [call('slow')] : []) : draft();
      },
      tools: [readTool('slow', { call: (_, { signal }) => hang('tool')(signal) })],
      verifiers: { strict: (_, signal) => hang('verifier')(signal) },
      taskClass: { beforeDeliver: { verifiers: ['strict'] } },
    });
    for (const hangs of ['model', 'tool', 'verifier']) {
      const taskId = await submit({ hangs });
      await orchestrator.cancel(taskId, { by: 'dana' });
      expect(await ended(taskId)).toMatchObject({ state: 'cancelled' });
    }
    await settle();
    expect(aborted).toEqual(['model', 'tool', 'verifier']);
  });
});
