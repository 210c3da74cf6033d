import { beforeAll, describe, expect, it } from 'vitest';
import { createOrchestrator, type InboxEntry } from 'agentcharter';
import { chartVersion } from 'agentcharter/machines';
import { jwsApprovals } from 'agentcharter/approvals';
import type { LedgerRecord } from 'agentcharter/ledger';
import type { StoredTask } from 'agentcharter/stores';
import { memoryStore } from 'agentcharter/stores/memory';
import { identity } from '../src/core/shell/scripted.ts';
import {
  askingDeadline,
  model,
  parties,
  taskClasses,
  toolsOf,
  verifiersOf,
  type ClassName,
} from './charter.ts';
import {
  machineTime,
  type CommittedEvent,
  type Effect,
  type NodeEvent,
  type OutsideEvent,
} from './events.ts';
import { laws, violationsOf, type LawName } from './history.ts';
import type { History } from './read-history.ts';
import { answerTo, openDesk } from './person.ts';
import { ableOf, type Able } from './programs.ts';
import { watched } from './watched.ts';
import { World } from './world.ts';

const chart = Number(chartVersion);

const classes = ['posting', 'mailing', 'paying', 'asking', 'whole', 'checking'] as const;

/** Runs a task of each class on one node. The request of the mail is lost, so that a person says that it did not happen. */
const recorded = async (): Promise<History> => {
  const began = Date.now();
  const [world, desk] = [new World(true), openDesk()];
  const [nodes, outside] = [Array<NodeEvent>(), Array<OutsideEvent>()];
  const store = memoryStore();
  const orchestrator = createOrchestrator({
    taskClasses,
    tools: toolsOf({
      asksFirst: true,
      dawdle: async () => {},
      ask: async (request) => {
        if (request.tool === 'mail') throw new Error('the request is lost');
        return world.take(request);
      },
    }),
    model,
    verifiers: verifiersOf(() => {
      throw new Error('it ends');
    }),
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
    approvals: jwsApprovals({ ...parties, keys: desk.keys }),
    store: watched('1.1', { ...store, close: async () => {} }, (event) => nodes.push(event)),
  });
  const answer = async (entry: InboxEntry): Promise<void> => {
    const given = await answerTo(entry, desk, (key) => world.has(key));
    if (given === null) return;
    const { feedback, approval } = given;
    await orchestrator.respond(feedback, { by: 'dana', ...(approval !== undefined && { approval }) });
    outside.push({ is: 'answered', task: entry.taskId, message: entry.message.messageId });
  };
  orchestrator.on('question', (entry) => answer(entry));
  const submit = async (taskClass: ClassName): Promise<void> => {
    const { taskId } = await orchestrator.submit({ taskClass, payload: { of: taskClass }, identity });
    outside.push({ is: 'submitted', key: taskClass, task: taskId });
    await orchestrator.settled(taskId);
  };
  await Promise.all(classes.map(submit));
  await orchestrator.close();
  const tasks = await Promise.all((await store.taskIndex()).map(({ taskId }) => store.load(taskId)));
  return {
    nodes,
    effects: world.log,
    outside,
    tasks: tasks.flatMap((task) => task ?? []),
    able: { '1.1': ableOf({ chart, lacks: null }), '2.1': ableOf({ chart: chart + 1, lacks: null }) },
    lease: 1_000,
    longestWait: 2_000,
    began,
    ended: Date.now(),
    expires: { asking: askingDeadline },
    moves: 0,
  };
};

type Change = (history: History) => Partial<History>;

const commitsIn = ({ nodes }: History): readonly CommittedEvent[] =>
  nodes.flatMap((event) => (event.is === 'committed' ? [event] : []));

/** The task whose records have a fact. */
const taskWith = ({ tasks }: History, type: string): StoredTask => {
  const found = tasks.find(({ records }) => records.some(({ fact }) => fact?.type === type));
  if (found === undefined) throw new Error(`no task has ${type}`);
  return found;
};

