import { describe, expect, it } from 'vitest';
import type { UnreadToolDefinition } from '../../../../src/base/define/tool.ts';
import type { CallContext, Turn } from '../../../../src/index.ts';
import type { Doubt } from '../../../../src/base/ports/tool.ts';
import { world } from './outside.ts';
import { machine, type Given } from './restarts.ts';
import { call, draft, later, never, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

type Declared = Pick<UnreadToolDefinition<unknown>, 'doubt' | 'lookup'>;
const minute = 60_000;
const hanging = (_: Turn, signal: AbortSignal) => never(signal);

const given = (declared: Declared, make: (context: CallContext) => unknown, more: Given = {}): Given => ({
  model: [plan([call('write')]), draft()],
  tools: [writeTool('write', { ...declared, call: (_, context) => make(context) })],
  ...more,
});

/** A task whose process dies in the middle of its write, before or after it has happened; and the one that takes it up. */
const diedWriting = async (
  declared: (outside: ReturnType<typeof world>) => Declared,
  hasHappened: boolean,
  downFor = 0,
  later: Given['taskClass'] = {},
) => {
  const outside = world();
  const site = machine();
  const first = site.start(
    given(declared(outside), ({ key, signal }) => {
      if (hasHappened) outside.done.push(key);
      return never(signal);
    }),
  );
  const taskId = await first.submit();
  await first.crash();
  site.clock.leap(downFor);
  const second = site.start(
    given(
      declared(outside),
      ({ key }) => {
        outside.done.push(key);
        return { written: true };
      },
      { model: [draft()], taskClass: later },
    ),
  );
  await second.recover();
  const recoveries = async () =>
    (await site.recordsOf(taskId)).flatMap(({ brought: { recovery } }) => recovery ?? []);
  return { ...site, outside, second, taskId, recoveries };
};

describe('a write without an outcome after a crash [DESIGN 1, rule 8]', () => {
  it.each([true, false])(
    'asks a person and is not repeated when its tool declares no recovery (%s)',
    async (hasHappened) => {
      const { outside, second, taskId, recoveries } = await diedWriting(() => ({}), hasHappened);
      expect((await second.question()).question).toMatchObject({ kind: 'doubt' });
      expect(outside.done).toHaveLength(hasHappened ? 1 : 0);
      expect(await recoveries()).toEqual([]);
      await second.answer('edit', { value: hasHappened ? 'done' : 'absent' });
      expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      expect(outside.done).toHaveLength(1);
    },
  );

  it.each([true, false])(
    'is repeated under the same key when its tool is idempotent (%s)',
    async (hasHappened) => {
      const { outside, second, taskId, recoveries } = await diedWriting(
        () => ({ doubt: 'idempotent' }),
        hasHappened,
      );
      expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      expect(new Set(outside.done).size).toBe(1);
      expect(outside.done).toHaveLength(hasHappened ? 2 : 1);
      expect(await recoveries()).toMatchObject([
        { effect: 'call', doubt: 'idempotent', resolution: 'repeated', key: outside.done[0] },
      ]);
    },
  );

  it.each<[string, NonNullable<Given['taskClass']>]>([
    ['another threshold', { threshold: 0.6 }],
    ['evidence before a write', { beforeWrite: { evidence: [{ type: 'tool_result' }] } }],
    ['more approvers', { approvers: 2 }],
  ])('asks a person when the task class became stricter: %s', async (_, stricter) => {
    const { outside, second } = await diedWriting(() => ({ doubt: 'idempotent' }), true, 0, stricter);
    expect((await second.question()).question).toMatchObject({ kind: 'doubt' });
    expect(outside.done).toHaveLength(1);
  });

  it('is adopted with its result when a lookup finds it', async () => {
    const { outside, second, taskId, recoveries } = await diedWriting(
      ({ lookup }) => ({ doubt: 'reconcilable', lookup: lookup() }),
      true,
    );
    expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(outside.done).toHaveLength(1);
    expect(outside.asked).toEqual(outside.done);
    expect(await recoveries()).toMatchObject([{ found: 'done', resolution: 'adopted' }]);
    const evidence = (await second.orchestrator.documents(taskId)).find(
      ({ name }) => name === 'EvidenceObject',
    );
    expect(evidence?.document).toMatchObject({ payload: { known: true }, source: 'write' });
  });

  it('is made again when a lookup does not find it', async () => {
    const { outside, second, taskId, recoveries } = await diedWriting(
      ({ lookup }) => ({ doubt: 'reconcilable', lookup: lookup() }),
      false,
    );
    expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(outside.done).toHaveLength(1);
    expect(await recoveries()).toMatchObject([{ found: 'absent', resolution: 'repeated' }]);
  });

  it.each<[string, (outside: ReturnType<typeof world>) => Declared['lookup']]>([
    ['does not know', ({ lookup }) => lookup('unknown')],
    ['throws', () => () => Promise.reject(new Error('away'))],
    ['says what cannot be read', () => async () => 'perhaps' as never],
  ])('asks a person when the lookup %s', async (_, lookup) => {
    const { outside, second } = await diedWriting(
      (one) => ({ doubt: 'reconcilable', lookup: lookup(one)! }),
      true,
    );
    expect((await second.question()).question.kind).toBe('doubt');
    expect(outside.done).toHaveLength(1);
  });

  it.each(['idempotent', 'reconcilable'] as const)(
    'is resolved even when its deadline passed before recovery: %s',
    async (doubt) => {
      const { outside, second, taskId, factsOf } = await diedWriting(
        ({ lookup }) => ({ doubt, ...(doubt === 'reconcilable' && { lookup: lookup() }) }),
        true,
        60 * minute,
      );
      await settle();
      expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      expect(await factsOf(taskId)).not.toContain('deadline.passed');
      expect(new Set(outside.done).size).toBe(1);
    },
  );

  it('asks a person after three recoveries that each crashed', async () => {
    const outside = world();
    const site = machine();
    const dying = given({ doubt: 'idempotent' }, ({ key, signal }) => {
      outside.done.push(key);
      return never(signal);
    });
    const first = site.start(dying);
    await first.submit();
    await first.crash();
    for (let n = 0; n < 3; n += 1) {
      const next = site.start(dying);
      await next.recover();
      await next.crash();
    }
    const last = site.start(dying);
    await last.recover();
    expect((await last.question()).question.kind).toBe('doubt');
    expect(outside.done).toHaveLength(4);
    expect(new Set(outside.done).size).toBe(1);
  });
});

describe('a write that throws', () => {
  it.each<[Doubt, boolean, number]>([
    ['idempotent', true, 2],
    ['reconcilable', true, 1],
    ['reconcilable', false, 2],
  ])('is resolved at once as its tool declares: %s, happened: %s', async (doubt, hasHappened, calls) => {
    const outside = world();
    let made = 0;
    const { submit, orchestrator } = machine().start(
      given({ doubt, ...(doubt === 'reconcilable' && { lookup: outside.lookup() }) }, ({ key }) => {
        made += 1;
        if (made > 1 || hasHappened) outside.done.push(key);
        if (made === 1) throw new Error('the line broke');
        return {};
      }),
    );
    expect(await orchestrator.settled(await submit())).toMatchObject({ outcome: 'success' });
    expect(made).toBe(calls);
    expect(new Set(outside.done).size).toBe(1);
  });

  it('is not looked up while the timed-out call may still be running', async () => {
    const outside = world();
    const gate = later();
    const site = machine();
    const { submit, question, orchestrator } = site.start({
      ...given({ doubt: 'reconcilable', lookup: outside.lookup() }, async ({ key }) => {
        await gate.promise; // deaf to its signal
        outside.done.push(key);
        return {};
      }),
      taskClass: { deadlines: { call: minute } },
    });
    const taskId = await submit();
    await site.clock.advance(2 * minute);
    expect((await question()).question.kind).toBe('doubt');
    expect(outside.asked).toEqual([]);
    gate.resolve(null);
    await settle();
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(outside.done).toHaveLength(1);
  });
});

describe('a cancelled run with an open question', () => {
  it('withdraws the question, even while it rolls back', async () => {
    const site = machine();
    const { submit, question, orchestrator } = site.start({
      model: [plan([call('first'), call('second')])],
      tools: [
        writeTool('first', {
          rollback: {
            describe: () => ({ type: 'inverse', target: 'first', payload: {} }),
            run: (_, { signal }) => never(signal),
          },
        }),
        writeTool('second', { call: () => Promise.reject(new Error('the line broke')) }),
      ],
    });
    const taskId = await submit();
    expect((await question()).question.kind).toBe('doubt');
    await orchestrator.cancel(taskId, { by: 'dana' });
    await settle();
    expect(await site.stateOf(taskId)).toBe('submitted.undoing.stop');
    expect(await orchestrator.inbox()).toEqual([]);
  });
});

describe('a read without an outcome after a crash', () => {
  it('is repeated, because it changes nothing', async () => {
    const site = machine();
    const hanging = {
      model: [plan([call('look')]), draft()],
      tools: [readTool('look', { call: (_, { signal }) => never(signal) })],
    };
    const first = site.start(hanging);
    const taskId = await first.submit();
    await first.crash();
    const second = site.start({ model: [draft()], tools: [readTool('look')] });
    await second.recover();
    expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });
});

const undoing = (
  declared: (outside: ReturnType<typeof world>) => { doubt?: Doubt; lookup?: Declared['lookup'] },
  outside: ReturnType<typeof world>,
  run: (key: string, signal: AbortSignal) => Promise<unknown>,
): Given => ({
  model: [plan([call('write')]), { choice: 'nonsense' }],
  taskClass: { limits: { corrections: 0, revisions: 0, repairs: 0 } },
  tools: [
    writeTool('write', {
      rollback: {
        describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
        run: (_, { key, signal }) => run(key, signal),
        ...(declared(outside) as object),
      },
    }),
  ],
});

const diedUndoing = async (
  declared: (outside: ReturnType<typeof world>) => { doubt?: Doubt; lookup?: Declared['lookup'] },
  hasHappened: boolean,
) => {
  const outside = world();
  const site = machine();
  const first = site.start(
    undoing(declared, outside, (key, signal) => {
      if (hasHappened) outside.done.push(key);
      return never(signal);
    }),
  );
  const taskId = await first.submit();
  await first.orchestrator.cancel(taskId, { by: 'dana' });
  await settle();
  await first.crash();
  const second = site.start(
    undoing(declared, outside, async (key) => {
      outside.done.push(key);
    }),
  );
  await second.recover();
  const { reasons } = await second.orchestrator.settled(taskId);
  return { ...site, outside, codes: reasons.map(({ code }) => code), taskId };
};

describe('a rollback without an outcome after a crash [CHART 7]', () => {
  it('is reported and not repeated when it declares no recovery', async () => {
    const { outside, codes, factsOf, taskId } = await diedUndoing(() => ({}), false);
    expect(outside.done).toEqual([]);
    expect(codes).toContain('ROLLBACK_REQUIRED');
    expect(await factsOf(taskId)).toContain('rollback.failed');
  });

  it.each([true, false])('is repeated under its key when it is idempotent (%s)', async (hasHappened) => {
    const { outside, codes } = await diedUndoing(() => ({ doubt: 'idempotent' }), hasHappened);
    expect(new Set(outside.done).size).toBe(1);
    expect(outside.done[0]).toMatch(/^rollback:/);
    expect(codes).toEqual(['CANCELLED']);
  });

  it.each([true, false])('is looked up when it is reconcilable (%s)', async (hasHappened) => {
    const { outside, codes } = await diedUndoing(
      ({ lookup }) => ({ doubt: 'reconcilable', lookup: lookup() }),
      hasHappened,
    );
    expect(outside.done).toHaveLength(1);
    expect(codes).toEqual(['CANCELLED']);
  });
});

describe('a rollback that timed out', () => {
  it('is not repeated, even when it is idempotent', async () => {
    const site = machine();
    let runs = 0;
    const { submit, orchestrator } = site.start({
      model: [plan([call('write')]), hanging],
      taskClass: { deadlines: { rollback: minute } },
      tools: [
        writeTool('write', {
          rollback: {
            describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
            run: (_, { signal }) => {
              runs += 1;
              return never(signal);
            },
            doubt: 'idempotent',
          },
        }),
      ],
    });
    const taskId = await submit();
    await orchestrator.cancel(taskId, { by: 'dana' });
    await site.clock.advance(2 * minute);
    const { reasons } = await orchestrator.settled(taskId);
    expect(reasons.map(({ code }) => code)).toContain('ROLLBACK_REQUIRED');
    await settle();
    expect(runs).toBe(1);
    expect(await site.factsOf(taskId)).not.toContain('recovery.started');
  });
});

describe('the rollback of a write that lands after its task settled', () => {
  it.each<[Doubt, number, string]>([
    ['idempotent', 2, 'rollback.succeeded'],
    ['unsafe', 1, 'rollback.failed'],
  ])('recovers from a crash as its declaration says (%s)', async (doubt, runs, end) => {
    const site = machine();
    const landed = later();
    const ran: string[] = [];
    const tools = (hang: boolean) => [
      writeTool('write', {
        deadline: minute,
        call: () => landed.promise,
        rollback: {
          describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
          run: async (_, { key, signal }) => {
            ran.push(key);
            if (hang) await never(signal);
          },
          doubt,
        },
      }),
    ];
    const first = site.start({ model: [plan([call('write')])], tools: tools(true) });
    const taskId = await first.submit();
    await first.orchestrator.cancel(taskId, { by: 'dana' });
    await site.clock.advance(2 * minute);
    expect(await site.stateOf(taskId)).toBe('cancelled');
    landed.resolve({});
    await settle();
    await first.crash();
    const second = site.start({ tools: tools(false) });
    expect(await second.recover()).toEqual({ taken: 1, carriedOver: [], refused: [], changed: [] });
    expect(ran).toHaveLength(runs);
    expect((await site.recordsOf(taskId)).at(-1)).toMatchObject({ kind: 'orphan', fact: { type: end } });
    expect(await site.reader.taskIndex({ isOwed: true })).toEqual([]);
  });
});
