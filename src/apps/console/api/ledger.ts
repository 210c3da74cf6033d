import { findingMeaning, replay, replayMeaning, verifyLedger } from '../../../core/ledger/index.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import type { LedgerRecord } from '../../../base/ports/ledger.ts';
import type { LedgerLine, LedgerPage, Verdict } from '../wire.ts';
import { offsetIn, pageOf } from './page-of.ts';

/** Records on one page of a ledger. */
const size = 50;
/** The maximum of findings in a verdict. */
const maxFindings = 100;

const rowOf = (record: LedgerRecord): LedgerLine => {
  const { brought: _, fact, ...line } = record;
  return { ...line, fact: fact?.type ?? null };
};

/** Returns a page of a task's records without their documents, the latest first. */
export const ledgerPage = async (
  orchestrator: Orchestrator,
  taskId: string,
  query: URLSearchParams,
): Promise<LedgerPage> => {
  const records = (await orchestrator.ledger(taskId)).toReversed();
  const { items, ...place } = pageOf(records, offsetIn(query), size);
  return { ...place, records: items.map(rowOf) };
};

/** Verifies and replays a ledger. Returns each finding as text. */
export const verdictOn = async (orchestrator: Orchestrator, taskId: string): Promise<Verdict> => {
  const records = await orchestrator.ledger(taskId);
  const emissions = (await orchestrator.documents(taskId)).slice(
    0,
    records.reduce((sum, { emitted }) => sum + emitted.length, 0), // without records that were added since
  );
  const verified = await verifyLedger(records, { emissions });
  const replayed = replay(records, { emissions });
  const messages = [
    ...verified.findings.map(({ seq, code }) => ({ seq, code, meaning: findingMeaning[code] })),
    ...replayed.findings.map(({ seq, code }) => ({ seq, code, meaning: replayMeaning[code] })),
  ];
  return {
    intact: verified.intact,
    replay: replayed.verdict,
    chart: verified.chart,
    records: verified.records,
    replayed: replayed.records,
    erased: verified.erased,
    findings: messages.slice(0, maxFindings),
  };
};
