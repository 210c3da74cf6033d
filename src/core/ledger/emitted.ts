import { digest } from '../../base/canonical/digest.ts';
import type { Emission } from '../../base/ports/emission.ts';
import { isErased, type Erasures } from './erasures.ts';
import type { Finding, FindingCode } from './findings.ts';
import type { SealedRecord } from './record-schema.ts';

/** Returns the digest of an emitted document; `null` if it is not plain JSON data. */
export const digestOf = ({ document }: Pick<Emission, 'document'>): string | null => {
  try {
    return digest(document);
  } catch {
    return null; // never emitted: it has no digest
  }
};

/** Returns the problems of emitted documents, compared in order with the digests of a chain. */
export const emissionFindings = (
  records: readonly SealedRecord[],
  emissions: readonly Emission[] | undefined,
  erasures: Erasures,
): readonly Finding[] => {
  if (emissions === undefined) return [];
  const sealed = records
    .flatMap(({ seq, emitted }) => emitted.map((hash) => ({ seq, hash })))
    .filter(({ seq, hash }) => !isErased(erasures, hash, seq));
  const given = emissions.map(digestOf);
  const received = new Set<string | null>(records.flatMap(({ documents }) => documents['message'] ?? []));
  const expected = new Set<string | null>(sealed.map(({ hash }) => hash));
  const present = new Set(given);
  const findings: Finding[] = [];
  const found = (seq: number, code: FindingCode, message: string): void =>
    void findings.push({ seq, code, message });
  let at = 0;
  for (const { seq, hash } of sealed) {
    if (given[at] === hash) {
      // A received message under the name of ours could ask a question of its own.
      if ((emissions[at]?.name === 'ReceivedMessage') !== received.has(hash))
        found(seq, 'emission_edited', 'a document that it emitted has another name');
      at += 1;
    } else if (!present.has(hash) && at < given.length && !expected.has(given[at] ?? null)) {
      found(seq, 'emission_edited', 'a document that it emitted is not what was sealed');
      at += 1;
    } else found(seq, 'emission_missing', 'a document that it emitted is missing, or is at another position');
  }
  if (at < given.length) {
    found(records.at(-1)?.seq ?? 0, 'emission_added', 'there are documents that no record emitted');
  }
  return findings;
};
