import { verifyLedger, type LedgerRecord } from 'agentcharter/ledger';
import { attemptLimits } from '../../src/base/ports/attempts.ts';
import type { Able } from './programs.ts';
import { commitsOf, factsOf, grouped, recordsOf, takesOf, type History, type Law } from './read-history.ts';

/** Pairs of which the first was over before the second began. */
const inOrder = <Item extends { readonly sent: number; readonly at: number }>(
  items: readonly Item[],
): readonly (readonly [Item, Item])[] => {
  const sorted = items.toSorted((one, other) => one.sent - other.sent);
  const pairs: (readonly [Item, Item])[] = [];
  for (const after of sorted) {
    const before = sorted.filter(({ at }) => at < after.sent);
    for (const item of before) pairs.push([item, after]);
  }
  return pairs;
};

const keepsCommits: Law = (history) => {
  const ledgers = recordsOf(history);
  return commitsOf(history).flatMap(({ task, seq, hash, node }) =>
    ledgers.get(task)?.[seq]?.hash === hash ? [] : [`${node} was answered ok for step ${seq} of ${task}`],
  );
};

const ordersCommits: Law = (history) =>
  [...grouped(commitsOf(history), ({ task }) => task)].flatMap(([task, commits]) =>
    inOrder(commits).flatMap(([before, after]) =>
      before.seq < after.seq ? [] : [`step ${after.seq} of ${task} came after step ${before.seq}`],
    ),
  );

const oneRecordAStep: Law = (history) =>
  [...grouped(commitsOf(history), ({ task, seq }) => `${task} ${seq}`)].flatMap(([step, commits]) =>
    commits.length === 1 ? [] : [`${commits.length} nodes were answered ok for step ${step}`],
  );

const oneChain: Law = async ({ tasks }) => {
  const broken: string[] = [];
  for (const { indexEntry, records, emissions } of tasks) {
    const { intact } = await verifyLedger(records, { emissions });
    if (!intact || records.length !== indexEntry.size)
      broken.push(`the records of ${indexEntry.taskId} are no chain`);
  }
  return broken;
};

const growsFences: Law = (history) =>
  [...grouped(takesOf(history), ({ task }) => task)].flatMap(([task, takes]) => [
    ...inOrder(takes).flatMap(([before, after]) =>
      before.fence < after.fence ? [] : [`${after.node} took ${task} under fence ${after.fence} again`],
    ),
    ...(new Set(takes.map(({ fence }) => fence)).size === takes.length
      ? []
      : [`two nodes took ${task} under one fence`]),
  ]);

const fencesCommits: Law = (history) => {
  const takes = grouped(takesOf(history), ({ task }) => task);
  return commitsOf(history).flatMap(({ node, task, seq, fence, sent }) => {
    const newer = takes.get(task)?.find((take) => fence !== null && take.fence > fence && take.at < sent);
    return newer === undefined
      ? []
      : [`${node} wrote step ${seq} of ${task} under fence ${fence} after fence ${newer.fence} was taken`];
  });
};

/** The versions of the chart that a task has been under, each with the number of the first step under it. */
const chartsOf = (
  records: readonly LedgerRecord[],
): readonly { readonly chart: number; readonly seq: number }[] =>
  records.flatMap(({ seq, brought: { chart, upgrade } }) => {
    const named = upgrade?.to.chart ?? (seq === 0 ? chart : undefined);
    return named === undefined ? [] : [{ chart: Number(named), seq }];
  });

/** Why a node cannot perform a task of which it knows the steps up to `seq`; `null` if it can. */
const obstacleOf = (able: Able | undefined, records: readonly LedgerRecord[], seq: number): string | null => {
  const contract = records[0]?.brought.contract;
  const chart = chartsOf(records).findLast((one) => one.seq <= seq)?.chart ?? 0;
  if (able === undefined || contract === undefined) return null;
  const lacking = contract.tools?.find((tool) => !able.tools.includes(tool));
  if (!able.taskClasses.includes(contract.id)) return `the class ${contract.id}`;
  if (lacking !== undefined) return `the tool ${lacking}`;
  return chart > able.chart ? `chart ${chart}` : null;
};

