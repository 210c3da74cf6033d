import type { Store, Tool } from 'agentcharter';
import type { Step } from 'agentcharter/stores';
import { inMemory, type Medium } from './medium.ts';
import type { Parts } from './trial.ts';
import { draft, plan } from '../src/core/shell/scripted.ts';
import { hour } from './scenarios.ts';
import type { Declaration } from './backend.ts';

/** A store that writes something else than it was told. */
const writes =
  (change: (step: Step) => Step): Parts['store'] =>
  (store) => ({ ...store, commit: (step) => store.commit(change(step)) });

/** A store that says something else than it holds, once a process has begun again. */
const answers =
  (change: (store: Store) => Partial<Store>): Parts['store'] =>
  (store, life) =>
    life === 0 ? store : { ...store, ...change(store) };

const tools =
  (change: (tool: Tool, life: number, all: readonly Tool[]) => Partial<Tool>): Parts['options'] =>
  (options, _backend, life) => ({
    ...options,
    tools: options.tools?.map((tool, _, all) => ({ ...tool, ...change(tool, life, all) })) ?? [],
  });

/** A deadline of nothing, in the year 2100. */
const someday = { of: 'question', id: 'nothing', at: Date.parse('2100-01-01T00:00:00Z') } as const;

/** What it says is written is written with the next thing that is. */
const lazy: Parts['store'] = (store) => {
  let kept: Step | null = null;
  const flush = async (): Promise<void> => {
    const step = kept;
    kept = null;
    if (step !== null) await store.commit(step);
  };
  return {
    ...store,
    commit: async (step) => {
      await flush();
      if (step.record.fact?.type !== 'call.started') return store.commit(step);
      kept = step;
      return 'ok';
    },
    load: async (taskId) => {
      await flush();
      return store.load(taskId);
    },
  };
};

/** A write on its way is there after all. */
const hasty = (): Medium => ({ ...inMemory(), cut: async (write) => void (await write()) });

const undoneBy = (tool: Tool, other: Tool | undefined): Partial<Tool> =>
  other?.rollback && tool.rollback ? { rollback: { ...tool.rollback, run: other.rollback.run } } : {};

interface Fault {
  readonly scenario: string;
  readonly says: Declaration;
  readonly parts: Partial<Parts>;
  /** The law that it breaks. */
  readonly law: string;
}

