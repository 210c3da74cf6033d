import * as z from 'zod';
import { lazily } from '../../base/boundary/lazily.ts';
import { taskClass, type TaskClassInput } from '../../../machines/index.ts';
import {
  EvidenceObject,
  Identity,
  JsonObject,
  RollbackAction,
  UpContext,
  UpFeedback,
  UpThought,
  VerificationReport,
} from '../../../schema/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import { readRecord, type SealedRecord } from './record-schema.ts';

/** The members that the orchestrator uses in a record's documents; other members are kept. */
const documentsSchema = lazily(() =>
  z.looseObject({
    request: z
      .looseObject({ taskClass: z.string(), threadId: z.string(), payload: JsonObject, identity: Identity })
      .optional(),
    output: z
      .looseObject({
        payload: JsonObject,
        explanation: z.string(),
        upThought: UpThought,
        upContext: UpContext.optional(),
      })
      .optional(),
    calls: z
      .array(
        z.looseObject({
          id: z.string(),
          tool: z.string(),
          version: z.string(),
          rollback: RollbackAction.nullable(),
          doubt: z.enum(['idempotent', 'reconcilable', 'unsafe']).optional(),
          digest: z.string(),
        }),
      )
      .optional(),
    evidence: EvidenceObject.optional(),
    report: VerificationReport.optional(),
    feedback: UpFeedback.optional(),
    person: z.looseObject({ id: z.string() }).optional(),
    approval: z
      .looseObject({ token: z.string(), approver: z.string(), jti: z.string(), expiresAt: z.string() })
      .optional(),
    recovery: z
      .looseObject({ effect: z.enum(['call', 'rollback']), key: z.string(), tool: z.string() })
      .optional(),
  }),
);

/** Fills in the strict default for each member that the older version did not have. */
const completedContract = (contract: unknown): unknown =>
  isObject(contract) ? taskClass(contract as unknown as TaskClassInput) : contract; // its schema parses it next

const completed = ({ fact, brought, ...record }: SealedRecord | LedgerRecord): object => ({
  ...record,
  fact:
    fact?.type === 'taskClass.changed' && 'taskClass' in fact
      ? { ...fact, taskClass: completedContract(fact.taskClass) }
      : fact,
  brought: {
    ...brought,
    ...('contract' in brought && { contract: completedContract(brought.contract) }),
  },
});

/**
 * Reads a record of another version of the chart as this version does, with strict defaults for missing members. The
 * result is replayed and never sealed; its digests are the original ones.
 *
 * Throws `document_invalid` if this version refuses the fact or a document.
 */
export const readCarriedOver = (sealed: SealedRecord | LedgerRecord): LedgerRecord => {
  const name = `record ${sealed.seq}`;
  const record = readRecord(name, completed(sealed));
  parseDocument(`the documents of ${name}`, documentsSchema(), record.brought);
  return record;
};
