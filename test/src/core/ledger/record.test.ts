import { describe, expect, it } from 'vitest';
import { taskClass, type TaskClass } from '../../../../machines/index.ts';
import { isCharterError } from '../../../../src/base/errors.ts';
import { fromJsonLines, replay, toJsonLines, verifyLedger } from '../../../../src/core/ledger/index.ts';
import { readRecord } from '../../../../src/core/ledger/record-schema.ts';
import { hashOfRecord, sealRecord } from '../../../../src/core/kernel/seal.ts';
import type { LedgerEntry, LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { refusalOf } from '../../base/canonical/generated.ts';
import { entryOf } from './entry.ts';
import { scribe } from './made.ts';

const sealed = (changes: Partial<LedgerEntry>): LedgerRecord =>
  sealRecord(entryOf(0, changes), { previous: null, snapshot: '{}', emissions: [] });

const issuesOf = (record: object): readonly (readonly [string, string])[] => {
  try {
    fromJsonLines(`${JSON.stringify(record)}\n`);
  } catch (error) {
    if (!isCharterError(error, 'document_invalid')) throw error;
    return error.details.issues.map(({ path, message }) => [path, message]);
  }
  return [];
};
const pathsOf = (record: object): readonly string[] => issuesOf(record).map(([path]) => path);

const asked = {
  evidence: [{ type: 'tool_result', tool: 'read' }, { type: 'custom' }],
  verifiers: ['totals', 'tone'],
} as const;

/** A contract without default values. */
const contract = taskClass({
  id: 'payments',
  threshold: 0.75,
  beforeWrite: asked,
  beforeDeliver: asked,
  authorities: ['approval', 'human', 'system'],
  approvers: 2,
  repairTo: 'execute',
  limits: { corrections: 0, repairs: 0, rounds: 0, revisions: 0, refreshes: 0, pauses: 0 },
  defaults: ['information', 'approval', 'tool'],
  followup: true,
});
const under = (changes: object): LedgerRecord =>
  sealed({ brought: { contract: { ...contract, ...changes } } });

describe('The schema of a record', () => {
  it.each<[string, Partial<TaskClass>]>([
    ['that leaves nothing at its default', {}],
    ['that leaves all at its default', taskClass({ id: 'work' })],
    ['with threshold 0', { threshold: 0 }],
    ['with threshold 1', { threshold: 1 }],
    ['with one approver', { approvers: 1 }],
  ])('accepts %s unchanged', (_, changes) => {
    const record = under(changes);
    expect(fromJsonLines(toJsonLines([record]))).toEqual([record]);
  });

  it.each<[string, object, string]>([
    ['a threshold below 0', { threshold: -0.01 }, '/threshold'],
    ['a threshold above 1', { threshold: 1.01 }, '/threshold'],
    ['half an approver', { approvers: 1.5 }, '/approvers'],
    ['no approver', { approvers: 0 }, '/approvers'],
    ['a negative number of approvers', { approvers: -1 }, '/approvers'],
    ['an unknown authority', { authorities: ['approval', ''] }, '/authorities/1'],
    ['an unknown repair phase', { repairTo: '' }, '/repairTo'],
    ['an unknown default', { defaults: ['tool', ''] }, '/defaults/1'],
    ['a missing limit', { limits: { ...contract.limits, pauses: undefined } }, '/limits/pauses'],
    ['an unknown type of evidence', { beforeWrite: { ...asked, evidence: [{ type: '' }] } }, '/beforeWrite/evidence/0/type'], // prettier-ignore
    ['evidence with an unknown condition', { beforeDeliver: { ...asked, evidence: [{ type: 'custom', more: 1 }] } }, '/beforeDeliver/evidence/0'], // prettier-ignore
    ['no verifiers', { beforeDeliver: { evidence: [] } }, '/beforeDeliver/verifiers'],
  ])('rejects %s, and the error names the path', (_, changes, path) => {
    const record = sealed({});
    const issues = pathsOf({ ...record, brought: { contract: { ...contract, ...changes } } });
    expect(issues).toEqual([expect.stringContaining(`/brought/contract${path}`)]);
  });
});

describe('A record', () => {
  it.each(['system', 'agent', 'human'] as const)('may have an actor that is %s', (kind) => {
    const record = sealed({ actor: { kind, id: 'dana' } });
    expect(fromJsonLines(toJsonLines([record]))).toEqual([record]);
  });

  it('may describe the recovery of an effect in doubt', async () => {
    const { tell, records, contract: begun } = scribe();
    tell(null, { brought: { contract: begun } });
    const recovery = { effect: 'call', key: 'k', tool: 'pay', doubt: 'unsafe', resolution: 'left' } as const;
    tell(null, { kind: 'recovery', brought: { recovery } });
    const read = fromJsonLines(toJsonLines(records()));
    expect(read).toEqual(records());
    expect((await verifyLedger(read)).findings).toEqual([]);
    expect(replay(read).same).toBe(true);
  });

  it.each<[string, object, string]>([
    ['an actor of another kind', { actor: { kind: '', id: 'dana' } }, '/actor/kind'],
    ['an actor without a name', { actor: { kind: 'human' } }, '/actor/id'],
    ['an unknown kind', { kind: '' }, '/kind'],
    ['no trace', { trace_id: '' }, '/trace_id'],
    ['a negative clock difference', { behind: -1 }, '/behind'],
    ['the digest of an unknown document', { documents: { more: sealed({}).hash } }, '/documents'],
  ])('is rejected with %s, and the error names the path', (_, changes, path) => {
    expect(pathsOf({ ...sealed({}), ...changes })).toEqual([expect.stringContaining(path)]);
  });

  it('explains how a digest is written when one is malformed', () => {
    expect(issuesOf({ ...sealed({}), hash: 'sha256:0' })).toEqual([
      ['/hash', 'expected sha256: and 64 lower-case hex digits'],
    ]);
  });

  it('is not read when it is not plain JSON data, and the error names the member', () => {
    const unreadable = { ...sealed({}), behind: Number.NaN };
    expect(refusalOf(() => readRecord('record', unreadable)).message).toContain('record at "/behind"');
  });
});

describe('A record as a line of JSON', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
  const keyed = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 0]));

  it.each<[string, LedgerEntry['brought']]>([
    ['larger than a document', { explanation: 'a'.repeat(1_048_577) }],
    ['deeper than a document', { met: nested(80) }],
    ['of more keys than a document', { payload: keyed }],
  ])('may be %s, beyond the limits of one document', (_, brought) => {
    const record = sealed({ brought });
    expect(fromJsonLines(toJsonLines([record]))).toEqual([record]);
  });

  it('is parsed from the bytes of several records, with or without a final line feed', () => {
    const records = [sealed({}), sealed({ brought: { explanation: 'grün' } })];
    const text = toJsonLines(records);
    expect(fromJsonLines(new TextEncoder().encode(text))).toEqual(records);
    expect(fromJsonLines(new TextEncoder().encode(text.trimEnd()))).toEqual(records);
  });
});

describe.each(['fence', 'labels', 'origins', 'mediation'])(
  'A member %s that a later version seals',
  (name) => {
    const record = sealed({});

    it('leaves the hash of a record without it as it is', () => {
      expect(hashOfRecord({ ...record })).toBe(record.hash);
    });

    it('is covered by the hash of a record with it', () => {
      const [one, other] = ['7', '8'].map((value) => hashOfRecord({ ...record, [name]: value }));
      expect(new Set([record.hash, one, other]).size).toBe(3);
    });

    it('is not read by this version, and named', () => {
      expect(issuesOf({ ...record, [name]: '7' })).toEqual([
        [`/${name}`, expect.stringContaining('unknown key')],
      ]);
    });
  },
);
