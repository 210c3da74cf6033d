import { expect } from 'vitest';
import { violationsOf } from '../../machines/index.ts';
import type { LedgerRecord } from '../../src/base/ports/ledger.ts';
import type { StoredTask } from '../../src/base/ports/store.ts';
import { memoryDatabase } from '../../src/stores/memory/database.ts';
import { openBank } from '../src/guard/bank.ts';
import { scene, type Scene } from '../src/core/shell/scene.ts';
import { call, draft, further, plan, readTool, writeTool } from '../src/core/shell/scripted.ts';
import { failedSafe, sentBack, type Attack, type Stop } from './attack.ts';

const number = 44;
const source = 'UpFormat 2.3';

/** What the gate of a write says of a task as it is stored, beside the question that is open. */
const gateOf = (stored: StoredTask | undefined): Stop | undefined => {
  const { context } = JSON.parse(stored?.snapshot ?? '{}') as { context: Parameters<typeof violationsOf>[1] };
  return violationsOf('write', context).find(({ code }) => code.startsWith('C'))?.code;
};

const stored = async ({ store }: Scene, taskId: string): Promise<StoredTask | undefined> =>
  (await store.all()).find(({ indexEntry }) => indexEntry.taskId === taskId);

/** A sure plan, sure rounds, and one that is not: its write is not made, and a person is asked. */
const rounds = (round: object, before = 0) =>
  scene({
    model: [
      plan([call('read')]),
      ...Array.from({ length: before }, (_, at) => further(call('read', { amount: at }))),
      { ...further(call('write')), ...round },
      draft(),
    ],
    tools: [readTool('read'), writeTool('write')],
    taskClass: { limits: { rounds: 4, revisions: 0 } },
  });

const paused = (attempt: string, expected: Stop, round: object, before = 0): Attack => ({
  number,
  attempt,
  expected,
  source,
  run: async () => {
    const control = rounds({ confidence: 0.51 }, before);
    expect(await control.ended(await control.submit())).toMatchObject({ outcome: 'success' });
    const one = rounds(round, before);
    const taskId = await one.submit();
    const { question } = await one.question();
    expect(question.kind).toBe('plan');
    const stop = gateOf(await stored(one, taskId));
    await one.answer('reject');
    expect(await failedSafe(one, taskId)).toBe('HUMAN_REJECTED');
    expect(one.invocations.map(({ tool }) => tool)).not.toContain('write');
    return stop;
  },
});

const unsure: readonly Attack[] = [
  paused('further calls with a confidence of 0.05, after a plan with a high one', 'CONFIDENCE_LOW', {
    confidence: 0.05,
  }),
  paused('further calls exactly as sure as the threshold', 'CONFIDENCE_LOW', { confidence: 0.5 }),
  paused('further calls of a confidence of 0', 'CONFIDENCE_LOW', { confidence: 0 }),
  paused('an unsure round after two sure ones', 'CONFIDENCE_LOW', { confidence: 0.05 }, 2),
  paused('further calls whose model says that it cannot proceed, with a high confidence', 'CANNOT_PROCEED', {
    canProceed: false,
    confidence: 1,
  }),
  paused('further calls of a model that states no confidence in words', 'CONFIDENCE_LOW', {
    confidence: 'unstated',
  }),
  {
    number,
    attempt: 'one waiver for every later round',
    expected: 'CONFIDENCE_LOW',
    source,
    run: async () => {
      const one = scene({
        model: [
          plan([call('read')], { confidence: 0.1 }),
          { ...further(call('write')), confidence: 0.1 },
          draft(),
        ],
        tools: [readTool('read'), writeTool('write')],
      });
      const taskId = await one.submit();
      await one.answer('approve');
      expect((await one.question()).question.kind).toBe('plan');
      const stop = gateOf(await stored(one, taskId));
      expect(one.invocations.map(({ tool }) => tool)).toEqual(['read']);
      await one.answer('approve');
      expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
      expect(one.invocations.map(({ tool }) => tool)).toEqual(['read', 'write']);
      return stop;
    },
  },
];

