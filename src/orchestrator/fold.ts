import { chartVersion, type TaskClass } from '../../machines/index.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { CharterError } from '../errors.ts';
import { hashOfBeside } from '../ledger/beside.ts';
import { chartNamed } from '../ledger/chart.ts';
import { retellingOf, type Retelling } from '../ledger/retelling.ts';
import { hashOfText } from '../ledger/seal.ts';
import { verifyLedger } from '../ledger/verify.ts';
import type { LedgerRecord, RequestDocument } from '../ports/ledger.ts';
import type { StoredTask } from '../ports/store.ts';
import { fileInto, openDossier, type Dossier } from './dossier.ts';

/** What a task's ledger says of it: where its chart stands, and what it knows. */
export interface Folded {
  readonly actor: Retelling['actor'];
  readonly dossier: Dossier;
  /** The contract that it began under. */
  readonly contract: TaskClass;
}

const corrupted = (taskId: string, seq: number, reason: string): CharterError<'task_corrupted'> =>
  new CharterError('task_corrupted', `task ${taskId} is not what was recorded: record ${seq}: ${reason}`, {
    taskId,
    seq,
    reason,
  });

/** A request that was erased: its task is settled, and needs it no more. */
const erasedRequest = ({ standing: { threadId } }: StoredTask, { id }: TaskClass): RequestDocument => ({
  taskClass: id,
  threadId,
  payload: {},
  explanation: 'This request was erased.',
  identity: { agent_id: 'erased', owner_id: 'erased', control_class: 'human-directed' },
});

/** Throws `task_corrupted` where the stored task is not the one that was sealed, record for record. */
const checkSeals = async (taskId: string, stored: StoredTask): Promise<void> => {
  const { records, emissions, standing, snapshot } = stored;
  const { findings } = await verifyLedger(records, { emissions });
  const [finding] = findings;
  if (finding !== undefined) throw corrupted(taskId, finding.seq, finding.message);
  const last = records.at(-1);
  if (last?.taskId !== taskId) throw corrupted(taskId, 0, 'its ledger is that of another task');
  if (standing.size !== records.length || standing.head !== last.hash)
    throw corrupted(taskId, last.seq, `${standing.size} records were stored, the last with another hash`);
  if (last.beside !== hashOfBeside(stored))
    throw corrupted(taskId, last.seq, 'how it stands, its deadlines or its open intents were changed');
  const told = records.findLast((record) => record.snapshot !== null);
  if (told?.snapshot !== hashOfText(snapshot))
    throw corrupted(taskId, told?.seq ?? 0, 'the stored snapshot is not the one that this record led to');
};

/**
 * Folds a stored task's ledger through the chart: what is stored beside the ledger is checked, and never believed.
 *
 * Throws `task_corrupted`, and `chart_unknown` for a task that began under another version of the chart.
 */
export const foldOf = async (stored: StoredTask): Promise<Folded> => {
  const { taskId } = stored.standing;
  deepFreeze(stored); // what a store still holds of it cannot change what is folded
  await checkSeals(taskId, stored);
  const [opening, ...others] = stored.records;
  const { contract, request } = opening?.brought ?? {};
  if (opening === undefined || contract === undefined)
    throw corrupted(taskId, 0, 'it does not open a task under a contract');
  const chart = chartNamed(opening) ?? '';
  if (chart !== chartVersion) {
    const message = `task ${taskId} began under version ${JSON.stringify(chart)} of the chart, this is ${chartVersion}`;
    throw new CharterError('chart_unknown', message, { taskId, version: chart, known: [chartVersion] });
  }
  const { actor, judge } = retellingOf(contract, opening.request_id);
  const tell = (record: LedgerRecord): void => {
    const judgement = judge(record);
    if (judgement !== null) throw corrupted(taskId, record.seq, judgement[1]);
  };
  tell(opening);
  let dossier = openDossier(request ?? erasedRequest(stored, contract), opening.trace_id);
  for (const record of others) {
    const before = actor.getSnapshot().context;
    tell(record);
    dossier = fileInto(dossier, before, actor.getSnapshot().context, record);
  }
  return { actor, dossier, contract };
};
