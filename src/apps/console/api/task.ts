import type { Orchestrator } from '../../../core/shell/surface.ts';
import type { TaskView } from '../wire.ts';
import { beginningOf } from './beginning.ts';
import { rowsOf, summaryOf } from './inbox.ts';
import { railOf } from './rail.ts';
import { reasonsFor } from './reasons.ts';

/** Returns a task with its questions and violations; `undefined` if it does not exist. */
export const taskView = async (orchestrator: Orchestrator, taskId: string): Promise<TaskView | undefined> => {
  const summary = await summaryOf(orchestrator, taskId);
  if (summary === undefined) return undefined;
  const [records, open] = await Promise.all([orchestrator.ledger(taskId), orchestrator.inbox(taskId)]);
  return {
    summary,
    ...beginningOf(records),
    rail: railOf(records.map(({ to }) => to)),
    reasons: reasonsFor(summary, records, open),
    questions: await rowsOf(orchestrator, open),
    records: records.length,
  };
};
