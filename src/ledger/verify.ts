import type { KeySet } from '../approvals/keys.ts';
import type { Emission } from '../ports/emission.ts';
import { readCheckpoint, type Checkpoint, type Head } from './checkpoint.ts';
import { chartNamed, isOtherChart } from './chart.ts';
import { contentFindings } from './contents.ts';
import { emissionFindings } from './emitted.ts';
import { erasuresIn } from './erasures.ts';
import type { Finding } from './findings.ts';
import { chainFindings } from './links.ts';
import { ordered, type Ordered } from './order.ts';

/** What a ledger is held against, beyond itself. */
export interface VerifyOptions {
  /** A signed checkpoint, kept where whoever may write the ledger may not: it alone tells that the end is missing. */
  readonly checkpoint?: string;
  /** The public keys that may sign checkpoints (RFC 7517, section 5). */
  readonly keys?: KeySet;
  /** All documents that the task emitted, in order. */
  readonly emissions?: readonly Emission[];
}

/** What a ledger was found to be. */
export interface Verification {
  /** Whether nothing is wrong. */
  readonly intact: boolean;
  readonly records: number;
  /** Documents that are gone, as a record says. */
  readonly erased: number;
  /** The version of the chart that wrote the ledger; `null` if its opening record is missing or names none. */
  readonly chart: string | null;
  /** Whether `replay` can derive the states: only the version of the chart that wrote the ledger can. */
  readonly canReplay: boolean;
  /** The last record that is sound in itself. */
  readonly head: Head | null;
  /** In the order of the records; those of the checkpoint last. */
  readonly findings: readonly Finding[];
}

const checkpointFindings = (
  { taskId, size, hash }: Checkpoint,
  { sound, unsoundAfter }: Ordered,
): readonly Finding[] => {
  const last = sound.at(-1);
  const named = sound.find(({ seq }) => seq === size - 1);
  const seq = size - 1;
  if (last !== undefined && last.taskId !== taskId) {
    return [{ seq, code: 'checkpoint_invalid', message: 'the checkpoint is of another task' }];
  }
  const end = (last?.seq ?? -1) + 1 + (unsoundAfter.get(last?.seq ?? -1) ?? 0);
  if (end < size) {
    const message = `the checkpoint was signed over ${size} records: those from here on are missing`;
    return [{ seq: end, code: 'truncated', message }];
  }
  if (named === undefined || named.hash === hash) return []; // one that is not sound is told already
  return [
    { seq, code: 'edited', message: 'the checkpoint names another hash: it, or one before, was sealed anew' },
  ];
};

const heldAgainst = async (
  ledger: Ordered,
  { checkpoint, keys }: VerifyOptions,
): Promise<readonly Finding[]> => {
  if (checkpoint === undefined) return [];
  const read = await readCheckpoint(checkpoint, keys ?? { keys: [] });
  if ('checkpoint' in read) return checkpointFindings(read.checkpoint, ledger);
  return [{ seq: 0, code: 'checkpoint_invalid', message: `the checkpoint does not count: ${read.refused}` }];
};

/** A ledger's chain as it was verified, without a checkpoint. */
interface Chain extends Ordered {
  readonly erased: number;
  readonly chart: string | null;
}

/** Verifies the chain of a ledger of any version of the chart: hashes, links, order, documents and emissions. */
export const verifyChain = (records: readonly unknown[], emissions?: readonly Emission[]): Chain => {
  const ledger = ordered(records);
  const { sound, unsoundAfter } = ledger;
  const erasures = erasuresIn(sound);
  const chain = [...ledger.findings, ...chainFindings(ledger)];
  // Where records are missing, so is what they emitted: nothing new is to be learned from that.
  const isWhole = chain.length === 0;
  const findings = [
    ...chain,
    ...sound.flatMap((record) => contentFindings(record, erasures)),
    ...(isWhole ? emissionFindings(sound, emissions, erasures) : []),
  ].toSorted((one, other) => one.seq - other.seq);
  const [opening] = sound;
  const chart = opening?.seq === 0 ? chartNamed(opening) : null;
  return { sound, unsoundAfter, findings, erased: erasures.size, chart };
};

/**
 * Whether a task's ledger is the one that was sealed: nothing edited, dropped, swapped, repeated or from elsewhere.
 *
 * What a record holds is found, never thrown. Whoever can seal anew can write any end: only a checkpoint shows that.
 * A ledger that another version of the chart wrote is verified in full; only its states cannot be derived here.
 */
export const verifyLedger = async (
  records: readonly unknown[],
  options: VerifyOptions = {},
): Promise<Verification> => {
  const ledger = verifyChain(records, options.emissions);
  const { sound, erased, chart } = ledger;
  const findings = [...ledger.findings, ...(await heldAgainst(ledger, options))];
  const last = sound.at(-1);
  return {
    intact: findings.length === 0,
    records: records.length,
    erased,
    chart,
    canReplay: !isOtherChart(chart),
    head: last === undefined ? null : { taskId: last.taskId, seq: last.seq, hash: last.hash },
    findings,
  };
};
