import * as z from 'zod';
import { ApprovalKeys, type ApprovalKeySet, type KeySet } from '../../gates/approvals/keys.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import { Callable, checkDefinition } from '../../base/define/definition.ts';
import { causeOf } from '../../base/errors.ts';
import type { BlobStore } from '../../base/ports/blobs.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import { contradictionsIn } from './agreement/contradictions.ts';
import { approvalsIn, checkSignatures, type RecordedApproval } from './agreement/signatures.ts';
import { findBlobs, type LargeValues } from './blobs.ts';
import { readCheckpoint, type Checkpoint, type Head } from './checkpoint.ts';
import { readCarriedOver } from './carry-over.ts';
import { chartsOf, isOtherChart, type CarryOver, type Charts } from './chart.ts';
import { contentFindings } from './contents.ts';
import { deliveryFindings } from './deliveries.ts';
import { emissionFindings } from './emitted.ts';
import { erasuresIn, type Erasures } from './erasures.ts';
import type { Finding, LedgerVerdict } from './findings.ts';
import { chainFindings } from './links.ts';
import { ordered, type Ordered } from './order.ts';
import { readerOf, type SealedRecord } from './record-schema.ts';
import { isSettledIn } from './settled.ts';
import { upgradeFindings } from './upgrades.ts';

/** A signed checkpoint, and who may sign it. */
export interface SignedCheckpoint {
  /**
   * A signed checkpoint from a place that writers of the ledger cannot change. Only it shows that the end is
   * missing.
   */
  readonly checkpoint: string;
  /** The public keys that may sign checkpoints (RFC 7517, section 5). */
  readonly keys: KeySet;
}

/** No checkpoint. */
export interface NoCheckpoint {
  readonly checkpoint?: undefined;
  readonly keys?: KeySet;
}

/** The inputs of a verification besides the ledger. */
export type VerifyOptions = (SignedCheckpoint | NoCheckpoint) & {
  /**
   * All documents that the task emitted, in order. They are compared with their digests, and the delivered message
   * with its draft.
   */
  readonly emissions?: readonly Emission[];
  /**
   * The public keys that may sign approvals, with their `subjects`, as for `jwsApprovals`: with those that were
   * replaced since. The signature of each recorded approval is verified.
   */
  readonly approvals?: ApprovalKeySet;
  /** Where the large values are kept that the ledger names: those that are there are compared with their digests. */
  readonly blobs?: Pick<BlobStore, 'get'>;
};

/** The schema of an array, whose members are not checked. */
export const list = () => z.custom<readonly unknown[]>(Array.isArray, 'expected an array');

const Given = lazily(() =>
  z.strictObject({
    records: list(),
    options: z
      .strictObject({
        checkpoint: z.string().optional(),
        keys: z.looseObject({ keys: list() }, 'expected a JWK set: { keys: [...] }').optional(),
        emissions: list().optional(),
        approvals: ApprovalKeys.optional(),
        blobs: z.looseObject({ get: Callable }, 'must be a store, such as `sqliteBlobs(file)`').optional(),
      })
      .refine(({ checkpoint, keys }) => checkpoint === undefined || keys !== undefined, {
        path: ['keys'],
        message: 'expected the public keys that may sign the checkpoint',
      }),
  }),
);

/** The result of verifying a ledger. */
export interface Verification {
  /** Whether the existing records have no problem. */
  readonly intact: boolean;
  /** With `anchored`, no record up to the checkpoint is missing; see `verdictMeaning`. */
  readonly verdict: LedgerVerdict;
  /** The checkpoint, if a given key signed it and the ledger contains its record. */
  readonly checkpoint: Checkpoint | null;
  readonly records: number;
  /** The number of erased documents, according to the records. */
  readonly erased: number;
  /** The approvals on record, and how many of them a given key signed: none that was erased; `null` without keys. */
  readonly approvals: { readonly recorded: number; readonly signed: number } | null;
  /** The large values that the ledger names beside it; `null` without their store. One that is not kept here breaks nothing. */
  readonly blobs: LargeValues | null;
  /** The version of the opening record; `null` if that record is missing or names none. */
  readonly chart: string | null;
  /** The carry-overs to other versions of the chart, in the order of the records. */
  readonly carriedOver: readonly CarryOver[];
  /** Whether `replay` can derive the states; it needs the version that the task continues under. */
  readonly canReplay: boolean;
  /** The last sound record. */
  readonly head: Head | null;
  /** In the order of the records, then those of the checkpoint. */
  readonly findings: readonly Finding[];
}