/** Changes the records of the task that has a fact. */
const recordsChanged = (
  history: History,
  type: string,
  change: (records: readonly LedgerRecord[]) => readonly LedgerRecord[],
): Partial<History> => {
  const changed = taskWith(history, type);
  return {
    tasks: history.tasks.map((task) =>
      task === changed ? { ...task, records: change(task.records) } : task,
    ),
  };
};

/** Repeats the record of a fact. */
const repeated =
  (type: string): Change =>
  (history) =>
    recordsChanged(history, type, (records) =>
      records.flatMap((record) => (record.fact?.type === type ? [record, record] : [record])),
    );

const withNodes =
  (change: (history: History) => readonly NodeEvent[]): Change =>
  (history) => ({ nodes: [...history.nodes, ...change(history)] });

const withOutside =
  (event: (task: string) => OutsideEvent): Change =>
  (history) => ({
    outside: [...history.outside, event(history.tasks[0]?.indexEntry.taskId ?? '')],
  });

const take = (node: string, task: string, fence: number, at: number): NodeEvent => ({
  is: 'took',
  node,
  sent: at,
  at,
  holds: [{ task, fence, lapsed: null, attempts: 0 }],
});

const effect = (given: Partial<Effect>): Effect => ({
  kind: 'call',
  tool: 'post',
  key: 'other',
  fence: 1,
  at: 0,
  answer: 'done',
  ...given,
});

const withEffects =
  (...effects: readonly Partial<Effect>[]): Change =>
  (history) => ({ effects: [...history.effects, ...effects.map(effect)] });

/** The key of the call that a person said did not happen. */
const mailKey = (history: History): string =>
  taskWith(history, 'call.doubted').records.flatMap(({ brought }) => brought.calls ?? [])[0]?.digest ?? '';

const withAble =
  (able: Partial<Able>): Change =>
  () => ({ able: { '1.1': { ...ableOf({ chart, lacks: null }), ...able } } });

/** A task that one node carries over to the next chart, before the other takes it again. */
const takenBack: Change = (history) => {
  const { indexEntry, records } = taskWith(history, 'call.started');
  const [task, seq] = [indexEntry.taskId, records.length];
  const now = machineTime();
  const upgrade = { chart: `${chart + 1}`, state: '', snapshot: '' };
  return {
    nodes: [
      ...history.nodes,
      { is: 'committed', node: '2.1', sent: now, at: now, task, seq, hash: '', fence: 2, fact: null },
      take('1.1', task, 3, now + 1),
    ],
    tasks: history.tasks.map((stored) => {
      const last = stored.indexEntry === indexEntry ? records.at(-1) : undefined;
      if (last === undefined) return stored;
      const carried = { ...last, seq, brought: { upgrade: { from: upgrade, to: upgrade } } };
      return { ...stored, records: [...records, carried] };
    }),
  };
};

/** A parent that says that its child failed. */
const childLost: Change = (history) =>
  recordsChanged(history, 'dependency.awaited', (records) =>
    records.map((record): LedgerRecord => {
      const { fact } = record;
      if (fact?.type !== 'call.succeeded') return record;
      const { evidence: _evidence, ...of } = fact;
      return { ...record, fact: { ...of, type: 'call.failed', code: 'CHILD_FAILED' } };
    }),
  );

/** The end of a process by the task of the posting. */
const poisoned = (key: ClassName, at: number): NodeEvent => ({ is: 'poisoned', node: '1.1', at, key });

type LateFact = 'call.succeeded' | 'rollback.succeeded' | 'rollback.failed';

/** The mail that a person said was not sent landed late: what the ledger says of it, and what the world did. */
const lateMail =
  (says: readonly LateFact[], did: readonly Effect['kind'][]): Change =>
  (history) => {
    const key = mailKey(history);
    const effects = did.map((kind) =>
      effect({ kind, tool: 'mail', key: kind === 'rollback' ? `rollback:${key}` : key }),
    );
    const changed = recordsChanged(history, 'call.doubted', (records) => {
      const doubted = records.find(({ fact }) => fact?.type === 'call.doubted');
      if (doubted?.fact?.type !== 'call.doubted') return records;
      const { request, attempt, call } = doubted.fact;
      const facts = {
        'call.succeeded': {
          type: 'call.succeeded',
          request,
          attempt,
          call,
          evidence: { id: 'late', type: 'tool_result' },
        },
        'rollback.succeeded': { type: 'rollback.succeeded', request, digest: key },
        'rollback.failed': { type: 'rollback.failed', request, digest: key },
      } as const;
      return [
        ...records,
        ...says.map((type) => ({ ...doubted, kind: 'orphan' as const, fact: facts[type] })),
      ];
    });
    return { ...changed, effects: [...history.effects, ...effects] };
  };

