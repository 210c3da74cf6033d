import { isCharterError } from '../errors.ts';
import { documentsForAgent, questionsForAgent, shownIn, type Shown } from '../core/shell/agent-view.ts';
import type { InboxEntry } from '../core/kernel/summary.ts';
import type { Emission } from '../ports/emission.ts';
import type { GuardContext } from './guard-context.ts';

/** Returns what decides what the agent of a task may see; of a task of another chart, as far as its documents say it. */
const shownBy = async ({ orchestrator, view }: GuardContext, taskId: string): Promise<Shown> => {
  try {
    return (await view(taskId)).projection;
  } catch (error) {
    if (!isCharterError(error, 'chart_unknown')) throw error;
    return shownIn(await orchestrator.documents(taskId));
  }
};

/** Returns the open questions of a task and its nested tasks as its agent may see them. */
export const questionsFor = async (context: GuardContext, taskId: string): Promise<readonly InboxEntry[]> =>
  questionsForAgent(await context.orchestrator.inbox(taskId), taskId, await shownBy(context, taskId));

/** Returns the documents that a task emitted as its agent may see them. */
export const documentsFor = async (context: GuardContext, taskId: string): Promise<readonly Emission[]> =>
  documentsForAgent(await context.orchestrator.documents(taskId), await shownBy(context, taskId));
