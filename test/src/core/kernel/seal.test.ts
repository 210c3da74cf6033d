import { describe, expect, it } from 'vitest';
import type { EvidenceObject } from '../../../../schema/index.ts';
import { digest, hashOfText } from '../../../../src/base/canonical/digest.ts';
import { hashOfRecord, sealRecord } from '../../../../src/core/kernel/seal.ts';
import { refusalOf } from '../../base/canonical/generated.ts';
import { entryOf as fixedEntry } from '../../../../src/core/kernel/entry.ts';
import type { LedgerEntry } from '../../../../src/base/ports/ledger.ts';
import { entryOf } from '../ledger/entry.ts';

const document: EvidenceObject = {
  evidence_id: 'e-1',
  evidence_type: 'tool_result',
  source: 'read',
  hash: 'x',
  collected_at: '2026-11-21T05:00:00Z',
};
/** Seals an entry as the kernel makes one. */
const seal = (given: LedgerEntry, sealing: Parameters<typeof sealRecord>[1]) => {
  const { request_id: request, outcome } = given;
  return sealRecord({ ...fixedEntry({ ...given, request, run: outcome }), outcome }, sealing);
};

const nothing = { previous: null, snapshot: null, emissions: [] };
const entry = entryOf(7, {
  actor: { kind: 'human', id: 'dana' },
  from: 'a',
  to: 'b',
  fact: {
    type: 'call.failed',
    request: '00000000-0000-4000-8000-000000000001',
    attempt: 0,
    call: 'c',
    code: 'TOOL_FAILED',
  },
  brought: { explanation: 'Wünsche: a "list"\n', payload: { z: [1, 2.5, null, true], a: { '€': 'x' } } },
});

/**
 * Python's own: `hashlib.sha256` over `json.dumps(v, sort_keys=True, separators=(',', ':'), ensure_ascii=False)`, which
 * is RFC 8785 for ASCII keys of these numbers; for the record's hash after the line `agentcharter ledger record 1`.
 */
const known = {
  payload: 'sha256:09cf25e69c1427aea7f3a9e9cf7ddfb518ab0ee0394d0b607c34a16e2d9eccac',
  explanation: 'sha256:93de7b6c2a8e6c80dcadc2bc99ad890a617b421b635a8f0600c76898676aaa37',
  document: 'sha256:374f683ad36fcdc66b9236a46970b66022e2e5d64f5991835599c9fe3a69813e',
  snapshot: 'sha256:8a1194dbb5891c61f2c8ecefd281cd1f0268ba590a6c00ffeb5e492811893932',
  record: 'sha256:5e68de34dff83046f46628497d45b5c0c5644541e4e24f8ed1f25027db693374',
  bare: 'sha256:ece4a670385e929ca25c5135d278758f14e13adaff42d4e38e5f90f87213142c',
};

describe('A sealed record', () => {
  it('has the digests and the hash that an independent program computes', () => {
    const record = seal(entry, {
      previous: `sha256:${'0'.repeat(64)}`,
      snapshot: '{"value":"grün"}',
      emissions: [{ name: 'EvidenceObject', document }],
    });
    expect(record).toMatchObject({
      documents: { payload: known.payload, explanation: known.explanation },
      emitted: [known.document],
      snapshot: known.snapshot,
      hash: known.record,
    });
    expect(hashOfRecord(record)).toBe(known.record);
    expect(seal({ ...entry, brought: {} }, nothing).hash).toBe(known.bare);
  });

  it('has another hash than a document with the same content', () => {
    const { hash, brought: _brought, ...core } = seal(entry, nothing);
    expect(hash).not.toBe(digest(core));
  });

  it('keeps its content without undefined members', () => {
    const given = { ...entry, brought: { met: null, ...JSON.parse('{}') } };
    Reflect.set(given.brought, 'payload', undefined);
    const record = seal(given, nothing);
    expect(record.brought).toStrictEqual({ met: null });
    expect(Object.keys(record.documents)).toEqual(['met']);
    const { documents: _documents, emitted, snapshot, beside, previous, hash: _hash, ...rest } = record;
    expect({ emitted, snapshot, beside, previous }).toEqual({
      emitted: [],
      snapshot: null,
      beside: null,
      previous: null,
    });
    expect(rest).toStrictEqual({ ...entry, brought: { met: null } });
  });

  it('is equal when a record is sealed again', () => {
    const record = seal(entry, nothing);
    expect(seal(record, nothing)).toEqual(record);
  });

  it('is frozen and independent of its source', () => {
    const payload = { deep: { n: 1 } };
    const record = seal({ ...entry, brought: { payload } }, nothing);
    payload.deep.n = 2;
    expect(record.brought.payload).toEqual({ deep: { n: 1 } });
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(record)).toBe(true);
    expect(hashOfRecord(record)).toBe(record.hash);
  });

  it('rejects content that is not plain JSON data', () => {
    expect(refusalOf(() => seal({ ...entry, brought: { met: new Date(0) } }, nothing)).message).toContain(
      'record at "/met"',
    );
    const emissions = [{ name: 'EvidenceObject' as const, document: { ...document, payload: [NaN] } }];
    expect(refusalOf(() => seal(entry, { ...nothing, emissions })).message).toContain('EvidenceObject');
  });
});

it('The hash of a text is computed over its UTF-8 bytes', () => {
  expect(hashOfText('{"value":"grün"}')).toBe(known.snapshot);
});