const takesWhatItCan: Law = (history) => {
  const ledgers = recordsOf(history);
  const commits = grouped(commitsOf(history), ({ task }) => task);
  const taken = takesOf(history).map(({ node, task, sent }) => {
    const before = commits.get(task)?.filter(({ at }) => at < sent) ?? [];
    return { node, task, seq: Math.max(0, ...before.map(({ seq }) => seq)) };
  });
  const performed = commitsOf(history).filter(({ fence }) => fence !== null);
  return [...taken, ...performed].flatMap(({ node, task, seq }) => {
    const obstacle = obstacleOf(history.able[node], ledgers.get(task) ?? [], seq);
    return obstacle === null ? [] : [`${node} performs ${task} without ${obstacle}`];
  });
};

/** The server counts a lease from after the request that renews it, so that it lasts at least until then. */
const keepsLeases: Law = (history) => {
  const { nodes, lease } = history;
  const lasting = new Map<string, number>();
  const letGo = new Map<string, number>();
  for (const event of nodes) {
    if (event.is !== 'took' && event.is !== 'kept' && event.is !== 'let go') continue;
    for (const { task, fence } of event.holds) {
      const of = `${task} ${fence}`;
      if (event.is === 'let go') letGo.set(of, event.sent);
      else lasting.set(of, Math.max(lasting.get(of) ?? 0, event.sent + lease));
    }
  }
  return takesOf(history).flatMap(({ node, task, fence, at }) => {
    const of = `${task} ${fence - 1}`;
    const isFree = (letGo.get(of) ?? Infinity) <= at || (lasting.get(of) ?? 0) <= at;
    return isFree ? [] : [`${node} took ${task} before the lease of fence ${fence - 1} had passed`];
  });
};

const fencesEffects: Law = ({ effects }) => {
  const newest = new Map<string, number>();
  return effects.flatMap(({ key, tool, fence, answer }) => {
    const seen = newest.get(key) ?? 0;
    if (fence !== null) newest.set(key, Math.max(seen, fence));
    const isOld = answer === 'done' && fence !== null && fence < seen && tool !== unfencedTool;
    return isOld ? [`${tool} acted under fence ${fence} after ${seen}`] : [];
  });
};

/** Its resource cannot refuse old fences: only quarantine guards it. */
const unfencedTool = 'mail';

