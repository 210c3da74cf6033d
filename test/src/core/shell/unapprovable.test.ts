import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOrchestrator, defineTaskClass, defineTaskTool } from '../../../../src/index.ts';
import type { OrchestratorOptions, TaskClassDefinition } from '../../../../src/index.ts';
import * as z from 'zod';
import { trusting } from './approvals.ts';
import { readTool, writeTool } from './scripted.ts';

const warned: unknown[] = [];
beforeEach(() => {
  warned.length = 0;
  vi.spyOn(process, 'emitWarning').mockImplementation((...given: unknown[]) => void warned.push(given));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const high = writeTool('refund', { tier: 'write_high_risk' });
const model = { answer: () => Promise.reject(new Error('is not asked')) };

const created = async (
  contract: Partial<TaskClassDefinition> = {},
  options: Partial<OrchestratorOptions> = {},
): Promise<void> => {
  const taskClass = defineTaskClass({ id: 'support', tools: ['refund'], ...contract });
  const one = createOrchestrator({ tools: [high], taskClasses: [taskClass], model, ...options });
  await one.close();
};

it('warns of a high-risk tool that no one can approve, and names the option', async () => {
  await created({ authorities: ['approval'] });
  expect(warned).toEqual([
    [
      expect.stringMatching(
        /^no one can approve a call of "refund" in task class "support": .*`approvals`.*'human' in `authorities`/,
      ),
      { type: 'AgentCharterWarning', code: 'AGENTCHARTER_NO_APPROVER' },
    ],
  ]);
});

it('warns of a task that may call such a tool', async () => {
  const ask = defineTaskTool({
    name: 'ask',
    description: '',
    tier: 'read_only',
    input: z.object({}),
    taskClass: 'inner',
    request: () => ({ payload: {} }),
  });
  const outer = defineTaskClass({ id: 'outer', tools: ['ask'], authorities: ['approval'] });
  const inner = defineTaskClass({ id: 'inner', tools: ['refund'], authorities: ['human'] });
  await created({}, { tools: [ask, high], taskClasses: [outer, inner] });
  expect(warned).toEqual([[expect.stringContaining('"ask" in task class "outer"'), expect.anything()]]);
});

it.each<[string, Partial<TaskClassDefinition>, Partial<OrchestratorOptions>]>([
  ['approvals are verified', { authorities: ['approval'] }, { approvals: trusting }],
  ['the task class names no authorities: a person approves', {}, {}],
  ['a person may approve without a token', { authorities: ['approval', 'human'] }, {}],
  ['a system may approve', { authorities: ['system'] }, {}],
  ['the tool is of low risk', { authorities: ['approval'] }, { tools: [writeTool('refund')] }],
  ['the tool reads', { authorities: ['approval'] }, { tools: [readTool('refund')] }],
  ['the task class does not name the tool', { authorities: ['approval'], tools: [] }, {}],
])('does not warn if %s', async (_, contract, options) => {
  await created(contract, options);
  expect(warned).toEqual([]);
});

it('does not warn a guest, whose owner approves', async () => {
  const taskClass = defineTaskClass({ id: 'support', tools: ['refund'], authorities: ['approval'] });
  await createOrchestrator({ tools: [high], taskClasses: [taskClass], role: 'guest' }).close();
  expect(warned).toEqual([]);
});
