import { chartVersion, type TaskClass } from '../../machines/index.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { CharterError } from '../errors.ts';
import { hashOfProjection } from '../ledger/seal.ts';
import { chartNamed } from '../ledger/chart.ts';
import { replaySession, type ReplaySession } from '../ledger/replay-session.ts';
import { hashOfText } from '../ledger/seal.ts';
import { projectEmissions } from '../ledger/projection/project.ts';
import type { Projection } from '../ledger/projection/projection.ts';
import type { StoredTask } from '../ports/store.ts';

/** A task that was rebuilt from its ledger: its chart and its projection. */
export interface Rehydrated {
  readonly actor: ReplaySession['actor'];
  readonly projection: Projection;
  /** The contract that it began under. */
  readonly contract: TaskClass;
}

const corrupted = (taskId: string, seq: number, reason: string): CharterError<'task_corrupted'> =>
  new CharterError('task_corrupted', `task ${taskId} is not what was recorded: record ${seq}: ${reason}`, {
    taskId,
    seq,
    reason,
  });

/** Checks that a stored task is the one that was sealed, record for record. Throws `task_corrupted`. */
const checkSeals = async (taskId: string, stored: StoredTask): Promise<void> => {
  const { records, emissions, standing, snapshot } = stored;
  const { verifyLedger } = await import('../ledger/verify.ts'); // with what reads keys: no new task needs it
  const { findings } = await verifyLedger(records, { emissions });
  const [finding] = findings;
  if (finding !== undefined) throw corrupted(taskId, finding.seq, finding.message);
  const last = records.at(-1);
  if (last?.taskId !== taskId) throw corrupted(taskId, 0, 'its ledger is that of another task');
  if (standing.size !== records.length || standing.head !== last.hash)
    throw corrupted(taskId, last.seq, `${standing.size} records were stored, the last with another hash`);
  if (last.beside !== hashOfProjection(stored))
    throw corrupted(taskId, last.seq, 'how it stands, its deadlines or its open intents were changed');
  const latest = records.findLast((record) => record.snapshot !== null);
  if (latest?.snapshot !== hashOfText(snapshot))
    throw corrupted(taskId, latest?.seq ?? 0, 'the stored snapshot is not the one that this record led to');
};

/**
 * Rebuilds a task by replaying its ledger through the chart. What is stored beside the ledger is checked, and not used.
 *
 * Throws `task_corrupted`, and `chart_unknown` for a task that began under another version of the chart.
 */
export const rehydrate = async (stored: StoredTask): Promise<Rehydrated> => {
  const { taskId } = stored.standing;
  deepFreeze(stored); // what a store still holds of it cannot change what is replayed
  await checkSeals(taskId, stored);
  const [opening] = stored.records;
  const { contract } = opening?.brought ?? {};
  if (opening === undefined || contract === undefined)
    throw corrupted(taskId, 0, 'it does not open a task under a contract');
  const chart = chartNamed(opening) ?? '';
  if (chart !== chartVersion) {
    const message = `task ${taskId} began under version ${JSON.stringify(chart)} of the chart, this is ${chartVersion}`;
    throw new CharterError('chart_unknown', message, { taskId, version: chart, known: [chartVersion] });
  }
  const session = replaySession(contract, opening, stored.standing.threadId);
  for (const record of stored.records) {
    const judgement = session.judge(record);
    if (judgement !== null) throw corrupted(taskId, record.seq, judgement[1]);
  }
  const { actor, projection } = session;
  return { actor, projection: projectEmissions(projection, stored.emissions), contract };
};
