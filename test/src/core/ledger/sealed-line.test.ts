import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factTypes, taskClass, taskMachine, type Fact } from '../../../../machines/index.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { verifyLedger } from '../../../../src/core/ledger/index.ts';
import { readerOf, type SealedRecord } from '../../../../src/core/ledger/record-schema.ts';
import { hashOfRecord, sealRecord } from '../../../../src/core/kernel/seal.ts';
import { sealReaders } from '../../../../src/core/ledger/sealed-line.ts';
import type { LedgerEntry, LedgerRecord, RecordPayload } from '../../../../src/base/ports/ledger.ts';
import { explore, inWorld } from '../../../../src/testing/index.ts';
import { asJson, plain, runs } from '../../base/canonical/generated.ts';
import { worlds } from '../../../machines/worlds.ts';
import { entryOf } from './entry.ts';
import { madeLedger } from './made.ts';
import { share } from '../../../share.ts';

type Members = Record<string, unknown>;
type Verdict = 'checked' | 'read' | 'unreadable';

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Returns whether a record is compared with its seal at once, is read by its schema, or is refused. */
const verdictOf = (value: unknown, isOtherChart = false): Verdict => {
  const unchecked = new Set<SealedRecord>();
  try {
    const record = sealReaders(unchecked)(isOtherChart)('record', value);
    return unchecked.has(record) ? 'read' : 'checked';
  } catch {
    return 'unreadable';
  }
};

/** Whether the schema, the hash and every document are right, as they were compared before there was one pass. */
const isSealed = (value: unknown, isOtherChart: boolean): boolean => {
  const record = readerOf(isOtherChart)('record', value);
  const documents: Members = record.documents;
  return (
    hashOfRecord(record) === record.hash &&
    Object.entries(record.brought).every(([name, document]) => digest(document) === documents[name])
  );
};

const samples: readonly Fact[] = (() => {
  const facts = worlds
    .slice(0, 6)
    .flatMap((world) => explore(taskMachine, inWorld(world)).edges.map(({ event }) => event));
  const alike = new Map(facts.map((fact) => [`${fact.type} ${Object.keys(fact).join()}`, fact]));
  const changed = { type: 'taskClass.changed', taskClass: taskClass({ id: 'work' }) };
  return [...alike.values(), changed as Fact];
})();

const evidence = [{ type: 'custom' }, { anyOf: [{ type: 'tool_result', tool: 'read' }] }] as const;
const contract = taskClass({ id: 'work', tools: ['read'], beforeWrite: { evidence } });
const documents: RecordPayload = {
  contract,
  chart: '1',
  met: [1, { deep: [null, true, 'é "quoted" \u2028'] }],
  reasons: ['a', 'b'],
  shown: { summary: 's', reasons: [] },
  payload: { b: 1, a: { '': -0.5, z: 1e-21 } },
};

const seal = (changes: Partial<LedgerEntry> = {}): LedgerRecord =>
  sealRecord(entryOf(1, changes), { previous: null, snapshot: '{}', emissions: [] });
const usual = seal({ fact: samples[0]!, brought: documents });
const copyOf = (record: unknown): Members => asJson(record) as Members;

/** Computes the documents' digests and the hash again, as an attacker with write access can. */
const sealedAgain = (record: Members): Members => {
  try {
    const brought = isObject(record['brought']) ? record['brought'] : {};
    const sealed = Object.entries(brought).map(([name, document]) => [name, digest(document)] as const);
    const anew = {
      ...record,
      documents: { ...(record['documents'] as object), ...Object.fromEntries(sealed) },
    };
    return { ...anew, hash: hashOfRecord(anew as unknown as LedgerRecord) };
  } catch {
    return record; // it has no hash
  }
};

/** Every container of a value, with its path. */
const containersIn = (value: unknown): readonly Members[] =>
  isObject(value) ? [value, ...Object.values(value).flatMap(containersIn)] : [];

type Change = (container: Members, name: string, value: unknown) => void;
const changes: Readonly<Record<string, Change>> = {
  'another value': (container, name, value) => void Reflect.set(container, name, value),
  'no value': (container, name) => void Reflect.deleteProperty(container, name),
  'a further member': (container, _, value) => void Reflect.set(container, 'further', value),
};

const facts = fc.constantFrom<Fact | null>(null, ...samples);
const entries = fc.record({
  fact: facts,
  brought: fc.subarray(Object.entries(documents)).map((some) => Object.fromEntries(some) as RecordPayload),
  code: fc.constantFrom(null, 'TOOL_FAILED' as const),
  timestamp: fc.constantFrom('2026-11-21T05:00:00Z', '2026-11-21T05:00:00.1234+23:59'),
});

