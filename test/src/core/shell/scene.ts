import { expect, onTestFinished } from 'vitest';
import {
  EvidenceObject,
  MessageEnvelope,
  Outcome,
  UpFormatMessage,
  Uuid,
  VerificationReport,
  type UpFeedback,
} from '../../../../schema/index.ts';
import {
  defineTaskClass,
  defineVerifier,
  isCharterError,
  type CharterError,
  type Emission,
  type Findings,
  type InboxEntry,
  type OrchestratorOptions,
  type TaskClassDefinition,
  type Tool,
  type VerificationSubject,
  type Verifier,
} from '../../../../src/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import type { Step, StoredTask } from '../../../../src/base/ports/store.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { unreadFeedback } from '../../../../src/base/feedback/feedback.ts';
import { replay, verifyLedger } from '../../../../src/core/ledger/index.ts';
import type { Engine } from '../../../../src/core/shell/engine.ts';
import { loadRooms, rooms } from '../../../../src/core/orchestrator.ts';
import { createEngine } from '../../../../src/core/shell/orchestrator.ts';
import { rehydrate } from '../../../../src/core/shell/rehydrate.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { identity, plan, scriptedModel, scriptedPolicy, draft, type Script } from './scripted.ts';
import { settle, simulatedClock } from './simulated-clock.ts';

await loadRooms(); // at the first use of one, that takes longer than a scene waits

export interface Invocation {
  readonly tool: string;
  readonly arguments: unknown;
  readonly key: string;
  readonly attempt: number;
  readonly answer: UpFeedback | null;
  readonly met: unknown;
}

type Verify = (
  subject: VerificationSubject,
  signal: AbortSignal,
) => Findings | Promise<Findings> | Promise<never>;

export interface Given {
  readonly model?: Script;
  readonly tools?: readonly Tool[];
  readonly verifiers?: Readonly<Record<string, Verify>>;
  readonly policy?: Parameters<typeof scriptedPolicy>[0] | null;
  readonly taskClass?: Partial<TaskClassDefinition>;
  readonly options?: Partial<OrchestratorOptions>;
}

export const passes: Verify = () => ({ checks: [{ check_id: 'looks right', result: 'pass' }] });
export const fails: Verify = () => ({ checks: [{ check_id: 'looks right', result: 'fail' }] });

const schemas = {
  UpFormatMessage,
  ReceivedMessage: UpFormatMessage,
  MessageEnvelope,
  EvidenceObject,
  VerificationReport,
};

/** Checks that every emitted document fits its schema, and that evidence has the hash of its payload. */
export const checkDocuments = (documents: readonly Emission[]): void => {
  for (const { name, document } of documents) {
    expect(schemas[name].safeParse(document), name).toMatchObject({ success: true });
    expect(JSON.parse(JSON.stringify(document)), name).toEqual(document);
    if (name === 'EvidenceObject') expect(document.hash).toBe(digest(document.payload));
  }
};

