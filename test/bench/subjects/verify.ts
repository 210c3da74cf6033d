import { hash } from 'node:crypto';
import { verifyLedger, type LedgerRecord } from 'agentcharter/ledger';
import { sealRecord } from '../../../src/ledger/seal.ts';
import { median, spent } from '../measure.ts';
import { createHost } from '../engines/orchestrator.ts';
import { newRequest } from '../work.ts';

export interface VerifyOf {
  readonly records: number;
  readonly times: number;
}

/** CPU milliseconds. */
export interface Verified {
  readonly verify: number;
  /** SHA-256 of the text of every record. */
  readonly hash: number;
  readonly bytes: number;
}

const ledgerOfRun = async (): Promise<readonly LedgerRecord[]> => {
  const { orchestrator, submit } = createHost();
  const taskId = await submit(newRequest('read_only'));
  await orchestrator.settled(taskId);
  const ledger = await orchestrator.ledger(taskId);
  await orchestrator.close();
  return ledger;
};

/** A ledger of this length: the records of a run, again and again, each sealed behind the one before it. */
const ledgerOf = async (length: number): Promise<readonly LedgerRecord[]> => {
  const [opening, ...records] = await ledgerOfRun();
  const middle = records.slice(0, -1); // one task delivers once
  const ledger = [opening!];
  for (let seq = 1; seq < length; seq += 1) {
    const before = ledger.at(-1)!;
    const {
      documents: _d,
      emitted: _e,
      snapshot: _s,
      beside: _b,
      previous: _p,
      hash: _h,
      ...entry
    } = middle[(seq - 1) % middle.length]!;
    const place = { seq, from: before.to, to: before.to, timestamp: opening!.timestamp };
    const { evidence } = entry.brought;
    const emissions = evidence === undefined ? [] : [{ name: 'EvidenceObject' as const, document: evidence }];
    const sealing = { previous: before.hash, snapshot: 'snapshot', emissions, beside: opening!.hash };
    ledger.push(sealRecord({ ...entry, ...place }, sealing));
  }
  return JSON.parse(JSON.stringify(ledger)) as readonly LedgerRecord[];
};

/** Verifies a ledger, and hashes the same bytes. */
export const measureVerify = async ({ records, times }: VerifyOf): Promise<Verified> => {
  const ledger = await ledgerOf(records);
  const figures: { readonly verify: number; readonly hash: number }[] = [];
  for (let time = 0; time <= times; time += 1) {
    const verify = await spent(async () => {
      const { intact, findings } = await verifyLedger(ledger);
      if (!intact) throw new Error(`the ledger is not intact: ${findings[0]?.message}`);
    });
    const texts = ledger.map((record) => JSON.stringify(record)); // anew: nothing of them is in a cache
    const hashed = await spent(() => {
      for (const text of texts) hash('sha256', text);
    });
    if (time > 0) figures.push({ verify: verify.cpu / 1_000, hash: hashed.cpu / 1_000 });
  }
  return {
    verify: median(figures.map(({ verify }) => verify)),
    hash: median(figures.map(({ hash: of }) => of)),
    bytes: Buffer.byteLength(JSON.stringify(ledger)),
  };
};
