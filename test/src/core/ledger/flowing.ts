import {
  createOrchestrator,
  defineTaskClass,
  type TaskClassDefinition,
  type Tool,
} from '../../../../src/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import type { Store } from '../../../../src/base/ports/store.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import {
  draft,
  further,
  identity,
  plan,
  scriptedPolicy,
  writeTool,
  type ProposedCall,
} from '../shell/scripted.ts';

/** The account that the request names. Any other is found nowhere. */
export const named = 'DE89370400440532013000';

export const fromRequest = { '/to': { from: ['request'] } } as const;
export const pays = (flows: Tool['flows'] = fromRequest): Tool =>
  writeTool('pay', { ...(flows && { flows }) });

interface Given {
  readonly tools?: readonly Tool[];
  readonly store?: Store;
  readonly taskClass?: Partial<TaskClassDefinition>;
  /** The calls of each task after those of its plan. */
  readonly later?: readonly ProposedCall[];
}

const contents: Readonly<Record<string, unknown>> = {
  edit: { value: { to: named } },
  instruction: 'Do without.',
};

/** Returns what a person answers: the word before the hyphen of the account; nothing for `open`, and for `late`. */
const answerTo = (action: unknown) => {
  const { to } = (action as { arguments: { to: unknown } }).arguments;
  const [type = ''] = /[a-z]+(?=-)/.exec(JSON.stringify(to)) ?? [];
  return type === 'open' || type === 'late'
    ? type
    : { type, ...(type in contents && { content: contents[type] }) };
};

/** Submits a task for each list of calls, and answers every question. Returns the orchestrator, and the tasks. */
export const flowing = async (
  tasks: readonly (readonly ProposedCall[])[],
  { tools = [pays()], store = memoryStore(), taskClass, later = [] }: Given = {},
) => {
  const planned = new Set<unknown>();
  const orchestrator = createOrchestrator({
    taskClasses: [
      defineTaskClass({
        id: 'work',
        tools: tools.map(({ name }) => name),
        authorities: ['human'],
        ...taskClass,
      }),
    ],
    tools,
    policy: scriptedPolicy().policy,
    store,
    model: {
      answer: async ({ asks, calls, request: { task } }) => {
        if (asks !== 'plan') return calls.length === 1 && later.length > 0 ? further(...later) : draft();
        const isAgain = planned.has(task); // after an instruction it does without
        planned.add(task);
        return plan(isAgain ? [] : tasks[Number(task)]);
      },
    },
  });
  let left: (() => void) | undefined;
  orchestrator.on('question', async ({ message: { messageId: target, payload } }) => {
    const answer = answerTo(payload['action']);
    if (answer === 'open') left?.();
    else if (answer !== 'late') await orchestrator.respond({ ...answer, target } as never, { by: 'dana' }); // it is of a type of answer
  });
  const taskIds: string[] = [];
  for (const task of tasks.keys()) {
    const isLeft = new Promise<void>((resolve, reject) => {
      left = resolve;
      orchestrator.on('error', ({ error }) => reject(error));
    });
    const { taskId } = await orchestrator.submit({
      taskClass: 'work',
      payload: { task, to: named },
      identity,
    });
    await Promise.race([orchestrator.settled(taskId), isLeft]);
    taskIds.push(taskId);
  }
  return { orchestrator, taskIds };
};

/** Runs the tasks, and returns their ledgers. */
export const ledgersOf = async (
  ...given: Parameters<typeof flowing>
): Promise<readonly (readonly LedgerRecord[])[]> => {
  const { orchestrator, taskIds } = await flowing(...given);
  const ledgers = await Promise.all(taskIds.map((taskId) => orchestrator.ledger(taskId)));
  await orchestrator.close();
  return ledgers;
};