/** Histories that break one law each. */
const bad: Readonly<Record<LawName, readonly Change[]>> = {
  'an acknowledged commit is in the ledger': [
    withNodes((history) =>
      commitsIn(history)
        .slice(0, 1)
        .map((event) => ({ ...event, seq: 99 })),
    ),
  ],
  'commits are in the order in which they were made': [
    withNodes((history) =>
      commitsIn(history)
        .slice(0, 1)
        .map((event) => ({ ...event, sent: machineTime() + 1, at: machineTime() + 2 })),
    ),
  ],
  'a step is written once': [withNodes((history) => commitsIn(history).slice(0, 1))],
  'a task has one chain of records': [
    (history) => recordsChanged(history, 'call.started', (records) => records.toSpliced(1, 1)),
    (history) => recordsChanged(history, 'call.started', (records) => records.slice(0, -1)),
  ],
  'fences of a task grow': [
    withNodes(() => [take('1.1', 'a', 3, 1), take('2.1', 'a', 2, 5_000)]),
    withNodes(() => [take('1.1', 'a', 2, 1), take('2.1', 'a', 2, 1)]),
  ],
  'an old fence writes nothing': [
    withNodes((history) => {
      const [first] = commitsIn(history);
      return first === undefined ? [] : [take('2.1', first.task, (first.fence ?? 0) + 1, first.sent - 1)];
    }),
  ],
  'a task is not taken before its lease has passed': [
    withNodes(() => [
      { is: 'kept', node: '1.1', sent: 100, at: 110, holds: [{ task: 'a', fence: 1 }] },
      take('2.1', 'a', 2, 1_000),
    ]),
  ],
  'a node takes only what it can perform': [
    withAble({ taskClasses: ['posting'] }),
    withAble({ tools: ['post'] }),
    withAble({ chart: chart - 1 }),
    takenBack,
  ],
  'an old fence has no effect': [
    withEffects({ fence: 2, answer: 'absent', kind: 'lookup', tool: 'ship' }, { fence: 1, tool: 'ship' }),
  ],
  'an effect happens once': [
    withEffects({}, {}),
    withEffects({}, {}, { kind: 'rollback', key: 'rollback:other' }),
  ],
  'the ledger says what happened': [
    (history) => ({ effects: [...history.effects, effect({ key: mailKey(history), tool: 'mail' })] }),
    (history) => ({ effects: history.effects.map((one) => ({ ...one, answer: 'refused' })) }),
    lateMail(['call.succeeded'], ['call', 'rollback']),
    lateMail(['call.succeeded', 'rollback.succeeded'], ['call']),
  ],
  'a parent says what became of its child': [childLost],
  'a deadline passes once': [repeated('deadline.passed')],
  'the time of the store counts': [
    (history) => ({ began: history.began + 3_600_000 }),
    (history) => ({ ended: history.ended - 3_600_000 }),
    () => ({ expires: { asking: 100 * askingDeadline } }),
  ],
  'an approval and a question are used once': [repeated('approval.granted'), repeated('human.responded')],
  'an acknowledged answer is on record': [withOutside((task) => ({ is: 'answered', task, message: 'lost' }))],
  'an acknowledged task is kept, once': [
    withOutside(() => ({ is: 'submitted', key: 'new', task: 'lost' })),
    withOutside((task) => ({ is: 'submitted', key: classes[1], task })),
  ],
  'every task ends': [
    ({ tasks }) => ({
      tasks: tasks.map((task) => ({ ...task, indexEntry: { ...task.indexEntry, isSettled: false } })),
    }),
    ({ tasks }) => ({
      tasks: tasks.map((task) => ({ ...task, intents: [{ kind: 'call', key: 'a', tool: 'post' }] })),
    }),
  ],
  'a task with something to do finds a holder': [withOutside((task) => ({ is: 'waited', task, for: 2_001 }))],
  'a look reports a task no more often than it changed': [
    withNodes(({ tasks: [task] }) =>
      Array.from({ length: (task?.records.length ?? 0) + 1 }, () => ({
        is: 'reported',
        node: '2.1',
        tasks: [task?.indexEntry.taskId ?? ''],
      })),
    ),
  ],
  'a task that ends five processes in a row is left to a person or a gate': [
    withNodes(() => [poisoned('posting', 0)]), // it succeeds
    withNodes(() => Array.from({ length: 6 }, (_, at) => poisoned('checking', at))),
  ],
};

