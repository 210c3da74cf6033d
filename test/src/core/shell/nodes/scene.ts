import { onTestFinished } from 'vitest';
import {
  createOrchestrator,
  defineTaskClass,
  type OrchestratorOptions,
  type Store,
  type TaskClassDefinition,
  type Tool,
} from '../../../../../src/index.ts';
import { verifyLedger } from '../../../../../src/core/ledger/index.ts';
import { postgresStore } from '../../../../../src/stores/postgres.ts';
import type { Cluster } from '../../../../postgres.ts';
import { identity, scriptedModel, scriptedPolicy, type Script } from '../scripted.ts';
import { isOfTool } from '../../../../fixtures/is-of-tool.ts';
import { eventually } from '../../../../waits.ts';

/** Milliseconds of a lease that no test waits for. */
const restful = 60_000;

/** Milliseconds of a lease that lapses within a test. */
export const shortLease = 600;

export interface Given {
  readonly model?: Script;
  readonly tools?: readonly Tool[];
  readonly taskClass?: Partial<TaskClassDefinition>;
  readonly options?: Partial<OrchestratorOptions>;
  /** Wraps the store of the node. */
  readonly store?: (inner: Store) => Store;
}

let sites = 0;

/** Orchestrators on one schema of a server, each as a process of its own. */
export const site = (cluster: Cluster, lease = restful) => {
  const schema = `site_${(sites += 1)}`;
  const connect = (): Store => {
    // no thread renews: a node that a test freezes is frozen as a whole
    const store = postgresStore({ connectionString: cluster.url(), schema, lease, poll: 50, maxStall: 0 });
    onTestFinished(() => store.close());
    return store;
  };
  const reader = connect();

  const start = (given: Given = {}) => {
    const { model, turns } = scriptedModel(given.model ?? []);
    const { tools = [] } = given;
    const connection = connect();
    const orchestrator = createOrchestrator({
      taskClasses: [
        defineTaskClass({ id: 'work', tools: tools.map(({ name }) => name), ...given.taskClass }),
      ],
      model,
      tools,
      policy: scriptedPolicy('allow').policy,
      store: given.store?.(connection) ?? connection,
      ...given.options,
    });
    onTestFinished(() => orchestrator.close());
    const errors: unknown[] = [];
    const lost: string[] = [];
    orchestrator.on('lost', ({ taskId }) => lost.push(taskId));
    orchestrator.on('error', ({ error }) => {
      if (!isOfTool(error)) errors.push(error);
    });
    const submit = async () =>
      (await orchestrator.submit({ taskClass: 'work', payload: {}, identity })).taskId;
    const question = () =>
      eventually(async () => {
        const [first] = await orchestrator.inbox();
        if (first === undefined) throw new Error('nothing is asked');
        return first;
      });
    const answer = async (type: 'approve' | 'reject') => {
      const { message } = await question();
      await orchestrator.respond({ type, target: message.messageId }, { by: 'dana' });
    };
    return { orchestrator, connection, turns, errors, lost, submit, question, answer };
  };

  const recordsOf = async (taskId: string) => (await reader.load(taskId))?.records ?? [];
  const factsOf = async (taskId: string): Promise<readonly string[]> =>
    (await recordsOf(taskId)).flatMap(({ kind, fact }) =>
      kind === 'fact' && fact !== null ? [fact.type] : [],
    );
  /** Who holds a task; `null` for no one. */
  const holderOf = async (taskId: string): Promise<string | null> => {
    const text = `SELECT holder::text FROM ${schema}.task WHERE task_id = '${taskId}'`;
    const [row] = (await cluster.sql(text)) as readonly { readonly holder: string | null }[];
    return row?.holder ?? null;
  };
  const verified = async (taskId: string): Promise<boolean> =>
    (await verifyLedger(await recordsOf(taskId))).intact;
  return { start, connect, reader, schema, recordsOf, factsOf, holderOf, verified };
};

/** The store of a node that renews no lease and takes no task anew, while its work goes on. */
export const unrenewed = (inner: Store): Store => ({
  ...inner,
  keep: async (holds) => holds,
  take: async (able, limit, only) => (only === undefined ? [] : inner.take(able, limit, only)),
});

/** Waits for milliseconds. */
export const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A clock that is hours ahead of the machine's. */
export const shifted = (hours: number) => ({
  now: () => Date.now() + hours * 3_600_000,
  wakeAt: (at: number, wake: () => void) => {
    const timer = setTimeout(wake, Math.max(0, at - hours * 3_600_000 - Date.now()));
    return () => clearTimeout(timer);
  },
  monotonic: () => performance.now(),
});