describe('A record that is compared with its seal at once', () => {
  it('is every sealed record, whatever its fact', () => {
    const types = new Set(samples.map(({ type }) => type));
    expect(factTypes.filter((type) => !types.has(type)).length).toBeLessThan(factTypes.length / 2);
    for (const fact of [null, ...samples]) {
      const record = copyOf(seal({ fact, brought: documents }));
      expect([fact?.type, verdictOf(record), verdictOf(record, true)]).toEqual([
        fact?.type,
        'checked',
        'checked',
      ]);
    }
    for (const record of madeLedger(2).records()) expect(verdictOf(copyOf(record))).toBe('checked');
  });

  it('is one that its schema, its hash and its documents accept, after a random change', () => {
    const places = fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...Object.keys(changes)));
    const values = fc.oneof(plain, fc.constantFrom('', 0, -1, 0.5, null, [], {}, 2 ** 53));
    const property = fc.property(
      entries,
      places,
      values,
      fc.boolean(),
      fc.boolean(),
      (entry, at, value, isAnew, isOther) => {
        const [where, which, what] = at;
        const record = copyOf(seal(entry));
        const containers = containersIn(record);
        const container = containers[where % containers.length]!;
        const names = Object.keys(container);
        changes[what]?.(container, names[which % Math.max(1, names.length)] ?? 'first', value);
        const changed = isAnew ? sealedAgain(record) : record;
        if (verdictOf(changed, isOther) === 'checked') expect(isSealed(changed, isOther)).toBe(true);
      },
    );
    fc.assert(property, runs(share(3_000, 500)));
  });

  it('is not one with an edited document, digest or member', () => {
    for (const [name, value] of Object.entries(usual)) {
      const other = typeof value === 'number' ? value + 1 : `${String(value)}x`;
      if (name !== 'brought') expect(verdictOf({ ...usual, [name]: other })).not.toBe('checked');
    }
    for (const name of Object.keys(documents)) {
      expect(verdictOf({ ...usual, brought: { ...usual.brought, [name]: 'edited' } })).not.toBe('checked');
      const { [name]: _, ...others } = usual.documents as Readonly<Record<string, string>>;
      expect(verdictOf(sealedWithout(others))).not.toBe('checked');
    }
  });
});

/** A record whose hash covers other digests than those of its documents. */
const sealedWithout = (digests: object): object => {
  const record = { ...usual, documents: digests };
  return { ...record, hash: hashOfRecord(record) };
};

const throwing = (): never => {
  throw new Error('code of the owner ran');
};

const hashedAgain = (record: Members): Members => ({
  ...record,
  hash: hashOfRecord(record as unknown as LedgerRecord),
});

/** Values that are no plain data, or not all of it. */
const hostile: Readonly<Record<string, (record: Members) => unknown>> = {
  'a proxy': (record) => new Proxy(record, { get: throwing, ownKeys: throwing, getPrototypeOf: throwing }),
  'a revoked proxy': (record) => {
    const { proxy, revoke } = Proxy.revocable(record, {});
    revoke();
    return proxy;
  },
  'an instance of a class': (record) => Object.assign(new Date(0), record),
  'a getter': (record) => Object.defineProperty(record, 'timestamp', { get: throwing, enumerable: true }),
  'a hidden member': (record) => Object.defineProperty(record, 'hash', { enumerable: false }),
  'a hidden getter': (record) =>
    Object.defineProperty(record['brought'], 'output', { get: throwing }) && record,
  'a nested proxy': (record) => ({
    ...record,
    actor: new Proxy({ ...(record['actor'] as object) }, { get: throwing }),
  }),
  'a nested getter': (record) => ({ ...record, fact: { get type() { return throwing(); } } }), // prettier-ignore
  'a list with a method of its own': (record) => ({
    ...record,
    emitted: Object.assign([], { map: throwing }),
  }),
  'a list with an iterator of its own': (record) => ({ ...record, emitted: Object.assign([], { [Symbol.iterator]: throwing }) }), // prettier-ignore
  'a list with a hole': (record) => ({ ...record, emitted: Array.from({ length: 1 }).fill(0, 1) }),
  'a cycle': (record) => Object.assign(record, { actor: record }),
  'a key __proto__': (record) => ({
    ...record,
    brought: JSON.parse('{"payload":{"__proto__":1}}') as unknown,
  }),
  'a lone surrogate': (record) => ({ ...record, from: '\ud800' }),
  'an integer that is not exact': (record) => hashedAgain({ ...record, behind: 2 ** 53 }),
  'no record': () => null,
};

describe('A record that is no plain data', () => {
  it.each(Object.entries(hostile))('is read by its schema, and runs no code: %s', (_, change) => {
    const value = change(copyOf(usual));
    expect(verdictOf(value)).not.toBe('checked');
    expect(verdictOf(value, true)).not.toBe('checked');
  });

  it('is not walked again and again where its parts are shared', () => {
    let value: unknown = { text: 'x'.repeat(100) };
    for (let level = 0; level < 50; level += 1) value = [value, value];
    expect(verdictOf({ ...usual, brought: { met: value } })).toBe('unreadable');
  });
});

describe('A checkpoint', () => {
  it('is compared with the records as they were when the verification began', async () => {
    const records = madeLedger(1).records().map(copyOf);
    const verified = verifyLedger(records);
    const { hash } = records.at(-1)!;
    for (const record of records) Object.assign(record, { hash: 'changed', seq: -1, taskId: 'other' });
    expect(await verified).toMatchObject({
      intact: true,
      head: { taskId: 'task', seq: records.length - 1, hash },
    });
  });
});