/** Checks that every record has the members of UAICP 5.4 and continues the state of the previous one. */
export const checkRecords = (records: readonly LedgerRecord[]): void => {
  let at = 'nowhere';
  records.forEach((record, seq) => {
    expect(record.seq).toBe(seq);
    expect(Uuid.safeParse(record.request_id).success).toBe(true);
    expect(record.trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(record.timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(record.actor.kind).toMatch(/^(?:system|agent|human)$/);
    expect(record.actor.id).toMatch(/^[\x20-\x7e]{1,128}$/);
    expect(Outcome.safeParse(record.outcome).success).toBe(true);
    if (seq > 0) expect(record.from, `record ${seq}`).toBe(at);
    if (record.kind !== 'fact') expect(record.to).toBe(record.from);
    at = record.to;
  });
};

/** Checks that the ledger is intact and that its facts replay to its states and hashes (DESIGN 1, rule 7). */
export const checkLedger = async (
  records: readonly LedgerRecord[],
  emissions: readonly Emission[],
): Promise<void> => {
  expect(await verifyLedger(records, { emissions })).toMatchObject({ intact: true, findings: [] });
  expect(replay(records)).toMatchObject({ same: true, records: records.length, findings: [] });
};

/** Checks that a task's projection in memory equals that of its whole ledger. Skips a task that changes meanwhile. */
const checkProjection = async (
  stored: StoredTask,
  before: ReturnType<Engine['peek']>,
  peek: Engine['peek'],
): Promise<void> => {
  const { records, indexEntry } = stored;
  if (before === undefined || records.some(({ kind }) => kind === 'erasure')) return;
  const { projection } = await rehydrate(stored);
  if (peek(indexEntry.taskId)?.projection === before.projection)
    expect(before.projection).toEqual(projection);
};

const sequence = (): { uuid: () => string; traceId: () => string } => {
  let last = 0;
  const hex = (digits: number) => (last += 1).toString(16).padStart(digits, '0');
  return { uuid: () => `00000000-0000-4000-8000-${hex(12)}`, traceId: () => hex(32) };
};

/** A store that can be made to fail or to wait. */
export const brittleStore = (database = memoryDatabase()) => {
  const inner = database.connect();
  const reader = database.connect();
  let refusal: ((step: Step) => 'conflict' | Error | undefined) | undefined;
  let slow: (() => Promise<unknown>) | undefined;
  return {
    ...inner,
    /** Returns what is stored, even after the store is closed. */
    all: async (): Promise<readonly StoredTask[]> => {
      const stored = (await reader.taskIndex()).map(({ taskId }) => reader.load(taskId));
      return (await Promise.all(stored)).flatMap((task) => task ?? []);
    },
    records: async (taskId: string) => (await reader.load(taskId))?.records ?? [],
    commit: async (step: Step) => {
      await slow?.();
      const answer = refusal?.(step);
      if (answer instanceof Error) throw answer;
      return answer ?? inner.commit(step);
    },
    /** Delays every commit until the returned function is called. */
    delay: (until: () => Promise<unknown>): (() => void) => {
      slow = until;
      return () => {
        slow = undefined;
      };
    },
    /** Rejects commits from now on; `undefined` ends that. */
    refuse: (how: typeof refusal): void => {
      refusal = how;
    },
  };
};

/** One orchestrator with scripted surroundings; its documents and records are checked when the test ends. */
export const scene = (given: Given = {}) => {
  const clock = simulatedClock();
  const store = brittleStore();
  const { model, turns } = scriptedModel(given.model ?? [plan(), draft()]);
  const policy = scriptedPolicy(given.policy ?? 'allow');
  const invocations: Invocation[] = [];
  const undone: string[] = [];
  const definition: TaskClassDefinition = {
    id: 'work',
    tools: (given.tools ?? []).map(({ name }) => name),
    ...given.taskClass,
  };
  const watched = (tool: Tool): Tool => ({
    ...tool,
    call: (input, context) => {
      const { key, attempt, answer, met } = context;
      invocations.push({ tool: tool.name, arguments: input, key, attempt, answer, met });
      return tool.call(input, context);
    },
    rollback: tool.rollback && {
      ...tool.rollback,
      run: async (action, context) => {
        undone.push(tool.name);
        return tool.rollback?.run(action, context);
      },
    },
  });
  const verifiers = Object.entries(given.verifiers ?? {}).map(([id, verify]): Verifier =>
    defineVerifier({ id, verify: (subject, { signal }) => verify(subject, signal) }),
  );
  const { orchestrator, peek } = createEngine(rooms, {
    taskClasses: [defineTaskClass(definition)],
    model,
    tools: (given.tools ?? []).map(watched),
    verifiers,
    ...(given.policy !== null && { policy: policy.policy }),
    store,
    clock,
    ids: sequence(),
    ...given.options,
  });
  const errors: unknown[] = [];
  /** Errors of scripted functions; the test itself checks them. */
  const failedCallbacks: CharterError<'callback_failed'>[] = [];
  /** Outputs of the scripted model that a person is asked about. */
  const rejectedOutputs: CharterError<'document_invalid'>[] = [];
  orchestrator.on('error', ({ error }) => {
    if (isCharterError(error, 'callback_failed')) failedCallbacks.push(error);
    else if (isCharterError(error, 'document_invalid')) rejectedOutputs.push(error);
    else errors.push(error);
  });
  /** The last state of each task. */
  const states = new Map<string, string>();
  orchestrator.on('record', ({ taskId, to }) => states.set(taskId, to));
  const settledTasks: string[] = [];
  orchestrator.on('settled', ({ taskId }) => settledTasks.push(taskId));

  const check = async (): Promise<void> => {
    const views = new Map([...states.keys()].map((taskId) => [taskId, peek(taskId)]));
    for (const stored of await store.all()) {
      const { emissions: documents, records } = stored;
      await checkProjection(stored, views.get(stored.indexEntry.taskId), peek);
      checkDocuments(documents);
      checkRecords(records);
      await checkLedger(records, documents);
    }
    expect(errors).toEqual([]);
  };
  const submit = async (payload: Readonly<Record<string, unknown>> = { wish: 'a list' }) => {
    const { taskId } = await orchestrator.submit({ taskClass: 'work', payload, identity });
    await settle();
    return taskId;
  };
  const stateOf = (taskId: string): string => states.get(taskId) ?? 'nowhere';
  const reasonsOf = async (taskId: string): Promise<readonly string[]> =>
    (await orchestrator.list()).flatMap((task) =>
      task.taskId === taskId ? task.reasons.map(({ code }) => code) : [],
    );

  /** Returns how a task ended; fails if the task has not settled by now. */
  const ended = async (taskId: string) => {
    for (let turns = 0; turns < 50 && !settledTasks.includes(taskId); turns += 1) await settle();
    expect(stateOf(taskId)).toMatch(/^(?:completed\.settled|failed|cancelled)$/);
    return orchestrator.settled(taskId);
  };

  /** Returns the only open question. */
  const question = async (): Promise<InboxEntry> => {
    const inbox = await orchestrator.inbox();
    expect(inbox.map(({ question: { id } }) => id)).toHaveLength(1);
    return inbox[0]!;
  };
  const answer = async (
    type: UpFeedback['type'],
    content?: unknown,
    { by = 'dana', to, approval }: { by?: string; to?: InboxEntry; approval?: string } = {},
  ): Promise<void> => {
    const { message } = to ?? (await question());
    const feedback = { type, target: message.messageId, ...(content !== undefined && { content }) };
    await orchestrator.respond(unreadFeedback(feedback), { by, ...(approval !== undefined && { approval }) });
    await settle();
  };
  const facts = async (taskId: string): Promise<readonly string[]> =>
    (await orchestrator.ledger(taskId)).flatMap(({ kind, fact }) =>
      kind === 'fact' && fact !== null ? [fact.type] : [],
    );
  const statesOf = async (taskId: string): Promise<readonly string[]> =>
    (await orchestrator.documents(taskId)).flatMap(({ name, document }) =>
      name === 'UpFormatMessage' ? [document.state] : [],
    );
  const phases = async (taskId: string): Promise<readonly string[]> =>
    (await orchestrator.documents(taskId)).flatMap(({ name, document }) =>
      name === 'MessageEnvelope' ? [document.state] : [],
    );
  const close = async (): Promise<void> => {
    const closed = orchestrator.close();
    await clock.advance(5_000);
    await closed;
  };
  let isLeft = false;
  onTestFinished(async () => {
    if (isLeft) return;
    try {
      await check();
    } finally {
      await close();
    }
  });
  const made = {
    orchestrator,
    clock,
    store,
    turns,
    invocations,
    undone,
    asked: policy.asked,
    errors,
    settledTasks,
    submit,
    ended,
    stateOf,
    reasonsOf,
    question,
    answer,
    facts,
    states: statesOf,
    phases,
    /** Returns and clears the errors that a test provoked. */
    takeErrors: (): unknown[] => errors.splice(0),
    failedCallbacks,
    rejectedOutputs,
    /** Skips the final check, for a test that has checked and closed it itself. */
    leave: (): void => {
      isLeft = true;
    },
  };
  return made;
};

export type Scene = ReturnType<typeof scene>;
