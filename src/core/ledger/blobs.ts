import { isOfDigest, referencesIn } from '../../base/canonical/blobs.ts';
import type { BlobStore } from '../../base/ports/blobs.ts';
import type { Finding } from './findings.ts';
import type { SealedRecord } from './record-schema.ts';

/** The large values that a ledger names. */
export interface LargeValues {
  /** How many there are, by digest. */
  readonly named: number;
  /** The digests of those that are not kept here: erased, pruned, or never copied to this place. */
  readonly notKeptHere: readonly string[];
}

/** Looks for what sealed records name beside the ledger. What is kept must have the digest by which it is named. */
export const findBlobs = async (
  records: readonly Pick<SealedRecord, 'seq' | 'taskId' | 'brought'>[],
  { get }: Pick<BlobStore, 'get'>,
): Promise<{ readonly blobs: LargeValues; readonly findings: readonly Finding[] }> => {
  const named = new Map<string, { readonly seq: number; readonly taskId: string }>();
  for (const { seq, taskId, brought } of records)
    for (const { digest } of referencesIn(brought))
      if (!named.has(digest)) named.set(digest, { seq, taskId });
  const notKeptHere: string[] = [];
  const findings: Finding[] = [];
  for (const [digest, { seq, taskId }] of named) {
    const bytes = await get(taskId, digest);
    if (bytes === undefined) notKeptHere.push(digest);
    else if (!isOfDigest(bytes, digest))
      findings.push({
        seq,
        code: 'document_edited',
        message: `the bytes that are kept beside the ledger as ${digest} are others`,
      });
  }
  return { blobs: { named: named.size, notKeptHere }, findings };
};
