import * as z from 'zod';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import type { By } from '../../../core/shell/by.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { stuckActions, type StuckLine } from '../wire.ts';
import { beginningOf } from './beginning.ts';

/** Stuck tasks in the list. */
const most = 50;

const Order = z.strictObject({ taskId: z.string().min(1), action: z.enum(stuckActions) });

/** Returns the tasks that nothing goes on with, those that began first. */
export const stuckTasks = async (orchestrator: Orchestrator): Promise<readonly StuckLine[]> =>
  Promise.all(
    (await orchestrator.stuck({ limit: most })).map(async (task) => ({
      ...task,
      ...beginningOf(await orchestrator.ledger(task.taskId).catch(() => [])),
    })),
  );

/** Does what an operator asked for a stuck task. `by` comes from your `identity`, never from the page. */
export const operate = async (orchestrator: Orchestrator, body: unknown, by: By['by']): Promise<void> => {
  const { taskId, action } = parseDocument('order', Order, body);
  switch (action) {
    case 'retry':
      return orchestrator.retry(taskId);
    case 'skip':
      return orchestrator.skip(taskId);
    case 'cancel':
      return orchestrator.cancel(taskId, { by });
  }
};