/** What a checkpoint is compared with, taken from the records before their owner can change them again. */
interface Sealed {
  /** The task of the last sound record. */
  readonly taskId: string | undefined;
  /** The number of records, with the unsound ones at the end. */
  readonly size: number;
  /** The hashes of the sound records, by number. */
  readonly hashes: ReadonlyMap<number, string>;
}

const sealedIn = ({ sound, unsoundAfter }: Ordered): Sealed => {
  const last = sound.at(-1);
  const end = last?.seq ?? -1;
  return {
    taskId: last?.taskId,
    size: end + 1 + (unsoundAfter.get(end) ?? 0),
    hashes: new Map(sound.map(({ seq, hash }) => [seq, hash])),
  };
};

const checkpointFindings = (
  { taskId, size, hash }: Checkpoint,
  { taskId: of, size: end, hashes }: Sealed,
): readonly Finding[] => {
  const named = hashes.get(size - 1);
  const seq = size - 1;
  if (of !== undefined && of !== taskId) {
    return [{ seq, code: 'checkpoint_invalid', message: 'the checkpoint is of another task' }];
  }
  if (end < size) {
    const message = `the checkpoint was signed over ${size} records: those from here on are missing`;
    return [{ seq: end, code: 'truncated', message }];
  }
  if (named === undefined || named === hash) return []; // an unsound record is already reported
  return [
    {
      seq,
      code: 'edited',
      message: 'the checkpoint has another hash: this record, or an earlier one, was sealed again',
    },
  ];
};

/** The result of checking a checkpoint: its content if it is valid, and the problems. */
interface Anchor {
  readonly checkpoint: Checkpoint | null;
  readonly findings: readonly Finding[];
}

const anchorOf = async (ledger: Ordered, given: VerifyOptions): Promise<Anchor> => {
  if (given.checkpoint === undefined) return { checkpoint: null, findings: [] };
  const sealed = sealedIn(ledger);
  const read = await readCheckpoint(given.checkpoint, given.keys);
  if ('checkpoint' in read) {
    const findings = checkpointFindings(read.checkpoint, sealed);
    return { checkpoint: findings.length === 0 ? read.checkpoint : null, findings };
  }
  const message = `the checkpoint is invalid: ${read.refused}`;
  return { checkpoint: null, findings: [{ seq: 0, code: 'checkpoint_invalid', message }] };
};

const verdictOn = (
  intact: boolean,
  checkpoint: Checkpoint | null,
  head: Head | null,
  isSettled: boolean | null,
): LedgerVerdict => {
  if (!intact) return 'broken';
  if (head === null) return 'unanchored';
  if (checkpoint?.size === head.seq + 1) return 'anchored';
  return isSettled === false ? 'unsettled' : 'unanchored';
};

/** A verified chain, without a checkpoint and without the signatures of approvals. */
interface Chain extends Ordered {
  readonly approvals: readonly RecordedApproval[];
  readonly erased: number;
  readonly charts: Charts;
}

/** What sealed records say: the problems in it, and their approvals. */
interface Statements {
  readonly findings: readonly Finding[];
  readonly approvals: readonly RecordedApproval[];
}

const nothing: Statements = { findings: [], approvals: [] };

