import { chartVersion, type TaskClass } from '../../../machines/index.ts';
import { loadedOnce } from '../../base/boundary/lazily.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { hashOfText } from '../../base/canonical/digest.ts';
import { inRecordedNames } from '../../base/define/formerly.ts';
import { causeOf, CharterError } from '../../base/errors.ts';
import { readCarriedOver } from '../ledger/carry-over.ts';
import { chartsOf, isOlderChart } from '../ledger/chart.ts';
import type { ReplayCode } from '../ledger/findings.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import type { StoredTask } from '../../base/ports/store.ts';
import type { TaskSnapshot } from '../kernel/chart.ts';
import type { Projection } from '../kernel/projection/projection.ts';
import { projectEmissions } from '../kernel/projection/thread.ts';
import { replayed, unreplayed, type Replayed } from '../kernel/replay.ts';
import { hashOfProjection } from '../kernel/seal.ts';
import { resumed, type TaskState } from '../kernel/take.ts';
import type { Environment } from './environment.ts';
import { isSameAs } from './keyed.ts';
import { corrupted } from './task-errors.ts';

/** A task rebuilt from its ledger: its chart and its projection. */
export interface Rehydrated {
  readonly snapshot: TaskSnapshot;
  readonly projection: Projection;
  /** The contract at the beginning of the task. */
  readonly contract: TaskClass;
}

/** What verifies ledgers, with the library of signatures, which no new task needs: loaded at first use. */
export const loadVerify = loadedOnce(async () => {
  const { verifyLedger } = await import('../ledger/verify.ts');
  return { verifyLedger };
});

/** Checks a stored task against its seals, record by record. Throws `task_corrupted`. */
export const checkSeals = async (taskId: string, stored: StoredTask): Promise<void> => {
  const { records, emissions, indexEntry, snapshot } = stored;
  const { verifyLedger } = await loadVerify();
  const { findings } = await verifyLedger(records, { emissions });
  const [finding] = findings;
  if (finding !== undefined) throw corrupted(taskId, finding.seq, finding.message);
  const last = records.at(-1);
  if (last?.taskId !== taskId) throw corrupted(taskId, 0, 'its ledger is that of another task');
  if (indexEntry.size !== records.length || indexEntry.head !== last.hash)
    throw corrupted(taskId, last.seq, `${indexEntry.size} records were stored, the last with another hash`);
  if (last.beside !== hashOfProjection(stored))
    throw corrupted(taskId, last.seq, 'its stored summary, deadlines or open intents were changed');
  const latest = records.findLast((record) => record.snapshot !== null);
  if (latest?.snapshot !== hashOfText(snapshot))
    throw corrupted(taskId, latest?.seq ?? 0, 'the stored snapshot is not the one that this record led to');
};

/** Why a ledger cannot be replayed: the first record that the chart or a schema refuses. */
export interface Obstacle {
  readonly seq: number;
  readonly code: ReplayCode | 'later' | 'ended' | 'settles' | 'unasked';
  readonly message: string;
}

const checkOpening = ({ records, indexEntry: { taskId } }: StoredTask): void => {
  if (records[0]?.brought.contract === undefined)
    throw corrupted(taskId, 0, 'it does not open a task under a contract');
};

/**
 * Replays a ledger in this version of the chart, and projects it. `since` is the index of the first record of this
 * version.
 */
export const replayLedger = (stored: StoredTask, since: number): Rehydrated | Obstacle => {
  const { threadId } = stored.indexEntry;
  let replay: Replayed | undefined;
  let contract: TaskClass | undefined;
  for (const [place, sealed] of stored.records.entries()) {
    let record: LedgerRecord;
    try {
      record = place < since ? readCarriedOver(sealed) : sealed;
    } catch (error) {
      return { seq: sealed.seq, code: 'unreadable', message: causeOf(error) };
    }
    contract ??= record.brought.contract;
    if (contract === undefined) break;
    const { after, fault } = replayed(replay ?? unreplayed(contract, record, threadId), record, since);
    if (fault !== null) return { seq: record.seq, code: fault[0], message: fault[1] };
    replay = after;
  }
  if (replay === undefined || contract === undefined)
    return { seq: 0, code: 'unopened', message: 'it does not open a task under a contract' };
  const { snapshot, projection } = replay;
  return { snapshot, projection: projectEmissions(projection, stored.emissions), contract };
};

/** Returns the error for a task that this version of the chart cannot continue. */
export const unknownChart = (
  taskId: string,
  version: string,
  why: string,
  obstacle: Obstacle | null = null,
): CharterError<'chart_unknown'> => {
  const message = `task ${taskId} is under version ${JSON.stringify(version)} of the chart, and this library has version ${chartVersion}: ${why}`;
  return new CharterError('chart_unknown', message, { taskId, version, known: [chartVersion], obstacle });
};

/**
 * Checks that a task is under an older version of the chart. A later one may have rules that are unknown here.
 *
 * Throws `chart_unknown`.
 */
export const checkOlder = ({ records, indexEntry: { taskId } }: StoredTask, chart: string): void => {
  if (isOlderChart(chart)) return;
  const { since: seq } = chartsOf(records);
  const message = 'no version before this one wrote it: a later version of the library goes on with it';
  throw unknownChart(taskId, chart, message, { seq, code: 'later', message });
};

/**
 * Rebuilds a task by replaying its ledger. The stored snapshot and index entry are checked and not used.
 *
 * Throws `task_corrupted`, and `chart_unknown` for a task under another version of the chart.
 */
export const rehydrate = async (stored: StoredTask): Promise<Rehydrated> => {
  const { taskId } = stored.indexEntry;
  deepFreeze(stored); // later changes by the store must not change the replay
  await checkSeals(taskId, stored);
  checkOpening(stored);
  const { current, since } = chartsOf(stored.records);
  if (current !== chartVersion)
    throw unknownChart(taskId, current ?? '', 'the owner of its store carries it over in recover()');
  const rehydrated = replayLedger(stored, since);
  if ('seq' in rehydrated) throw corrupted(taskId, rehydrated.seq, rehydrated.message);
  return rehydrated;
};

/** Returns a stored task as it goes on in this process, under its original contract. Throws `not_found`. */
export const resumedTask = (
  stored: StoredTask,
  { contract, ...rehydrated }: Rehydrated,
  ports: Pick<Environment, 'taskClassOf' | 'tools' | 'verifiers' | 'isOwner' | 'clock' | 'holds'>,
): TaskState => {
  const { taskId } = stored.indexEntry;
  const known = inRecordedNames(ports.taskClassOf(contract.id, taskId), contract, ports.tools);
  const taskClass = isSameAs(known.contract, contract) ? known : { ...known, contract };
  return resumed(stored, rehydrated, { taskId, taskClass }, [], {
    ...ports,
    now: ports.clock.read(),
    quarantineOf: (deadline) => ports.holds.quarantineOf(taskId, deadline),
  });
};
