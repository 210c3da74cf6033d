import type { Orchestrator } from 'agentcharter';

/** Ends a task and begins another from the same request, in the same thread. */
export const beginAnew = async (orchestrator: Orchestrator, taskId: string, by: string) => {
  const [opening] = await orchestrator.ledger(taskId);
  const { request } = opening?.brought ?? {};
  if (request === undefined) throw new Error(`the request of task ${taskId} was erased`);
  if (request.parent !== undefined)
    throw new Error(`task ${taskId} is a call of ${request.parent.path.at(-1)}`);
  await orchestrator.cancel(taskId, { by, key: `end ${taskId}` });
  const { message } = await orchestrator.settled(taskId); // names the writes that were not undone
  const anew = { ...request, parentMessageId: message.messageId };
  return orchestrator.submit(anew, { key: `anew ${taskId}` });
};