/** What breaks the laws, by name; each must be found. */
export const faults: Readonly<Record<string, Fault>> = {
  'a store that forgets an intent that it acknowledged': {
    scenario: 'undone',
    says: 'unsafe',
    parts: { store: lazy },
    law: 'confirmed records survive a crash, and nothing else does',
  },
  'a store that keeps what it never acknowledged': {
    scenario: 'undone',
    says: 'unsafe',
    parts: { medium: hasty },
    law: 'confirmed records survive a crash, and nothing else does',
  },
  'a write that is repeated though its tool does not know its key': {
    scenario: 'approved',
    says: 'unsafe',
    parts: { options: tools(({ doubt }) => ({ doubt: doubt === 'unsafe' ? 'idempotent' : doubt })) },
    law: 'an effect happens once',
  },
  'a rollback that is repeated though its tool does not know its key': {
    scenario: 'undone',
    says: 'unsafe',
    parts: {
      options: tools(({ rollback }) => ({ rollback: rollback && { ...rollback, doubt: 'idempotent' } })),
    },
    law: 'an effect happens once',
  },
  'a key that is another in each life': {
    scenario: 'approved',
    says: 'idempotent',
    parts: {
      options: tools((tool, life) => ({
        call: (input, context) =>
          tool.call(input, { ...context, key: life === 0 ? context.key : `${context.key} again` }),
      })),
    },
    law: 'an effect has an earlier intent of its own',
  },
  'a write that is made before its intent': {
    scenario: 'approved',
    says: 'unsafe',
    parts: {
      options: (options) => ({
        ...options,
        policy: {
          decide: async ({ action, arguments: input }, given) => {
            const early = options.tools?.find(({ name }) => name === action);
            await early?.call(input, { ...given, key: 'early' } as never);
            return { verdict: 'allow', reasons: [] };
          },
        },
      }),
    },
    law: 'an effect has an earlier intent of its own',
  },
  'a write that says it only reads': {
    scenario: 'waiting',
    says: 'unsafe',
    parts: { options: tools(() => ({ tier: 'read_only' })) },
    law: 'no write begins before it is cleared',
  },
  'a look-up that misses what was done': {
    scenario: 'approved',
    says: 'reconcilable',
    parts: { options: tools(() => ({ lookup: async () => ({ found: 'absent' }) })) },
    law: 'an effect happens once',
  },
  'a look-up that sees what was not done': {
    scenario: 'approved',
    says: 'reconcilable',
    parts: { options: tools(() => ({ lookup: async () => ({ found: 'done', result: {} }) })) },
    law: 'writes are kept or undone as without a crash',
  },
  'a recovery that skips what is owed': {
    scenario: 'nested', // a task that somebody asks for is taken up all the same
    says: 'idempotent',
    parts: {
      store: answers((store) => ({
        taskIndex: async (which) => (which?.isOwed === true ? [] : store.taskIndex(which)),
      })),
    },
    law: 'a run ends as without a crash',
  },
  'a store that forgets deadlines': {
    scenario: 'expired',
    says: 'idempotent',
    parts: { store: writes((step) => ({ ...step, deadlines: [] })) },
    law: 'every open task is resumed',
  },
  'a clock that is three hours behind once a process has begun again': {
    scenario: 'expired',
    says: 'idempotent',
    parts: {
      options: ({ clock, ...options }, _backend, life) => ({
        ...options,
        ...(clock && {
          clock: {
            now: () => clock.now() - (life === 0 ? 0 : 3 * hour),
            wakeAt: (at, wake) => clock.wakeAt(at + (life === 0 ? 0 : 3 * hour), wake),
          },
        }),
      }),
    },
    law: 'an answer after its deadline does not count',
  },
  'a store that forgets the keys of senders': {
    scenario: 'undone',
    says: 'idempotent',
    parts: { store: writes((step) => ({ ...step, key: null })) },
    law: 'one submission begins one task',
  },
  'a store that forgets questions': {
    scenario: 'approved',
    says: 'idempotent',
    parts: {
      store: answers((store) => ({
        taskIndex: async (which) => (which?.isAsking === true ? [] : store.taskIndex(which)),
      })),
    },
    law: 'an open question stays open',
  },
  'a store that changes what it was told': {
    scenario: 'undone',
    says: 'idempotent',
    parts: {
      store: answers((store) => ({
        load: async (taskId) => {
          const stored = await store.load(taskId);
          const records = stored?.records.map((record) => ({ ...record, outcome: 'success' as const }));
          return stored && { ...stored, records: records ?? [] };
        },
      })),
    },
    law: 'every open task is resumed',
  },
  'a store that keeps an intent for good': {
    scenario: 'undone',
    says: 'idempotent',
    parts: {
      store: writes((step) => ({
        ...step,
        intents: [...step.intents, { kind: 'call', key: 'a', tool: 'first' }],
      })),
    },
    law: 'every effect has an outcome',
  },
  'a store that says something is owed for good': {
    scenario: 'undone',
    says: 'idempotent',
    parts: { store: writes((step) => ({ ...step, indexEntry: { ...step.indexEntry, isOwed: true } })) },
    law: 'no duty remains after the end',
  },
  'a rollback that undoes the other write': {
    scenario: 'undone',
    says: 'idempotent',
    parts: {
      options: tools((tool, _life, all) =>
        undoneBy(
          tool,
          all.find(({ name }) => name === { first: 'second', second: 'first' }[tool.name]),
        ),
      ),
    },
    law: 'the newest write is rolled back first',
  },
  'a tool that says it did what it did not': {
    scenario: 'undone',
    says: 'unsafe',
    parts: {
      options: tools((tool) => (tool.name === 'second' ? { call: async () => ({ did: 'all' }) } : {})),
    },
    law: 'only completed writes are undone',
  },
  'a store that drops documents': {
    scenario: 'undone',
    says: 'unsafe',
    parts: { store: writes((step) => ({ ...step, emissions: step.emissions.slice(1) })) },
    law: 'the ledger is intact',
  },
  'a store that keeps a deadline for good': {
    scenario: 'undone',
    says: 'unsafe',
    parts: { store: writes((step) => ({ ...step, deadlines: [...step.deadlines, someday] })) },
    law: 'no deadline runs after the end',
  },
  'a store that puts deadlines off': {
    scenario: 'expired',
    says: 'unsafe',
    parts: {
      store: answers((store) => ({
        load: async (taskId) => {
          const stored = await store.load(taskId);
          const deadlines = stored?.deadlines.map((one) => ({ ...one, at: one.at + hour })) ?? [];
          return stored && { ...stored, deadlines };
        },
      })),
    },
    law: 'every open task is resumed',
  },
  'an orchestrator that hears nobody once it has begun again': {
    scenario: 'approved',
    says: 'unsafe',
    parts: {
      options: (options, _backend, life) => ({ ...options, ...(life > 0 && { mayRespond: () => false }) }),
    },
    law: 'a task settles',
  },
  'a model that says something else to who asks again': {
    scenario: 'approved',
    says: 'unsafe',
    parts: {
      options: (options, _backend, life) => ({
        ...options,
        ...(life > 0 && { model: { answer: async ({ asks }) => (asks === 'plan' ? plan() : draft()) } }),
      }),
    },
    law: 'a run ends as without a crash',
  },
};