/** Reads what sealed records say; another chart's facts and documents are not read. */
const statementsIn = (
  records: readonly SealedRecord[],
  { current: chart, since }: Charts,
  erasures: Erasures,
  emissions?: readonly Emission[],
): Statements => {
  if (isOtherChart(chart)) return nothing;
  const older: LedgerRecord[] = [];
  for (const record of records.slice(0, since))
    try {
      older.push(readCarriedOver(readerOf(true)('record', record)));
    } catch (error) {
      return { ...nothing, findings: [{ seq: record.seq, code: 'unreadable', message: causeOf(error) }] };
    }
  const current = records.slice(since) as readonly SealedRecord[] as readonly LedgerRecord[]; // `ordered` was strict
  const all = [...older, ...current];
  return {
    findings: [...contradictionsIn(all, since, erasures, emissions), ...deliveryFindings(all, emissions)],
    approvals: approvalsIn(all),
  };
};

const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((one, other) => one.seq - other.seq);

/** Verifies the chain of a ledger of any version of the chart: hashes, links, order, documents and emissions. */
export const verifyChain = (records: readonly unknown[], given?: readonly Emission[]): Chain => {
  const emissions = given?.map((emission) => ({ ...emission })); // before the records: no code runs until the end
  const ledger = ordered(records);
  const { sound, unchecked, unsoundAfter } = ledger;
  const erasures = erasuresIn(sound);
  const chain = [...ledger.findings, ...chainFindings(ledger)];
  // Emissions of missing records are missing too: that is no new finding.
  const isWhole = chain.length === 0;
  const seals = [
    ...chain,
    ...(isWhole ? upgradeFindings(sound) : []),
    ...sound.flatMap((record) => contentFindings(record, erasures, !unchecked.has(record))),
    ...(isWhole ? emissionFindings(sound, emissions, erasures) : []),
  ];
  const charts = chartsOf(sound);
  // Compare documents only if their seals are intact.
  const statements = seals.length === 0 ? statementsIn(sound, charts, erasures, emissions) : nothing;
  const findings = inOrder([...seals, ...statements.findings]);
  const { approvals } = statements;
  return { sound, unchecked, unsoundAfter, findings, approvals, erased: erasures.size, charts };
};

/**
 * Verifies that a task's ledger is as it was sealed: nothing edited, dropped, swapped, repeated or foreign.
 *
 * Invalid records become findings. The end can be cut off, or rewritten by a person who can seal records. Only a
 * checkpoint shows that; `verdict` shows whether one covers the last record. A ledger of another version of the chart is
 * verified in full, but its states cannot be derived unless its task was carried over.
 *
 * Throws `definition_invalid` for arguments of another type.
 */
export const verifyLedger = async (
  records: readonly unknown[],
  options: VerifyOptions = {},
): Promise<Verification> => {
  const given = { ...options }; // each is read once
  checkDefinition('verification', null, Given(), { records, options: given });
  const keys = given.approvals && ApprovalKeys.parse(given.approvals).keys;
  const ledger = verifyChain(records, given.emissions);
  const { sound, erased, charts, approvals } = ledger;
  const last = sound.at(-1);
  const head = last === undefined ? null : { taskId: last.taskId, seq: last.seq, hash: last.hash };
  const isSettled = last === undefined ? null : isSettledIn(last.to);
  const anchor = await anchorOf(ledger, given); // from here on, the owner of the records may have changed them
  const signatures = keys && (await checkSignatures(approvals, keys));
  const beside = given.blobs && (await findBlobs(sound, given.blobs));
  const findings = [
    ...inOrder([...ledger.findings, ...(signatures?.findings ?? []), ...(beside?.findings ?? [])]),
    ...anchor.findings,
  ];
  const intact = findings.length === 0;
  return {
    intact,
    verdict: verdictOn(intact, anchor.checkpoint, head, isSettled),
    checkpoint: anchor.checkpoint,
    records: records.length,
    erased,
    approvals: signatures ? { recorded: approvals.length, signed: signatures.signed } : null,
    blobs: beside?.blobs ?? null,
    chart: charts.begun,
    carriedOver: charts.carriedOver,
    canReplay: !isOtherChart(charts.current),
    head,
    findings,
  };
};
