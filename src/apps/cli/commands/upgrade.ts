import type { GuestOptions } from '../../../core/shell/options.ts';
import type { Change } from '../../../core/shell/surface.ts';
import type { StoredTask } from '../../../base/ports/store.ts';
import { command, configFlag, jsonFlag } from '../command.ts';
import { bad, faint, good, type Printer } from '../printer.ts';
import { bar } from '../progress.ts';
import { usage } from '../stop.ts';
import { withStore } from '../stored.ts';

/** Why a task does not carry over: the first record that the new chart rejects. */
interface Obstacle {
  readonly seq: number;
  readonly code: string;
  readonly message: string;
}

/** The result of checking an open task against this version of the chart. */
interface Checked {
  readonly taskId: string;
  readonly taskClass: string;
  /** The chart version of the task; `null` if its ledger names none. */
  readonly chart: string | null;
  readonly state: string;
  readonly verdict: 'current' | 'carries_over' | 'does_not';
  /** The state to which it is carried over. */
  readonly to: string | null;
  readonly obstacle: Obstacle | null;
}

/** A checked task, and what it meets that is not as it recorded it; `null` if no application was given. */
interface Met extends Checked {
  readonly changed: readonly Omit<Change, 'taskId'>[] | null;
}

const obstacleIn = async (error: unknown): Promise<Obstacle> => {
  const { isCharterError } = await import('../../../base/errors.ts');
  if (isCharterError(error, 'chart_unknown') && error.details.obstacle !== null)
    return error.details.obstacle;
  if (!isCharterError(error, 'task_corrupted')) throw error;
  const { seq, reason } = error.details;
  return { seq, code: 'corrupted', message: reason };
};

const check = async (stored: StoredTask): Promise<Checked> => {
  const { tryCarryOver } = await import('../../../core/upgrade/carry-over.ts');
  const { chartsOf, otherChartOf } = await import('../../../core/ledger/chart.ts');
  const [opening] = stored.records;
  const task = {
    taskId: stored.indexEntry.taskId,
    taskClass: opening?.brought.contract?.id ?? '',
    chart: chartsOf(stored.records).current,
    state: stored.records.at(-1)?.to ?? '',
  };
  const chart = otherChartOf(stored);
  if (chart === null) return { ...task, verdict: 'current', to: task.state, obstacle: null };
  try {
    const { upgrade } = await tryCarryOver(stored, chart);
    return { ...task, verdict: 'carries_over', to: upgrade.to.state, obstacle: null };
  } catch (error) {
    return { ...task, verdict: 'does_not', to: null, obstacle: await obstacleIn(error) };
  }
};

/** Returns a function that compares open tasks with an application. */
const comparison = async (options: GuestOptions) => {
  const { environmentOf } = await import('../../../core/shell/options.ts');
  const { changesOfStored } = await import('../../../core/shell/change-log.ts');
  const model = options.model ?? { isElsewhere: true, answer: async () => null }; // options without a model are a guard's
  const application = environmentOf({ ...options, model }, () => {});
  return async (stored: StoredTask): Promise<NonNullable<Met['changed']>> =>
    (await changesOfStored(stored, application)).map(({ taskId: _taskId, ...change }) => change);
};

const printChanges = async ({ changed }: Met, out: Printer): Promise<void> => {
  for (const { kind, message, stops } of changed ?? [])
    await out.line('  ', stops ? bad(kind) : faint(kind), `: ${message}`);
};

const print = async (
  { taskId, taskClass, chart, state, verdict, to, obstacle }: Checked,
  out: Printer,
): Promise<void> => {
  const task = `${taskId}  ${taskClass.padEnd(16)} `;
  const from = `chart ${chart ?? 'unnamed'}, ${state}`;
  if (verdict === 'current') return out.line(task, faint('is up to date'), `: ${from}`);
  if (verdict === 'carries_over') return out.line(task, good('carries over'), `: ${from} -> ${to ?? ''}`);
  await out.line(task, bad('does not carry over'), `: ${from}`);
  await out.line(
    `  record ${obstacle?.seq ?? 0}: `,
    bad(obstacle?.code ?? ''),
    `: ${obstacle?.message ?? ''}`,
  );
};

const counted = (tasks: readonly Checked[], verdict: Checked['verdict']): number =>
  tasks.filter((task) => task.verdict === verdict).length;

export const upgrade = command({
  name: 'upgrade',
  description:
    'Lists which open tasks of a store carry over to this version of the chart, and what they meet in your application.',
  details: [
    'It can read a store while another process uses it, and writes nothing: recover() carries tasks over when the new version',
    'opens the store. Exit code 1 if a task does not carry over: you can still read it, end it, or begin it anew.',
    'With --config it also prints what each task meets that is not as it was: tools, schemas, verifiers, task classes.',
    'Exit code 1 too if that stops a task. Pass the configuration of the new release.',
  ].join('\n'),
  args: { store: { description: 'the store: a file, or postgres://…', isOptional: true } },
  flags: {
    check: { description: 'check without changing anything (required)' },
    config: configFlag,
    json: jsonFlag,
  },
  example: 'upgrade --check tasks.db',
  run: async ({ flags: { check: isCheck, config, json }, args: { store: file } }, terminal) => {
    if (!isCheck) throw usage('expected --check: recover() carries tasks over, this command only checks');
    const { chartVersion } = await import('../../../../machines/index.ts');
    const { taskIdsOf } = await import('../../../core/shell/pages.ts');
    const tasks: Met[] = [];
    await withStore({ store: file, config }, terminal, async (store, options) => {
      const changesOf = config === undefined ? null : await comparison(options);
      const open = await taskIdsOf(store, { isSettled: false });
      const progress = terminal.progress();
      for (const [at, taskId] of open.entries()) {
        if (open.length > 1) progress.print(`checking ${bar(at, open.length)}`);
        const stored = await store.load(taskId);
        if (stored === undefined || stored.indexEntry.isSettled) continue;
        const changed = changesOf && (await changesOf(stored));
        tasks.push({ ...(await check(stored)), changed });
      }
      progress.end();
    });
    const stays = counted(tasks, 'does_not');
    const stopped = tasks.filter(({ changed }) => changed?.some(({ stops }) => stops)).length;
    if (json) await terminal.out.json({ chart: chartVersion, carriesOver: stays === 0, tasks });
    else {
      for (const task of tasks) {
        await print(task, terminal.out);
        await printChanges(task, terminal.out);
      }
      await terminal.out.line(
        `chart ${chartVersion}: ${tasks.length} open tasks; ${counted(tasks, 'current')} up to date, `,
        `${counted(tasks, 'carries_over')} carry over, ${stays} do not`,
        config === undefined ? '' : `; ${stopped} are stopped by your application`,
      );
    }
    return stays === 0 && stopped === 0 ? 0 : 1;
  },
});
