import * as z from 'zod';
import { lazily } from '../../base/boundary/lazily.ts';
import { Fact, TaskClassContract } from '../../../machines/index.ts';
import { DateTime, Identifier, JsonObject, Outcome, ReasonCode, Uuid } from '../../../schema/index.ts';
import { checkDocument } from '../../base/boundary/parse-document.ts';
import { isDigest } from '../../base/canonical/digest.ts';
import { frozenCopy, recordBounds } from '../../base/canonical/freeze.ts';
import type { RecordPayload, LedgerRecord } from '../../base/ports/ledger.ts';

/** The schema of a digest: `sha256:` and 64 lower-case hex digits. */
export const Digest = z.string().refine(isDigest, 'expected sha256: and 64 lower-case hex digits');

const Count = z.int().nonnegative();

/** The document of a carry-over. */
export const upgradeSchema = lazily(() => {
  const ChartState = z.strictObject({ chart: z.string(), state: z.string(), snapshot: Digest });
  return z.strictObject({ from: ChartState, to: ChartState });
});

/** The document of an end. */
export const endSchema = lazily(() => {
  const Write = z.strictObject({ digest: z.string(), tool: z.string(), isKnown: z.boolean() });
  return z.strictObject({ chart: z.string(), state: z.string(), writes: z.array(Write) });
});

/** The schemas of a record's documents. Only the contract is checked fully, because replay uses no other. */
const documents = lazily(
  () =>
    ({
      contract: TaskClassContract.optional(),
      chart: z.string().optional(),
      request: JsonObject.optional(),
      output: JsonObject.optional(),
      stream: JsonObject.optional(),
      rejected: JsonObject.optional(),
      calls: z.array(JsonObject).optional(),
      evidence: JsonObject.optional(),
      report: JsonObject.optional(),
      approval: JsonObject.optional(),
      person: JsonObject.optional(),
      feedback: JsonObject.optional(),
      shown: z.strictObject({ summary: z.string(), reasons: z.array(z.string()) }).optional(),
      met: z.unknown().optional(),
      message: JsonObject.optional(),
      agent: z.string().optional(),
      owner: z.string().optional(),
      reasons: z.array(z.string()).optional(),
      explanation: z.string().optional(),
      payload: JsonObject.optional(),
      agentState: z.unknown().optional(),
      recovery: JsonObject.optional(),
      upgrade: upgradeSchema().optional(),
      end: endSchema().optional(),
    }) satisfies Record<keyof RecordPayload, z.ZodType>,
);

/** The members that the chain covers, in every version of the chart. */
const chained = lazily(() => ({
  seq: Count,
  taskId: z.string(),
  request_id: Uuid,
  trace_id: z.string().min(1),
  timestamp: DateTime,
  actor: z.strictObject({ kind: z.enum(['system', 'agent', 'human']), id: Identifier }),
  from: z.string(),
  to: z.string(),
  erased: Digest.nullable(),
  omitted: Count,
  behind: z.number().nonnegative(),
  emitted: z.array(Digest),
  snapshot: Digest.nullable(),
  beside: Digest.nullable(),
  previous: Digest.nullable(),
  hash: Digest,
}));

/** The kinds of record that this version writes. */
export const RecordKind = z.enum([
  'fact',
  'orphan',
  'refusal',
  'erasure',
  'recovery',
  'agent',
  'message',
  'upgrade',
  'end',
]);

/** A record of the audit trail, as `sealRecord` returns it. */
const lineSchema = lazily(() =>
  z.strictObject({
    ...chained(),
    kind: RecordKind,
    outcome: Outcome,
    fact: Fact.nullable(),
    code: ReasonCode.nullable(),
    brought: z.strictObject(documents()),
    documents: z.partialRecord(z.enum(Object.keys(documents())), Digest),
  } satisfies Record<keyof LedgerRecord, z.ZodType>),
);

/** The members that depend on the version of the chart, checked only as far as the chain needs. */
const looseMembers = lazily(() => ({
  kind: z.string(),
  outcome: z.string(),
  fact: z.looseObject({ type: z.string() }).nullable(),
  code: z.string().nullable(),
  brought: z.record(z.string(), z.unknown()),
  documents: z.record(z.string(), Digest),
}));

/** A record of any version of the chart. */
const sealedLineSchema = lazily(() =>
  z.strictObject({ ...chained(), ...looseMembers() } satisfies Record<keyof LedgerRecord, z.ZodType>),
);

/** Returns the schema of a record: strict, or checking only the chain for another version of the chart. */
export const recordSchemaOf = (isOtherChart: boolean) => (isOtherChart ? sealedLineSchema() : lineSchema());

/** A record whose chain can be verified without its version of the chart. */
export interface SealedRecord extends Omit<LedgerRecord, keyof ReturnType<typeof looseMembers>> {
  readonly kind: string;
  readonly outcome: string;
  readonly fact: { readonly type: string } | null;
  readonly code: string | null;
  readonly brought: Readonly<Record<string, unknown>>;
  readonly documents: Readonly<Record<string, string>>;
}

const readLine = (document: string, schema: z.ZodType, value: unknown): unknown => {
  const copy = frozenCopy(value, document, recordBounds);
  checkDocument(document, schema, copy);
  return copy; // the hash covers the copy, not zod's output
};

/**
 * Returns a frozen copy of a value that fits the schema of a record; `document` names it in an error.
 *
 * Throws `input_unreadable` if it is not plain I-JSON data, and `document_invalid`.
 */
export const readRecord = (document: string, value: unknown): LedgerRecord =>
  readLine(document, lineSchema(), value) as LedgerRecord;

/** Returns a reader of records: strict, or checking only the chain for another version of the chart. */
export const readerOf =
  (isOtherChart: boolean) =>
  (document: string, value: unknown): SealedRecord =>
    readLine(document, recordSchemaOf(isOtherChart), value) as SealedRecord;