describe('The history of nodes', () => {
  let sound: History;
  beforeAll(async () => {
    sound = await recorded();
  });

  it('breaks no law where nothing went wrong', async () => {
    expect(await violationsOf(sound)).toEqual([]);
    expect(sound.tasks).toHaveLength(classes.length + 1); // one has a child
    expect(sound.effects.map(({ answer }) => answer)).toEqual(['done', 'done', 'done']);
  });

  it('has a lease that may be taken over once it was let go, or has passed', async () => {
    const kept: NodeEvent = { is: 'kept', node: '1.1', sent: 100, at: 110, holds: [{ task: 'a', fence: 1 }] };
    const letGo: NodeEvent = { is: 'let go', node: '1.1', sent: 200, holds: [{ task: 'a', fence: 1 }] };
    for (const nodes of [
      [kept, letGo, take('2.1', 'a', 2, 300)],
      [kept, take('2.1', 'a', 2, 1_101)],
    ])
      expect(await violationsOf({ ...sound, nodes: [...sound.nodes, ...nodes] })).toEqual([]);
  });

  it('may have a task that ends five processes before its verification fails', async () => {
    const deaths = Array.from({ length: 5 }, (_, at) => poisoned('checking', at));
    expect(await violationsOf({ ...sound, nodes: [...sound.nodes, ...deaths] })).toEqual([]);
  });

  it('may have an effect again after it was rolled back', async () => {
    const changed = withEffects({}, { kind: 'rollback', key: 'rollback:other' }, {})(sound);
    expect(await violationsOf({ ...sound, ...changed })).toEqual([]);
  });

  it.each([
    [['call.succeeded'], ['call']],
    [
      ['call.succeeded', 'rollback.succeeded'],
      ['call', 'rollback'],
    ],
    [['call.succeeded', 'rollback.failed'], ['call']],
    [
      ['call.succeeded', 'rollback.failed'],
      ['call', 'rollback'],
    ],
  ] as const)(
    'may have a write that landed late: the ledger says %j, and the world did %j',
    async (says, did) => {
      const changed = { ...sound, ...lateMail(says, did)(sound) };
      expect(await laws['the ledger says what happened'](changed)).toEqual([]);
      expect(await laws['an effect happens once'](changed)).toEqual([]);
    },
  );

  it.each(Object.keys(laws) as LawName[])('shows where it is broken that %s', async (law) => {
    for (const change of bad[law]) {
      const found = await violationsOf({ ...sound, ...change(sound) });
      expect(found.map((violation) => violation.law)).toContain(law);
    }
  });
});

describe('The resource of nodes', () => {
  it('has nothing under a key that was undone, and remembers that it was used', () => {
    const world = new World(true);
    const ask = (kind: Effect['kind'], key = 'a') => world.take({ kind, tool: 'post', key, fence: 1 });
    expect([ask('lookup'), ask('call'), ask('lookup')]).toEqual(['absent', 'done', 'found']);
    expect([ask('rollback', 'rollback:a'), ask('lookup'), ask('call')]).toEqual(['done', 'absent', 'known']);
    expect(world.has('a')).toBe(false);
  });
});
