import { expect, onTestFinished } from 'vitest';
import {
  createOrchestrator,
  defineTaskClass,
  type InboxEntry,
  type Orchestrator,
  type OrchestratorOptions,
  type Store,
  type TaskClassDefinition,
  type Tool,
} from '../../../../src/index.ts';
import { unreadFeedback } from '../../../../src/base/feedback/feedback.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { checkDocuments, checkLedger, checkRecords } from './scene.ts';
import { identity, scriptedModel, scriptedPolicy, type Script } from './scripted.ts';
import { settle, simulatedClock } from './simulated-clock.ts';
import { isOfTool } from '../../../fixtures/is-of-tool.ts';

export interface Given {
  readonly model?: Script;
  readonly tools?: readonly Tool[];
  readonly taskClass?: Partial<TaskClassDefinition>;
  readonly options?: Partial<OrchestratorOptions>;
  /** Wraps the store of an orchestrator. */
  readonly store?: (inner: Store) => Store;
}

/** One database and one clock, which outlive every orchestrator on them. */
export const machine = () => {
  const clock = simulatedClock();
  const database = memoryDatabase();
  const reader = database.connect();
  const running = new Set<Orchestrator>();

  const closed = async (orchestrator: Orchestrator): Promise<void> => {
    running.delete(orchestrator);
    const done = orchestrator.close();
    await clock.advance(5_000);
    await done;
  };

  /** Starts an orchestrator, as a new process does. */
  const start = (given: Given = {}) => {
    const { model, turns } = scriptedModel(given.model ?? []);
    const { tools = [] } = given;
    const connection = database.connect();
    const orchestrator = createOrchestrator({
      taskClasses: [
        defineTaskClass({ id: 'work', tools: tools.map(({ name }) => name), ...given.taskClass }),
      ],
      model,
      tools,
      policy: scriptedPolicy('allow').policy,
      store: given.store?.(connection) ?? connection,
      clock,
      ...given.options,
    });
    running.add(orchestrator);
    const errors: unknown[] = [];
    orchestrator.on('error', ({ error }) => {
      if (!isOfTool(error)) errors.push(error);
    });
    const submit = async (payload: Readonly<Record<string, unknown>> = {}, key?: string) => {
      const { taskId } = await orchestrator.submit(
        { taskClass: 'work', payload, identity },
        key === undefined ? {} : { key },
      );
      await settle();
      return taskId;
    };
    const question = async (): Promise<InboxEntry> => {
      const inbox = await orchestrator.inbox();
      expect(inbox).toHaveLength(1);
      return inbox[0]!;
    };
    const answer = async (type: string, content?: unknown, more: object = {}): Promise<void> => {
      const { message } = await question();
      const target = message.messageId;
      await orchestrator.respond(
        unreadFeedback({ type, target, ...(content !== undefined && { content }) }),
        { by: 'dana', ...more },
      );
      await settle();
    };
    const recover = async () => {
      const recovery = await orchestrator.recover();
      await settle();
      return recovery;
    };
    return {
      orchestrator,
      turns,
      errors,
      submit,
      question,
      answer,
      recover,
      close: () => closed(orchestrator),
      /** Ends the process: the operating system closes its connection, and no other process is notified. */
      crash: async (): Promise<void> => {
        running.delete(orchestrator);
        await connection.close();
      },
    };
  };

  const recordsOf = async (taskId: string) => (await reader.load(taskId))?.records ?? [];
  const factsOf = async (taskId: string): Promise<readonly string[]> =>
    (await recordsOf(taskId)).flatMap(({ kind, fact }) =>
      kind === 'fact' && fact !== null ? [fact.type] : [],
    );
  const stateOf = async (taskId: string) => (await recordsOf(taskId)).at(-1)?.to;

  onTestFinished(async () => {
    await Promise.all([...running].map(closed));
    for (const { taskId } of await reader.taskIndex()) {
      const stored = await reader.load(taskId);
      checkDocuments(stored?.emissions ?? []);
      checkRecords(stored?.records ?? []);
      await checkLedger(stored?.records ?? [], stored?.emissions ?? []);
    }
  });
  return { clock, database, reader, start, recordsOf, factsOf, stateOf };
};
