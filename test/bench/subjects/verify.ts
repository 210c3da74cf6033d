import { hash } from 'node:crypto';
import { verifyLedger, type LedgerRecord, type VerifyOptions } from 'agentcharter/ledger';
import { entryOf } from '../../../src/core/kernel/entry.ts';
import { sealRecord } from '../../../src/core/kernel/seal.ts';
import { median, spent } from '../measure.ts';
import { createHost } from '../engines/orchestrator.ts';
import { answer, approvalKeys } from '../engines/parts.ts';
import { approvalOf, newRequest, type WireRequest } from '../work.ts';

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

/** The ledger of a read, or of a write that a person signs. */
const ledgerOfRun = async (risk: WireRequest['risk']): Promise<readonly LedgerRecord[]> => {
  const { orchestrator, submit, asked } = createHost();
  const request = newRequest(risk);
  const taskId = await submit(request);
  if (risk === 'write_high_risk') await answer(orchestrator, await asked(taskId), approvalOf(request));
  await orchestrator.settled(taskId);
  const ledger = await orchestrator.ledger(taskId);
  await orchestrator.close();
  return ledger;
};

/** A ledger of this length: the records of a run, again and again, each sealed behind the one before it. */
const ledgerOf = async (risk: WireRequest['risk'], length: number): Promise<readonly LedgerRecord[]> => {
  const [opening, ...records] = await ledgerOfRun(risk);
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
    const { request_id: request, outcome: run } = entry;
    ledger.push(sealRecord(entryOf({ ...entry, ...place, request, run }), sealing));
  }
  return JSON.parse(JSON.stringify(ledger)) as readonly LedgerRecord[];
};

/** Verifies a ledger, and hashes the same bytes. */
export const measureVerify = async ({ records, times }: VerifyOf): Promise<Verified> => {
  const ledger = await ledgerOf('read_only', records);
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

/** CPU milliseconds of verifying the same ledger with the keys of its approvals, and without. */
export interface Signed {
  readonly checked: number;
  readonly unchecked: number;
  /** The approvals in it. */
  readonly approvals: number;
}

/** Verifies a ledger of signed writes with the keys of its approvals, and without. */
export const measureSigned = async ({ records, times }: VerifyOf): Promise<Signed> => {
  const ledger = await ledgerOf('write_high_risk', records);
  const found = async (options: VerifyOptions): Promise<number> => {
    const { intact, findings, approvals } = await verifyLedger(ledger, options);
    if (!intact) throw new Error(`the ledger is not intact: ${findings[0]?.message}`);
    return approvals?.signed ?? 0;
  };
  let approvals = 0;
  const figures: { readonly checked: number; readonly unchecked: number }[] = [];
  for (let time = 0; time <= times; time += 1) {
    const unchecked = await spent(() => found({}));
    const checked = await spent(async () => {
      approvals = await found({ approvals: approvalKeys });
    });
    if (time > 0) figures.push({ checked: checked.cpu / 1_000, unchecked: unchecked.cpu / 1_000 });
  }
  return {
    checked: median(figures.map(({ checked }) => checked)),
    unchecked: median(figures.map(({ unchecked }) => unchecked)),
    approvals,
  };
};
