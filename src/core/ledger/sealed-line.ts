import type { z } from 'zod';
import { hashOfText } from '../../base/canonical/digest.ts';
import { isPlainContainer } from '../../base/canonical/walk.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import { leadOf, plansOf, type Lead, type PlanOf } from './checked-plan.ts';
import { shapeOf } from './checked-schema.ts';
import {
  add,
  addEnd,
  addSafeString,
  addText,
  newReading,
  planIn,
  textOf,
  valueAt,
  type Reading,
} from './checked-text.ts';
import { readerOf, recordSchemaOf, type SealedRecord } from './record-schema.ts';
import { recordDomain } from '../kernel/seal.ts';

type RecordSchema = z.core.$ZodObject<Readonly<Record<keyof LedgerRecord, z.core.$ZodType>>>;

/** How a record is read, and the documents that it brought, and their digests. */
interface Plans {
  readonly core: PlanOf;
  readonly brought: PlanOf;
  readonly documents: PlanOf;
}

const plansOfSchema = (schema: z.core.$ZodType, leftOut?: ReadonlySet<string>): PlanOf => {
  const shape = shapeOf(schema);
  return shape === null ? () => null : plansOf({ ...shape, ...(leftOut && { leftOut }) });
};

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && isPlainContainer(value) && !Array.isArray(value);

type Digests = ReadonlyMap<string, string>;

const noLead = leadOf('');

const none: Digests = new Map();

/** Returns the digests of the documents that a record brought; `null` if they do not fit. */
const digestsOf = (brought: unknown, planOf: PlanOf, record: Reading): Digests | null => {
  const plan = isPlainObject(brought) ? planIn(brought, planOf, record) : null;
  if (plan === null || plan.members.length === 0) return plan && none;
  const digests = new Map<string, string>();
  for (const { key, rule } of plan.members) {
    const reading = newReading('', record.left);
    if (!add(valueAt(brought as object, key), rule, reading, noLead)) return null;
    record.left = reading.left;
    digests.set(key, hashOfText(textOf(reading)));
  }
  return digests;
};

/** Adds the sealed digests. Returns whether they fit, and each document that exists has its own. */
const addDocuments = (
  documents: unknown,
  planOf: PlanOf,
  record: Reading,
  lead: Lead,
  digests: Digests,
): boolean => {
  const plan = isPlainObject(documents) ? planIn(documents, planOf, record) : null;
  if (plan === null) return false;
  let left = digests.size;
  addText(plan.start, record, lead);
  for (const member of plan.members) {
    const sealed = valueAt(documents as object, member.key);
    const digest = digests.get(member.key);
    if (digest !== undefined) left -= 1;
    const fits =
      digest === undefined
        ? add(sealed, member.rule, record, member.lead)
        : sealed === digest && addSafeString(digest, record, member.lead);
    if (!fits) return false;
  }
  return left === 0 && addEnd('}', record);
};

/** Returns the hash of a record; `null` if it does not fit its schema, or a document is not what was sealed. */
const hashIn = (value: unknown, { core, brought, documents }: Plans): string | null => {
  const reading = newReading(recordDomain);
  const plan = isPlainObject(value) ? planIn(value, core, reading) : null;
  if (plan === null) return null;
  let digests: Digests | null = none;
  for (const { key, rule, lead } of plan.members) {
    const member = valueAt(value as object, key);
    switch (key) {
      case 'brought':
        digests = digestsOf(member, brought, reading);
        if (digests === null) return null;
        break;
      case 'documents':
        if (!addDocuments(member, documents, reading, lead, digests)) return null;
        break;
      case 'hash':
        if (typeof member !== 'string') return null; // it is compared with the hash of the text
        break;
      default:
        if (!add(member, rule, reading, lead)) return null;
    }
  }
  addEnd('}', reading);
  return hashOfText(reading.text);
};

/** Returns whether a list has its items and nothing else, so that its methods are those of every list. */
const isBare = (list: readonly unknown[]): boolean =>
  Object.getOwnPropertyNames(list).length === list.length + 1 &&
  Object.getOwnPropertySymbols(list).length === 0;

/** Returns whether a record fits its schema, and has the hash and the documents that were sealed. */
type IsSealed = (value: unknown) => value is SealedRecord;

const isSealedBy = (schema: RecordSchema): IsSealed => {
  const { shape } = schema._zod.def;
  const plans: Plans = {
    core: plansOfSchema(schema, new Set(['brought', 'hash'])),
    brought: plansOfSchema(shape.brought),
    documents: plansOfSchema(shape.documents),
  };
  return (value): value is SealedRecord => {
    const hash = hashIn(value, plans);
    if (hash === null) return false;
    const record = value as SealedRecord; // it fits the schema
    const isRare = record.kind === 'upgrade' || record.kind === 'end'; // their documents are read again
    return !isRare && isBare(record.emitted) && record.hash === hash;
  };
};

/** One for each schema, made at its first use. */
const known = new Map<boolean, IsSealed>();

const isSealedIn = (isOtherChart: boolean): IsSealed => {
  const isSealed = known.get(isOtherChart) ?? isSealedBy(recordSchemaOf(isOtherChart));
  known.set(isOtherChart, isSealed);
  return isSealed;
};

/**
 * Returns readers of records as `readerOf` does, which accept the same values. An ordinary record is compared with its
 * seal at once, and returned as it is: use it before its owner can change it. Every other record is copied, and added
 * to `unchecked`.
 */
export const sealReaders =
  (unchecked: Set<SealedRecord>): typeof readerOf =>
  (isOtherChart) => {
    const isSealed = isSealedIn(isOtherChart);
    const read = readerOf(isOtherChart);
    return (document, value) => {
      if (isSealed(value)) return value;
      const record = read(document, value);
      unchecked.add(record);
      return record;
    };
  };
