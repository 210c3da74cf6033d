import { chartVersion, stateName, type Context } from '../../../machines/index.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { hashOfText } from '../../base/canonical/digest.ts';
import { isCharterError } from '../../base/errors.ts';
import { otherChartOf } from '../ledger/chart.ts';
import type { ChartState, UpgradeDocument } from '../../base/ports/ledger.ts';
import type { StoredTask } from '../../base/ports/store.ts';
import { snapshotText } from '../kernel/snapshot.ts';
import { orchestratorActor } from '../kernel/statement.ts';
import { isAsked } from '../kernel/view.ts';
import type { Environment } from '../shell/environment.ts';
import {
  checkOlder,
  checkSeals,
  replayLedger,
  resumedTask,
  unknownChart,
  type Obstacle,
  type Rehydrated,
} from '../shell/rehydrate.ts';
import { Steps } from '../shell/steps.ts';

/** Returns the chart state after a task's last record. */
const stateBefore = ({ records }: StoredTask, chart: string): ChartState => ({
  chart,
  state: records.at(-1)?.to ?? '',
  snapshot: records.findLast(({ snapshot }) => snapshot !== null)?.snapshot ?? '',
});

/** Returns the ids of the questions that a context waits for. */
const questionsOf = ({ questions, reasons }: Context): readonly string[] =>
  reasons.length > 0 ? [] : Object.keys(questions);

/** Returns the obstacle of a task that was ended without its chart. */
const endObstacle = ({ records }: StoredTask): Obstacle | null => {
  const end = records.find(({ kind }) => kind === 'end');
  return end === undefined ? null : { seq: end.seq, code: 'ended', message: 'the task was ended' };
};

/** Returns the obstacle of a state that no one could act on: the task settles, or its question was never asked. */
const deadEndObstacle = ({ records }: StoredTask, { snapshot, projection }: Rehydrated): Obstacle | null => {
  const state = stateName(snapshot.value);
  const seq = records.length - 1;
  if (snapshot.hasTag('settled'))
    return { seq, code: 'settles', message: `the task is open, and this chart settles it as ${state}` };
  const { context } = snapshot;
  const open = new Set(
    projection.asked.flatMap(({ question }) =>
      isAsked({ snapshot, context }, question) ? [question.id] : [],
    ),
  );
  const needed = state === 'followup' ? ['followup'] : questionsOf(context);
  const unasked = needed.find((id) => !open.has(id));
  return unasked === undefined
    ? null
    : {
        seq,
        code: 'unasked',
        message: `this chart waits for an answer to ${unasked}, which was never asked`,
      };
};

/** An open task of another version of the chart, as this version would continue it. */
export interface CarriedOver {
  readonly upgrade: UpgradeDocument;
  readonly rehydrated: Rehydrated;
}

/**
 * Replays an open task of another version of the chart under this one. Writes nothing.
 *
 * Throws `task_corrupted`, and `chart_unknown` with the obstacle if it does not carry over.
 */
export const tryCarryOver = async (stored: StoredTask, chart: string): Promise<CarriedOver> => {
  const { taskId } = stored.indexEntry;
  deepFreeze(stored); // later changes by the store must not change the replay
  await checkSeals(taskId, stored);
  checkOlder(stored, chart);
  const rehydrated = endObstacle(stored) ?? replayLedger(stored, stored.records.length);
  const obstacle = 'seq' in rehydrated ? rehydrated : deadEndObstacle(stored, rehydrated);
  if ('seq' in rehydrated || obstacle !== null) {
    const { seq, message } = obstacle ?? { seq: 0, message: '' };
    const why = `record ${seq} does not carry over: ${message}; read the task, cancel it, or begin it again`;
    throw unknownChart(taskId, chart, why, obstacle);
  }
  const snapshot = hashOfText(snapshotText(rehydrated.snapshot));
  const to = { chart: chartVersion, state: stateName(rehydrated.snapshot.value), snapshot };
  return { upgrade: { from: stateBefore(stored, chart), to }, rehydrated };
};

/** Records that a task continues under this version, with its deadlines and index entry. */
const recordCarryOver = async (
  stored: StoredTask,
  { upgrade, rehydrated }: CarriedOver,
  environment: Environment,
): Promise<void> => {
  const steps = new Steps(resumedTask(stored, rehydrated, environment), environment);
  await steps.note('upgrade', { actor: orchestratorActor, brought: { upgrade } });
};

/**
 * Carries an open task of another version of the chart over to this one, and returns it as stored afterwards. Any
 * other task is returned unchanged. If another process was first, its record counts.
 *
 * Throws `task_corrupted`, `store_failed`, `not_found` if its task class is unknown, and `chart_unknown`.
 */
export const carryOver = async (stored: StoredTask, environment: Environment): Promise<StoredTask> => {
  const { taskId, isSettled } = stored.indexEntry;
  const chart = otherChartOf(stored);
  if (chart === null) return stored;
  if (isSettled) throw unknownChart(taskId, chart, 'it is settled; you can read it, and erase its documents');
  try {
    await recordCarryOver(stored, await tryCarryOver(stored, chart), environment);
  } catch (error) {
    if (!isCharterError(error, 'store_conflict')) throw error;
  }
  const reloaded = (await environment.store.load(taskId)) ?? stored;
  return reloaded.records.length > stored.records.length ? carryOver(reloaded, environment) : reloaded;
};
