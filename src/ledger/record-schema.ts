import * as z from 'zod';
import { Fact, TaskClassContract } from '../../machines/index.ts';
import { DateTime, Identifier, JsonObject, Outcome, ReasonCode, Uuid } from '../../schema/index.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { isDigest } from '../canonical/digest.ts';
import { frozenCopy, recordBounds } from '../canonical/freeze.ts';
import type { Brought, LedgerRecord } from '../ports/ledger.ts';

/** A digest as it is written: `sha256:` and 64 lower-case hex digits. */
export const Digest = z.string().refine(isDigest, 'expected sha256: and 64 lower-case hex digits');

const Count = z.int().nonnegative();

/** What a record brought: only the contract is read closely, for the rest is replayed by nobody. */
const documents = {
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
  met: z.unknown().optional(),
  agent: z.string().optional(),
  reasons: z.array(z.string()).optional(),
  explanation: z.string().optional(),
  payload: JsonObject.optional(),
  recovery: JsonObject.optional(),
} satisfies Record<keyof Brought, z.ZodType>;

const Name = z.enum(Object.keys(documents));

/** One line of the audit trail, as `sealRecord` makes it. */
const Line = z.strictObject({
  seq: Count,
  taskId: z.string(),
  kind: z.enum(['fact', 'orphan', 'refusal', 'erasure', 'recovery']),
  request_id: Uuid,
  trace_id: z.string().min(1),
  timestamp: DateTime,
  actor: z.strictObject({ kind: z.enum(['system', 'agent', 'human']), id: Identifier }),
  outcome: Outcome,
  from: z.string(),
  to: z.string(),
  fact: Fact.nullable(),
  code: ReasonCode.nullable(),
  erased: Digest.nullable(),
  omitted: Count,
  behind: z.number().nonnegative(),
  brought: z.strictObject(documents),
  documents: z.partialRecord(Name, Digest),
  emitted: z.array(Digest),
  snapshot: Digest.nullable(),
  beside: Digest.nullable(),
  previous: Digest.nullable(),
  hash: Digest,
} satisfies Record<keyof LedgerRecord, z.ZodType>);

/**
 * A frozen copy of a value that fits the schema of a record; `document` names it in an error.
 *
 * Throws `input_unreadable` for what is not plain I-JSON data, and `document_invalid`.
 */
export const readRecord = (document: string, value: unknown): LedgerRecord => {
  const copy = frozenCopy(value, document, recordBounds);
  parseDocument(document, Line, copy);
  return copy as LedgerRecord; // what was read, not what zod makes of it: that is what was hashed
};
