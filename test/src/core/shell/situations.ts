import type { CallContext, InboxEntry, Turn } from '../../../../src/index.ts';
import { expect } from 'vitest';
import { scene, type Given, type Scene } from './scene.ts';
import { call, draft, plan, readTool, writeTool } from './scripted.ts';

export const unsure = { confidence: 0.2 };
const breaks = () => {
  throw new Error('connection reset');
};
const asks = (_: unknown, { answer, needsHuman }: CallContext) =>
  answer === null
    ? needsHuman({ explanation: 'Which one?', payload: { options: ['a', 'b'] } })
    : { told: answer };

/** One open question of each kind, and the model's later answers. */
export const situations = {
  information: {
    model: [plan([], { canProceed: false, missing: { location: 'where to look' } }), plan(), draft()],
  },
  help: {
    model: ({ asks: what, answers }: Pick<Turn, 'asks' | 'answers'>) => {
      if (what === 'draft') return draft();
      if (answers.length === 0) return { nonsense: true };
      return what === 'plan' ? plan() : { choice: 'fixed', output: plan(), explanation: 'as you say' };
    },
    taskClass: { limits: { corrections: 0 } },
  },
  plan: {
    model: [
      plan([call('read')], { ...unsure, alternatives: [plan(), plan([], unsure)] }),
      ({ asks: what }: { asks: string }) => (what === 'plan' ? plan() : draft()),
      draft(),
    ],
    tools: [readTool('read')],
  },
  draft: {
    model: [
      plan(),
      draft({ n: 1 }, { ...unsure, alternatives: [draft({ n: 3 }, unsure)] }),
      ({ asks: what }: { asks: string }) => (what === 'plan' ? plan() : draft({ n: 2 })),
      draft({ n: 2 }),
    ],
  },
  approval: {
    model: [
      plan([call('write', { amount: 1 })]),
      ({ asks: what }: { asks: string }) => (what === 'plan' ? plan() : draft()),
      draft(),
    ],
    tools: [writeTool('write')],
    policy: ({ arguments: input }: { arguments: unknown }) => ({
      verdict: (input as { amount: number }).amount === 1 ? 'needs_review' : 'allow',
      reasons: [],
    }),
  },
  doubt: {
    model: [plan([call('write')]), draft()],
    tools: [
      writeTool('write', {
        call: ({ amount }, { attempt }) => (attempt === 0 && amount === undefined ? breaks() : null),
      }),
    ],
    taskClass: { limits: { repairs: 0 } },
  },
  tool: {
    model: [plan([call('ask')]), draft()],
    tools: [readTool('ask', { call: asks })],
    taskClass: { limits: { repairs: 0 } },
  },
  limit: {
    model: [plan([call('write', { amount: 1 }), call('write', { amount: 2 })]), draft()],
    tools: [writeTool('write')],
    taskClass: { limits: { calls: 1 } },
  },
  followup: {
    model: ({ asks: what }: { asks: string }) => (what === 'plan' ? plan() : draft()),
    taskClass: {
      followup: () => ({
        explanation: 'Shall I rank them?',
        payload: { by: ['price', 'skill'] },
        byDefault: { by: 'price' },
      }),
    },
  },
} as const satisfies Record<string, Given>;
export type Kind = keyof typeof situations;

/** Begins a task that asks a question of this kind. */
export const asked = async (
  kind: Kind,
): Promise<Scene & { readonly taskId: string; readonly open: InboxEntry }> => {
  const scenario = scene(situations[kind]);
  const taskId = await scenario.submit();
  const open = await scenario.question();
  expect(open.question.kind).toBe(kind);
  return { ...scenario, taskId, open };
};