/** Changes of an action: done, or undone by its rollback. */
const changesOf = ({ effects }: History): ReadonlyMap<string, readonly number[]> => {
  const done = effects.filter(({ answer }) => answer === 'done');
  const actions = grouped(done, ({ key }) => key.replace(/^rollback:/, ''));
  return new Map([...actions].map(([key, all]) => [key, all.map(({ kind }) => (kind === 'call' ? 1 : -1))]));
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** How often each action stands in the end. */
const standing = (history: History): ReadonlyMap<string, number> =>
  new Map([...changesOf(history)].map(([key, changes]) => [key, sum(changes)]));

const actsOnce: Law = (history) =>
  [...changesOf(history)].flatMap(([key, changes]) => {
    const most = Math.max(...changes.map((_, at) => sum(changes.slice(0, at + 1))));
    return most <= 1 ? [] : [`${key} happened ${most} times`];
  });

/** How often the ledger says that each call took effect, with what came late; nothing of one whose rollback has no known outcome. */
const saidOf = (records: readonly LedgerRecord[]): ReadonlyMap<string, number> => {
  const digests = new Map(
    records.flatMap(({ brought }) => brought.calls ?? []).map(({ id, digest }) => [id, digest]),
  );
  const said = new Map<string, number>();
  for (const { kind, fact } of records) {
    if (fact === null || (kind !== 'fact' && kind !== 'orphan')) continue;
    if (fact.type === 'call.succeeded') said.set(digests.get(fact.call) ?? fact.call, 1);
    if (fact.type === 'rollback.succeeded') said.set(fact.digest, 0);
    if (fact.type === 'rollback.failed') said.delete(fact.digest);
    if (fact.type === 'deadline.passed' && fact.of === 'rollback') said.delete(fact.id);
    if (fact.type !== 'human.responded' || fact.effect === undefined) continue;
    const [, call = ''] = /^doubt:(.+)$/.exec(fact.question) ?? [];
    said.set(digests.get(call) ?? call, fact.effect === 'done' ? 1 : 0);
  }
  return said;
};

const tellsTheTruth: Law = (history) => {
  const stands = standing(history);
  const asked = new Set(history.effects.map(({ key }) => key));
  return history.tasks.flatMap(({ indexEntry: { taskId }, records }) =>
    [...saidOf(records)].flatMap(([key, times]) => {
      const happened = stands.get(key) ?? 0;
      return !asked.has(key) || happened === times
        ? []
        : [`${taskId} says that ${key} happened ${times} times, and it happened ${happened} times`];
    }),
  );
};

const heedsChildren: Law = ({ tasks }) => {
  const delivered = new Set(
    tasks.flatMap(({ indexEntry: { taskId, isSettled }, records }) =>
      isSettled && records.at(-1)?.outcome === 'success' ? [taskId] : [],
    ),
  );
  return tasks.flatMap(({ indexEntry: { taskId }, records }) => {
    const facts = factsOf(records).map(({ fact }) => fact);
    const failed = facts.flatMap((fact) =>
      fact.type === 'call.failed' && fact.code === 'CHILD_FAILED' ? [fact.call] : [],
    );
    return facts.flatMap((fact) =>
      fact.type === 'dependency.awaited' && failed.includes(fact.call) && delivered.has(fact.dependency)
        ? [`${taskId} says that its child ${fact.dependency} failed, which delivered`]
        : [],
    );
  });
};

const passesOnce: Law = ({ tasks }) =>
  tasks.flatMap(({ indexEntry: { taskId }, records }) => {
    const passed = factsOf(records).flatMap(({ fact }) =>
      fact.type === 'deadline.passed' ? [`${fact.of} ${fact.id}`] : [],
    );
    return new Set(passed).size === passed.length ? [] : [`a deadline of ${taskId} passed twice`];
  });

/** Clocks are hours apart: a time of one of them would be far outside of the trial. */
const usesTheStoresTime: Law = ({ tasks, began, ended, expires }) =>
  tasks.flatMap(({ indexEntry: { taskId }, records }) => {
    const times = records.map(({ timestamp }) => Date.parse(timestamp));
    const isOutside = times.some((at) => at < began - 1_000 || at > ended + 1_000);
    const taskClass = records[0]?.brought.contract?.id ?? '';
    const facts = factsOf(records);
    const asked = facts.find(({ fact }) => fact.type === 'plan.proposed');
    const passed = facts.find(({ fact }) => fact.type === 'deadline.passed' && fact.of === 'question');
    const waited =
      asked === undefined || passed === undefined
        ? Infinity
        : Date.parse(passed.timestamp) - Date.parse(asked.timestamp);
    return [
      ...(isOutside ? [`a record of ${taskId} has the time of a wrong clock`] : []),
      ...(waited < (expires[taskClass] ?? 0) ? [`a question of ${taskId} expired after ${waited} ms`] : []),
    ];
  });

const consumesOnce: Law = ({ tasks }) => {
  const used = tasks.flatMap(({ records }) =>
    factsOf(records).flatMap(({ brought: { approval } }) =>
      approval === undefined ? [] : [{ jti: approval.jti, action: approval.claims.action_digest }],
    ),
  );
  const answered = tasks.flatMap(({ records }) =>
    factsOf(records).flatMap(({ fact, brought: { feedback } }) =>
      fact.type === 'human.responded' && typeof feedback?.target === 'string' ? [feedback.target] : [],
    ),
  );
  return [
    ...[...grouped(used, ({ jti }) => jti)].flatMap(([jti, uses]) =>
      uses.length === 1 ? [] : [`approval ${jti} was used ${uses.length} times`],
    ),
    ...[...grouped(answered, (question) => question)].flatMap(([question, answers]) =>
      answers.length === 1 ? [] : [`question ${question} was answered ${answers.length} times`],
    ),
  ];
};

const keepsAnswers: Law = (history) => {
  const ledgers = recordsOf(history);
  return history.outside.flatMap((event) => {
    if (event.is !== 'answered') return [];
    const isKept = ledgers
      .get(event.task)
      ?.some(({ brought: { feedback } }) => feedback?.target === event.message);
    return isKept === true ? [] : [`the answer to ${event.message} of ${event.task} is not on record`];
  });
};

const keepsTasks: Law = (history) => {
  const ledgers = recordsOf(history);
  const submitted = history.outside.flatMap((event) => (event.is === 'submitted' ? [event] : []));
  return [
    ...submitted.flatMap(({ task }) => (ledgers.has(task) ? [] : [`${task} was acknowledged, and is gone`])),
    ...[...grouped(submitted, ({ key }) => key)].flatMap(([key, tasks]) =>
      new Set(tasks.map(({ task }) => task)).size === 1 ? [] : [`key ${key} began two tasks`],
    ),
  ];
};

const settlesAll: Law = ({ tasks }) =>
  tasks.flatMap(({ indexEntry: { taskId, isSettled, isOwed, asking }, intents, deadlines }) =>
    isSettled && !isOwed && asking === 0 && intents.length === 0 && deadlines.length === 0
      ? []
      : [`${taskId} is not over`],
  );

const findsHolders: Law = ({ outside, longestWait }) =>
  outside.flatMap((event) =>
    event.is === 'waited' && event.for > longestWait
      ? [`${event.task} had something to do and no holder for ${Math.round(event.for)} ms`]
      : [],
  );

/** Each step changes its task once. */
const reportsChanges: Law = ({ nodes, tasks, moves }) => {
  const sizes = new Map(tasks.map(({ indexEntry: { taskId }, records }) => [taskId, records.length]));
  const reports = nodes.flatMap((event) =>
    event.is === 'reported' ? event.tasks.map((task) => `${event.node} ${task}`) : [],
  );
  return [...grouped(reports, (report) => report)].flatMap(([report, { length }]) => {
    const [node = '', task = ''] = report.split(' ');
    const most = (sizes.get(task) ?? 0) + moves;
    return length <= most ? [] : [`${node} was told ${length} times that ${task} changed, of ${most}`];
  });
};

/** What a task ends that ends its process: a question to a person, or a verification that fails. */
const endsPoison: Law = (history) => {
  const ledgers = recordsOf(history);
  const commits = grouped(commitsOf(history), ({ task }) => task);
  const deaths = grouped(
    history.nodes.flatMap((event) => (event.is === 'poisoned' ? [event] : [])),
    ({ key }) => key,
  );
  const named = new Map(
    history.outside.flatMap((event) => (event.is === 'submitted' ? [[event.key, event.task]] : [])),
  );
  return [...deaths].flatMap(([key, ends]) => {
    const task = named.get(key) ?? key;
    const records = ledgers.get(task) ?? [];
    const runs = grouped(ends, ({ at }) =>
      String(commits.get(task)?.filter((commit) => commit.at < at && commit.fence !== null).length ?? 0),
    );
    const most = Math.max(...[...runs.values()].map(({ length }) => length));
    const isDecided =
      records.some(({ fact }) => fact?.type === 'help.requested') ||
      records.some(({ brought: { report } }) => report !== undefined && report.status !== 'pass');
    return [
      ...(most <= attemptLimits.most ? [] : [`${task} ended ${most} processes in a row`]),
      ...(isDecided && records.at(-1)?.outcome !== 'success'
        ? []
        : [`${task} ended processes, and neither a person nor a gate decided`]),
    ];
  });
};

/** What a history is held to. */
export const laws = {
  'an acknowledged commit is in the ledger': keepsCommits,
  'commits are in the order in which they were made': ordersCommits,
  'a step is written once': oneRecordAStep,
  'a task has one chain of records': oneChain,
  'fences of a task grow': growsFences,
  'an old fence writes nothing': fencesCommits,
  'a task is not taken before its lease has passed': keepsLeases,
  'a node takes only what it can perform': takesWhatItCan,
  'an old fence has no effect': fencesEffects,
  'an effect happens once': actsOnce,
  'the ledger says what happened': tellsTheTruth,
  'a parent says what became of its child': heedsChildren,
  'a deadline passes once': passesOnce,
  'the time of the store counts': usesTheStoresTime,
  'an approval and a question are used once': consumesOnce,
  'an acknowledged answer is on record': keepsAnswers,
  'an acknowledged task is kept, once': keepsTasks,
  'every task ends': settlesAll,
  'a task with something to do finds a holder': findsHolders,
  'a look reports a task no more often than it changed': reportsChanges,
  'a task that ends five processes in a row is left to a person or a gate': endsPoison,
} as const satisfies Readonly<Record<string, Law>>;
export type LawName = keyof typeof laws;

/** A broken law, and one way in which it is broken. */
export interface Violation {
  readonly law: LawName;
  readonly how: string;
}

/** Returns every violation of a history. */
export const violationsOf = async (history: History): Promise<readonly Violation[]> => {
  const found: Violation[] = [];
  for (const law of Object.keys(laws) as LawName[])
    for (const how of await laws[law](history)) found.push({ law, how });
  return found;
};