const invalid: readonly (readonly [string, unknown])[] = [
  ['Infinity', Number.POSITIVE_INFINITY],
  ['NaN', Number.NaN],
  ['1.0000001', 1.0000001],
  ['-0.0001', -0.0001],
  ['"0.9"', '0.9'],
  ['null', null],
  ['another word', 'certain'],
  ['nothing at all', undefined],
];

const none: readonly Attack[] = invalid.flatMap(([shown, confidence]) =>
  (['plan', 'further calls', 'draft'] as const).map((what): Attack => ({
    number,
    attempt: `a confidence of ${shown}, of a ${what}`.replace('a further', 'further'),
    expected: 'output.rejected',
    source,
    run: async () => {
      const outputs = {
        plan: plan([call('write')], { confidence }),
        'further calls': { ...further(call('write')), confidence },
        draft: draft({}, { confidence }),
      };
      const output = outputs[what];
      const one = scene({
        model: ({ asks }: { asks: string }) => {
          if (asks === 'correction') return { choice: 'fixed', output, explanation: 'again' };
          return asks === 'plan' && what !== 'plan' ? plan() : output;
        },
        tools: [writeTool('write')],
        taskClass: { limits: { revisions: 0 } },
      });
      return sentBack(one, await one.submit());
    },
  })),
);

/** What a ledger says of confidence, in facts and in documents. */
const confidenceIn = (records: readonly LedgerRecord[]): readonly unknown[] =>
  records.flatMap(({ fact, brought: { output } }) => [
    ...(fact !== null && 'confidence' in fact ? [fact.confidence] : []),
    ...(output?.upThought !== undefined && 'confidence' in output.upThought
      ? [output.upThought.confidence]
      : []),
  ]);

const open = (unstated: 'ask' | 'proceed') => {
  const store = memoryDatabase().connect();
  const bank = openBank({ unstated, limits: { revisions: 0 } }, { store });
  return { ...bank, gate: async (taskId: string) => gateOf(await store.load(taskId)) };
};

const hosted: readonly Attack[] = [
  {
    number,
    attempt: 'a host that states no confidence, in a class that wants to know it',
    expected: 'CONFIDENCE_LOW',
    source,
    run: async () => {
      const control = open('proceed');
      await using _ = control.guard;
      const sure = await control.begin();
      expect(await sure.call('note', { line: 'a' })).toMatchObject({ status: 'done' });
      expect(await sure.conclude({ payload: {} })).toMatchObject({ status: 'delivered' });
      const { orchestrator } = control.guard;
      const recorded = confidenceIn(await orchestrator.ledger(sure.taskId));
      expect(recorded.length).toBeGreaterThan(1);
      expect(new Set(recorded)).toEqual(new Set(['unstated']));
      const messages = (await orchestrator.documents(sure.taskId)).flatMap(({ name, document }) =>
        name === 'UpFormatMessage' && document.upThought ? [document.upThought] : [],
      );
      expect(messages.length).toBeGreaterThan(0);
      for (const thought of messages) expect(thought).not.toHaveProperty('confidence');
      const one = open('ask');
      await using __ = one.guard;
      const run = await one.begin();
      expect(await run.call('note', { line: 'a' })).toMatchObject({ status: 'paused' });
      expect(one.done).toEqual([]);
      const records = await one.guard.orchestrator.ledger(run.taskId);
      expect(confidenceIn(records)).toEqual(['unstated']);
      return one.gate(run.taskId);
    },
  },
  {
    number,
    attempt: 'a call with a confidence of 0.05, with two others: one without, and one with a high confidence',
    expected: 'CONFIDENCE_LOW',
    source,
    run: async () => {
      const one = open('proceed');
      await using _ = one.guard;
      const run = await one.begin();
      const calls = await Promise.all([
        run.call('note', { line: 'a' }, { confidence: 0.99 }),
        run.call('note', { line: 'b' }, { confidence: 0.05 }),
        run.call('note', { line: 'c' }),
      ]);
      expect(calls.map(({ status }) => status)).toEqual(['paused', 'paused', 'paused']);
      expect(one.done).toEqual([]);
      return one.gate(run.taskId);
    },
  },
];

/** Confidence, in every round in which a model proposes something. */
export const confidence: readonly Attack[] = [...unsure, ...none, ...hosted];
