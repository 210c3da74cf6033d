import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import type { LedgerRecord } from '../../src/base/ports/ledger.ts';
import type { Step } from '../../src/base/ports/store.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, readTool } from '../src/core/shell/scripted.ts';
import { newFile } from '../src/stores/folder.ts';
import type { TracedStep } from './hours.ts';
import { partingOf, validateTrace } from './trace.ts';
import { judged, takePartings } from './watched/traces.ts';

const day = 86_400_000;

/** The steps of a task that reads, asks a person about its draft, and fails when no one answers. */
const played = async (inner: Store, change: (step: Step) => Step = (step) => step) => {
  const steps: Step[] = [];
  const store = {
    ...inner,
    commit: (step: Step) => {
      const changed = change(step);
      steps.push(changed);
      return inner.commit(changed);
    },
  };
  const one = scene({
    model: [plan([call('read')]), draft({}, { confidence: 0.1 })],
    tools: [readTool('read')],
    taskClass: { maxAge: 30 * day },
    options: { store },
  });
  const taskId = await one.submit();
  await one.clock.advance(8 * day);
  await one.ended(taskId);
  return steps;
};

const steps = (): Promise<readonly Step[]> => played(memoryStore());

const isPassing = ({ record: { fact } }: Step): boolean => fact?.type === 'deadline.passed';

type Change = (step: Step, at: number, all: readonly Step[]) => TracedStep;

const recorded = (step: Step, changes: Partial<LedgerRecord>): TracedStep => ({
  ...step,
  record: { ...step.record, ...changes },
});

const faults: readonly (readonly [what: string, says: RegExp, change: Change])[] = [
  [
    'goes where no fact led',
    /state is "submitted", and the model says "needsHumanDecision"/,
    (step) =>
      step.record.to === 'needsHumanDecision' ? recorded(step, { to: 'submitted.plan.asking' }) : step,
  ],
  [
    'is in another phase',
    /phase is "verify", and the model says "execute"/,
    (step) =>
      step.record.to.startsWith('submitted.execute') ? recorded(step, { to: 'submitted.verify' }) : step,
  ],
  [
    'lets a fact in that is not about it',
    /taken is true, and the model says false/,
    (step) =>
      step.record.fact?.type === 'call.started'
        ? recorded(step, { fact: { ...step.record.fact, digest: 'forged' } })
        : step,
  ],
  [
    'keeps out what is about it',
    /taken is false, and the model says true/,
    (step) =>
      step.record.fact?.type === 'call.succeeded'
        ? recorded(step, { kind: 'orphan', to: step.record.from })
        : step,
  ],
  [
    'changes its state by a refusal',
    /a record of kind "refusal" changed the state/,
    (step) =>
      step.record.fact?.type === 'plan.proposed' ? recorded(step, { kind: 'refusal', fact: null }) : step,
  ],
  [
    'ends otherwise',
    /state is "completed", and the model says "failed"/,
    (step) => (isPassing(step) ? recorded(step, { to: 'completed.settled' }) : step),
  ],
  [
    'asks without a deadline',
    /the deadline "question .*" does not run/,
    (step) => ({ ...step, deadlines: step.deadlines.filter(({ of }) => of !== 'question') }),
  ],
  [
    'times what is over',
    /the deadline "accept .*" runs, and nothing waits for it/,
    (step, at, all) => ({ ...step, deadlines: [...step.deadlines, ...(all[at - 1]?.deadlines ?? [])] }),
  ],
  [
    'lets a deadline pass before its hour',
    /the deadline "question .*" passed before its hour/,
    (step) => (isPassing(step) ? recorded(step, { timestamp: '2026-11-21T05:00:00Z' }) : step),
  ],
  [
    'moves the hour of evidence',
    /the deadline "evidence .*" has another hour/,
    (step, index) => ({
      ...step,
      deadlines: step.deadlines.map((one) => (one.of === 'evidence' ? { ...one, at: one.at + index } : one)),
    }),
  ],
];

describe('a ledger', () => {
  test('that an orchestrator wrote is what the model makes of it', async () => {
    const written = await steps();
    expect(written.length).toBeGreaterThan(6);
    expect(written.some(isPassing)).toBe(true);
    expect(partingOf(written)).toBeNull();
    validateTrace({ records: written.map(({ record }) => record), deadlines: [] });
  });

  test.each(faults)('that %s does not agree with the model', async (_, says, change) => {
    expect(partingOf((await steps()).map(change))).toMatch(says);
  });

  test('whose last deadlines are wrong does not agree with the model', async () => {
    const records = (await steps()).map(({ record }) => record);
    const deadlines = [{ of: 'question', id: 'nothing', at: 0 } as const];
    expect(() => validateTrace({ records, deadlines })).toThrow(
      'the deadline "question nothing" runs, and nothing waits for it',
    );
  });

  test('of another chart is not read', async () => {
    const [opening, ...rest] = await steps();
    const { record } = opening!;
    const other = recorded(opening!, { brought: { ...record.brought, chart: '0.0' } });
    expect(partingOf([other, ...rest.map((step) => recorded(step, { kind: 'refusal' }))])).toBeNull();
  });
});

describe.each([
  ['in memory', memoryStore],
  ['in a file', () => sqliteStore(newFile())],
])('a store %s, in every test', (_, open) => {
  test('has its ledgers judged when they settle', async () => {
    const before = judged().ledgers;
    await played(open());
    expect(judged().ledgers).toBe(before + 1);
    expect(takePartings()).toEqual([]);
  });

  test('is found out where it stores no deadlines', async () => {
    await played(open(), (step) => ({
      ...step,
      deadlines: step.deadlines.filter(({ of }) => of !== 'model'),
    }));
    expect(takePartings()).toEqual([expect.stringMatching(/the deadline "model .*" does not run/)]);
  });

  test('is found out where it stores a document that does not fit its schema', async () => {
    await played(open(), (step) => ({
      ...step,
      emissions: step.emissions.map((emission) =>
        emission.name === 'UpFormatMessage' && emission.document.state === 'failed'
          ? { ...emission, document: { ...emission.document, threadId: 'thread-1' } }
          : emission,
      ),
    }));
    expect(takePartings()).toEqual([expect.stringMatching(/UpFormatMessage of record \d+ does not fit/)]);
  });
});
