import { describe, expect, test } from 'vitest';
import type { Fact, FactOf } from '../../machines/index.ts';
import type { Step } from '../../src/base/ports/store.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, later, plan, writeTool } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import type { TracedStep } from './hours.ts';
import { partingOf } from './trace.ts';
import { judged, takePartings } from './watched/traces.ts';

const minute = 60_000;

const noted = (change: (step: Step) => Step = (step) => step) => {
  const steps: Step[] = [];
  const inner = memoryStore();
  const commit = (step: Step) => {
    const changed = change(step);
    steps.push(changed);
    return inner.commit(changed);
  };
  return { steps, store: { ...inner, commit } };
};

/** The steps of a task that is cancelled, and whose write lands after that. */
const landedLate = async (change?: (step: Step) => Step): Promise<readonly Step[]> => {
  const { steps, store } = noted(change);
  const landing = later();
  const one = scene({
    model: [plan([call('write')]), draft()],
    tools: [writeTool('write', { call: () => landing.promise })],
    taskClass: { limits: { repairs: 0, pauses: 0 } },
    options: { store },
  });
  const taskId = await one.submit();
  await one.orchestrator.cancel(taskId, { by: 'dana' });
  await one.clock.advance(minute);
  await one.ended(taskId);
  landing.resolve({ written: true });
  await settle();
  return steps;
};

/** The steps of a task that delivers, or whose model is never heard again, after a write was made in time. */
const landedInTime = async (...concludes: readonly ReturnType<typeof draft>[]): Promise<readonly Step[]> => {
  const { steps, store } = noted();
  const one = scene({
    model: [plan([call('write')]), ...concludes],
    tools: [writeTool('write')],
    taskClass: { atLimit: 'stop', limits: { corrections: 0, repairs: 0, pauses: 0 } },
    options: { store },
  });
  await one.ended(await one.submit());
  return steps;
};

const typeOf = ({ record }: TracedStep): string | undefined => record.fact?.type;
const indexOf = (steps: readonly TracedStep[], type: string): number =>
  steps.findLastIndex((step) => typeOf(step) === type);

/** The steps with these after the last one of a type. */
const withAfter = (steps: readonly TracedStep[], type: string, ...more: readonly TracedStep[]) => {
  const at = indexOf(steps, type) + 1;
  return [...steps.slice(0, at), ...more, ...steps.slice(at)];
};

const without = (steps: readonly TracedStep[], type: string) =>
  steps.filter((_, at) => at !== indexOf(steps, type));

const last = (steps: readonly TracedStep[], type: string): TracedStep => steps[indexOf(steps, type)]!;

type Said = 'rollback.started' | 'rollback.succeeded' | 'recovery.started';

const said = (type: Said, { request, digest }: FactOf<'call.started'>): Fact =>
  type === 'recovery.started' ? { type, request, effect: 'rollback', digest } : { type, request, digest };

/** A step that changes nothing, and says this of the rollback of the write. */
const beside = (
  steps: readonly TracedStep[],
  type: Said,
  after = type === 'recovery.started' ? 'rollback.started' : 'call.succeeded',
): TracedStep => {
  const { record, deadlines } = last(steps, after);
  const begun = last(steps, 'call.started').record.fact;
  if (begun?.type !== 'call.started') throw new Error('no call began');
  return { record: { ...record, kind: 'orphan', from: record.to, fact: said(type, begun) }, deadlines };
};

type Change = (steps: readonly TracedStep[]) => readonly TracedStep[];

const faults: readonly (readonly [what: string, says: RegExp, change: Change])[] = [
  [
    'starts its rollback twice',
    /starts twice/,
    (steps) => withAfter(steps, 'rollback.started', last(steps, 'rollback.started')),
  ],
  [
    'starts its rollback again after it ended',
    /starts twice/,
    (steps) => withAfter(steps, 'rollback.succeeded', last(steps, 'rollback.started')),
  ],
  [
    'ends its rollback before it starts',
    /ends before it starts/,
    (steps) => without(steps, 'rollback.started'),
  ],
  [
    'ends its rollback twice',
    /ends twice/,
    (steps) => withAfter(steps, 'rollback.succeeded', last(steps, 'rollback.succeeded')),
  ],
  [
    'recovers its rollback before it starts',
    /when it is not in doubt/,
    (steps) => withAfter(steps, 'call.succeeded', beside(steps, 'recovery.started')),
  ],
  [
    'recovers its rollback after it ended',
    /when it is not in doubt/,
    (steps) => withAfter(steps, 'rollback.succeeded', beside(steps, 'recovery.started')),
  ],
  [
    'recovers its rollback once more than it may',
    /beyond its limit/,
    (steps) =>
      withAfter(
        steps,
        'rollback.started',
        ...Array.from({ length: 4 }, () => beside(steps, 'recovery.started')),
      ),
  ],
  ['rolls back a write that never landed', /never landed/, (steps) => without(steps, 'call.succeeded')],
];

describe('the ledger of a write that lands late', () => {
  test('agrees with the model', async () => {
    const steps = await landedLate();
    expect(steps.map(typeOf).slice(-3)).toEqual(['call.succeeded', 'rollback.started', 'rollback.succeeded']);
    expect(partingOf(steps)).toBeNull();
  });

  test('may recover the rollback as often as the limit says', async () => {
    const steps = await landedLate();
    const recoveries = Array.from({ length: 3 }, () => beside(steps, 'recovery.started'));
    expect(partingOf(withAfter(steps, 'rollback.started', ...recoveries))).toBeNull();
  });

  test.each(faults)('parts from the model if it %s', async (_, says, change) => {
    expect(partingOf(change(await landedLate()))).toMatch(says);
  });
});

describe('a store, in every test', () => {
  test('has the late records of its ledgers judged', async () => {
    const before = judged();
    const { ledgers, steps } = before;
    const written = await landedLate();
    expect(judged()).toEqual({ ledgers: ledgers + 1, steps: steps + written.length });
    expect(takePartings()).toEqual([]);
  });

  test('is found out where it stores another late record', async () => {
    await landedLate((step) =>
      step.record.kind === 'orphan' && step.record.fact?.type === 'rollback.started'
        ? { ...step, record: { ...step.record, fact: { ...step.record.fact, digest: 'sha256:another' } } }
        : step,
    );
    expect(takePartings()).toEqual([expect.stringMatching(/a late write is rolled back that never landed/)]);
  });
});

describe('the ledger of a write that its run knows', () => {
  test('parts from the model if the write is rolled back beside the run', async () => {
    const steps = await landedInTime(draft());
    const started = beside(steps, 'rollback.started');
    expect(partingOf(steps)).toBeNull();
    expect(partingOf(withAfter(steps, 'call.succeeded', started))).toMatch(/that its run knows/);
  });

  test('may take the write back once it has settled, and once only', async () => {
    const steps = await landedInTime(draft());
    const started = beside(steps, 'rollback.started', 'draft.proposed');
    const ended = beside(steps, 'rollback.succeeded', 'draft.proposed');
    expect(partingOf([...steps, started, ended])).toBeNull();
    expect(partingOf([...steps, started, ended, started])).toMatch(/starts twice/);
  });

  test('may have the late end of the rollback of its run, and no second rollback', async () => {
    const steps = await landedInTime();
    const ended = beside(steps, 'rollback.succeeded', 'rollback.succeeded');
    expect(partingOf([...steps, ended])).toBeNull();
    const started = beside(steps, 'rollback.started', 'rollback.succeeded');
    expect(partingOf([...steps, started])).toMatch(/that its run rolled back/);
  });
});
