import { onTestFinished } from 'vitest';
import { chartVersion } from '../../../../machines/index.ts';
import { createOrchestrator, defineTaskClass, type InboxEntry } from '../../../../src/index.ts';
import { rankOf } from '../../../../src/base/feedback/weight.ts';
import type { Store, TaskIndexEntry } from '../../../../src/base/ports/store.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { deadlineOf, saying, stepOf } from '../../stores/steps.ts';
import { draft, scriptedModel } from './scripted.ts';

export type Weight = Pick<InboxEntry, 'severity' | 'priority'>;

/** How a task stands that was never run: its thread, parent, state and the weight of each question. */
export interface Parked {
  readonly threadId?: string;
  readonly parent?: string;
  readonly isSettled?: boolean;
  readonly awaits?: number;
  readonly questions?: readonly Weight[];
}

const questionOf = (taskId: string, at: number, weight: Weight) => ({
  taskId,
  path: [taskId],
  question: { id: `question ${at}`, kind: 'plan', deadline: null },
  message: { messageId: `${taskId} asks ${at}`, explanation: 'May it go on?' },
  ...weight,
});

/** Returns the index entry of a task as the orchestrator writes it. */
export const parkedEntry = (
  taskId: string,
  { threadId = 'thread', parent, isSettled = false, awaits = 0, questions = [] }: Parked = {},
): Partial<TaskIndexEntry> => {
  const open = questions.map((weight, at) => questionOf(taskId, at, weight));
  const state = isSettled ? 'completed' : 'needsHumanDecision';
  const outcome = isSettled ? 'success' : 'pending';
  const summary = { taskId, threadId, taskClass: 'work', state, outcome, reasons: [], isSettled };
  return {
    threadId,
    parent: parent ?? null,
    isSettled,
    isOwed: false,
    asking: open.length,
    awaits,
    rank: open.map((one) => rankOf(one)).toSorted()[0] ?? '',
    chart: chartVersion,
    summary: JSON.stringify({ summary, open, chart: chartVersion }),
  };
};

const year = 365 * 86_400_000;

/** Writes a task that waits; loading it would throw. */
export const park = async (store: Store, taskId: string, given: Parked = {}): Promise<void> => {
  const questions = given.questions ?? [];
  const at = Date.parse('2026-11-21T05:00:00Z') + 100 * year;
  await store.commit(
    stepOf(0, {
      taskId,
      indexEntry: parkedEntry(taskId, given),
      deadlines: questions.length > 0 || given.awaits !== undefined ? [deadlineOf('question 0', at)] : [],
      emissions: questions.map((_, index) => saying(`${taskId} asks ${index}`)),
    }),
  );
};

/** An orchestrator over tasks that were written, and never run. */
export const desk = async (taskIds: readonly string[] = [], questions: readonly Weight[] = [{}]) => {
  const database = memoryDatabase();
  const store = database.connect();
  const errors: unknown[] = [];
  const orchestrator = createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'work', tools: [] })],
    model: scriptedModel([draft()]).model,
    store: database.connect(),
  });
  orchestrator.on('error', ({ error }) => errors.push(error));
  onTestFinished(() => orchestrator.close());
  for (const taskId of taskIds) await park(store, taskId, { questions });
  return { orchestrator, store, errors };
};
