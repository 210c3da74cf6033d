import { beforeAll, describe, expect, it } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { replay, signCheckpoint, verifyLedger } from '../../../../src/core/ledger/index.ts';
import { readCheckpoint } from '../../../../src/core/ledger/checkpoint.ts';
import type { Emission } from '../../../../src/base/ports/emission.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { by, compact, edKey, openOf, otherKey } from '../../gates/approvals/desk.ts';
import { madeLedger, scribe, sealedAnew } from './made.ts';

type Told = readonly (readonly [number, string, string])[];

const elsewhere = digest('elsewhere');
const made = madeLedger(2);
const few = made.records();
const end = few.length;
const timestamp = '2026-11-22T00:00:00Z';
const keys = { keys: [openOf(edKey)] };

const told = async (given: readonly unknown[], options = {}): Promise<Told> =>
  (await verifyLedger(given, options)).findings.map(({ seq, code, message }) => [seq, code, message]);
const edited = (at: number, changes: object): readonly LedgerRecord[] =>
  few.with(at, { ...few[at]!, ...changes });
/** A ledger that ends with an edited record and has valid hashes. */
const ending = (at: number, changes: Partial<LedgerRecord>): readonly LedgerRecord[] =>
  sealedAnew(edited(at, changes).slice(0, at + 1), at);

describe('A finding names the problem', () => {
  it.each<[string, readonly unknown[], Told]>([
    ['an edit', edited(3, { outcome: 'uncertain' }), [[3, 'edited', 'its hash does not match its content']]],
    ['another task', few.toSpliced(2, 0, madeLedger(1, 1, 'an "other"').records()[1]!), [[2, 'foreign', String.raw`it is of task "an \"other\""`]]], // prettier-ignore
    ['a repetition', few.toSpliced(4, 0, few[3]!), [[3, 'duplicated', 'an earlier record has the same number']]], // prettier-ignore
    ['another order', [...few.slice(0, 5), few[6], few[5], ...few.slice(7)], [[5, 'swapped', 'it comes after record 6']]], // prettier-ignore
    ['one gap', few.toSpliced(4, 1), [[4, 'dropped', 'it is missing']]],
    ['a wide gap', few.toSpliced(4, 3), [[4, 'dropped', 'it is missing, and 2 after it']]],
    ['a gap with an unreadable record inside', [...few.slice(0, 4), null, ...few.slice(7)], [[4, 'unreadable', expect.stringMatching(/^CharterError: record is not valid: /) as string], [5, 'dropped', 'it is missing, and 1 after it']]], // prettier-ignore
    ['a broken link', sealedAnew(edited(6, { omitted: 1 }), 6).with(7, few[7]!).slice(0, 8), [[7, 'unchained', 'its previous hash does not match the record before it']]], // prettier-ignore
    ['another beginning', ending(1, { from: 'waiting' }), [[1, 'inconsistent', 'from: it does not begin where the record before it ended']]], // prettier-ignore
    ['an earlier time', ending(1, { timestamp: '2026-11-20T00:00:00Z' }), [[1, 'time_backwards', 'it is earlier than a record before it']]], // prettier-ignore
    ['an edited document', edited(0, { brought: { ...few[0]!.brought, request: {} } }), [[0, 'document_edited', 'request is not what was sealed']]], // prettier-ignore
    ['a missing document', edited(0, { brought: { contract: made.contract } }), [[0, 'document_missing', 'request is missing, and was not erased']]], // prettier-ignore
    ['an unsealed document', edited(1, { brought: { agent: 'eve' } }), [[1, 'document_edited', 'agent is not what was sealed']]], // prettier-ignore
  ])('for %s', async (_, given, findings) => {
    expect(await told(given)).toEqual(findings);
  });

  it('for most records being unreadable, and reports nothing else', async () => {
    const unreadable = expect.stringMatching(/^CharterError: record is not valid: /) as string;
    expect(await told([few[0], null, {}, null])).toEqual(
      [1, 2, 3].map((seq) => [seq, 'unreadable', unreadable]),
    );
  });

  it('for a document that was erased and is still there', async () => {
    const anew = madeLedger(1);
    anew.erase(few[0]!.documents.request!);
    expect(await told(anew.records())).toEqual([
      [0, 'document_kept', 'request was erased, but still exists'],
    ]);
  });

  it('for a record that erases its own document', async () => {
    const { tell, records, contract } = scribe();
    tell(null, { brought: { contract } });
    const changes = { erased: digest('why'), outcome: 'success' as const };
    tell(null, { kind: 'erasure', brought: { explanation: 'why' }, changes });
    expect(await told(records())).toEqual([]);
    const gone = records().with(1, { ...records()[1]!, brought: {} });
    expect(await told(gone)).toEqual([[1, 'document_missing', 'explanation is missing, and was not erased']]);
  });

  it.each<[number, Partial<LedgerRecord>, string]>([
    [0, { kind: 'refusal', snapshot: null }, 'kind: the record that opens a task is a fact'],
    [0, { fact: { type: 'request.accepted' } }, 'fact: null opens a task, and nothing else'],
    [1, { fact: null }, 'fact: null opens a task, and nothing else'],
    [8, { fact: null }, 'fact: an orphan has one'],
    [9, { kind: 'erasure', code: null, erased: elsewhere, fact: { type: 'task.cancelled' } }, 'fact: an erasure has none'], // prettier-ignore
    [
      8,
      { to: 'waiting' },
      'to: only a fact, an upgrade and an end lead to another state, and the first record leads to none',
    ],
    [
      0,
      { to: 'waiting' },
      'to: only a fact, an upgrade and an end lead to another state, and the first record leads to none',
    ],
    [0, { snapshot: null }, 'snapshot: the first record and an upgrade lead to one, and other facts may'],
    [
      8,
      { snapshot: elsewhere },
      'snapshot: the first record and an upgrade lead to one, and other facts may',
    ],
    [1, { erased: elsewhere }, 'erased: an erasure names a digest, and nothing else does'],
    [1, { code: 'CANCELLED' }, 'code: only a refusal or an orphan has one'],
  ])('in record %i: %j', async (at, changes, contradiction) => {
    expect(await told(ending(at, changes))).toEqual([[at, 'inconsistent', contradiction]]);
  });

  it('and is absent for a valid refusal, orphan and erasure', async () => {
    const { tell, erase, records, contract } = scribe();
    tell(null, { brought: { contract } });
    tell(null, { kind: 'refusal', changes: { code: 'IDENTITY_INVALID' } });
    tell({ type: 'task.cancelled' }, { kind: 'orphan', changes: { code: 'CANCELLED' } });
    tell({ type: 'task.cancelled' }, { kind: 'refusal' });
    erase(elsewhere);
    expect(await told(records())).toEqual([]);
  });
});

describe('A finding about emitted documents names the record', () => {
  const emissions = made.emissions();
  const sources = few.flatMap(({ seq, emitted }) => emitted.map(() => seq));
  const last = end - 1;
  const forged = { ...emissions[1]!, document: { forged: true } } as never as Emission;
  const isEdited = 'a document that it emitted is not what was sealed';
  const isGone = 'a document that it emitted is missing, or is at another position';
  const isMore = 'there are documents that no record emitted';

  it.each<[string, readonly Emission[], Told]>([
    ['an edit', emissions.with(1, forged), [[sources[1]!, 'emission_edited', isEdited]]],
    ['a loss', emissions.toSpliced(1, 1), [[sources[1]!, 'emission_missing', isGone]]],
    ['a loss at the end', emissions.slice(0, -1), [[sources.at(-1)!, 'emission_missing', isGone]]],
    ['an addition', [...emissions, forged], [[last, 'emission_added', isMore]]],
    ['an exchange', [...emissions.slice(0, -2), emissions.at(-1)!, emissions.at(-2)!], [[sources.at(-2)!, 'emission_missing', isGone], [last, 'emission_added', isMore]]], // prettier-ignore
  ])('for %s', async (_, given, findings) => {
    expect(await told(few, { emissions: given })).toEqual(findings);
  });

  it('for an empty ledger', async () => {
    expect(await told([], { emissions })).toEqual([[0, 'emission_added', isMore]]);
  });

  it('and is absent when records are missing together with their documents', async () => {
    expect(await told(few.toSpliced(4, 1), { emissions })).toEqual([[4, 'dropped', 'it is missing']]);
  });
});

describe('A finding about a checkpoint gives the reason', () => {
  let checkpoint: string;
  beforeAll(async () => {
    checkpoint = await signCheckpoint({ records: few, key: edKey, timestamp });
  });
  const held = (given: readonly unknown[]) => told(given, { checkpoint, keys });
  const over = `the checkpoint was signed over ${end} records: those from here on are missing`;

  it('and is absent when the checkpoint holds', async () => {
    expect(await held(few)).toEqual([]);
    expect(await readCheckpoint(checkpoint, keys)).toEqual({
      checkpoint: { taskId: 'task', size: end, hash: few.at(-1)!.hash, timestamp },
    });
  });

  it('for a missing end, also when part of it is there and unreadable', async () => {
    expect(await held(few.slice(0, -2))).toEqual([[end - 2, 'truncated', over]]);
    expect(await held([])).toEqual([[0, 'truncated', over]]);
    const [finding, ...rest] = (await held([...few.slice(0, -2), null])).map(([seq, code]) => [seq, code]);
    expect([finding, ...rest]).toEqual([
      [end - 2, 'unreadable'],
      [end - 1, 'truncated'],
    ]);
    expect((await held([null, ...few.slice(0, 0)])).map(([seq, code]) => [seq, code])).toEqual([
      [0, 'unreadable'],
      [1, 'truncated'],
    ]);
  });

  it('for another task or another history', async () => {
    expect(await held(madeLedger(2, 2, 'another').records())).toEqual([
      [end - 1, 'checkpoint_invalid', 'the checkpoint is of another task'],
    ]);
    expect(await held(sealedAnew(edited(5, { omitted: 1 }), 5))).toEqual([
      [
        end - 1,
        'edited',
        'the checkpoint has another hash: this record, or an earlier one, was sealed again',
      ],
    ]);
  });

  const header = { alg: 'EdDSA', typ: 'checkpoint+jwt', kid: edKey.kid };
  const claims = { taskId: 'task', size: end, hash: few.at(-1)!.hash, timestamp };
  it.each<[string, string, string]>([
    ['no token', 'checkpoint', 'it is not a compact JWS that names its key'],
    ['no kid', compact({ ...header, kid: undefined }, claims, by(edKey)), 'it is not a compact JWS that names its key'], // prettier-ignore
    ['another type', compact({ ...header, typ: 'approval+jwt' }, claims, by(edKey)), 'its type is not checkpoint+jwt'], // prettier-ignore
    ['another key', compact({ ...header, kid: 'ed-2' }, claims, by(otherKey)), 'it names no key that was given'], // prettier-ignore
    ['another signer', compact(header, claims, by(otherKey)), 'its signature does not match the key that it names'], // prettier-ignore
    ['another claim', compact(header, { ...claims, more: 1 }, by(edKey)), 'its payload is not a checkpoint'],
    ['half a record', compact(header, { ...claims, size: 0.5 }, by(edKey)), 'its payload is not a checkpoint'], // prettier-ignore
  ])('for an invalid checkpoint: %s', async (_, token, refused) => {
    expect(await readCheckpoint(token, keys)).toEqual({ refused });
    expect(await told(few, { checkpoint: token, keys })).toEqual([
      [0, 'checkpoint_invalid', `the checkpoint is invalid: ${refused}`],
    ]);
  });

  it('for an empty set of keys', async () => {
    expect(await told(few, { checkpoint, keys: { keys: [] } })).toEqual([
      [0, 'checkpoint_invalid', 'the checkpoint is invalid: it names no key that was given'],
    ]);
  });

  it('without quoting an unsuitable key', async () => {
    const message = 'expected a private JWK of Ed25519 or P-256 with a kid';
    for (const key of [openOf(edKey), { ...edKey, d: otherKey.d }]) {
      await expect(signCheckpoint({ records: few, key, timestamp })).rejects.toMatchObject({
        code: 'definition_invalid',
        message: `checkpoint key: ${message}`,
        details: { definition: 'checkpoint key', issues: [{ path: '', message }] },
      });
    }
  });

  it('for an empty ledger, which cannot be signed', async () => {
    await expect(signCheckpoint({ records: [], key: edKey, timestamp })).rejects.toMatchObject({
      details: { document: 'checkpoint' },
    });
  });
});

describe('A replay finding names the difference', () => {
  it.each<[string, readonly unknown[], number, string, string]>([
    ['no opening', few.slice(1), 0, 'unopened', 'the first record does not open a task under a contract'],
    ['an edit that another chart wrote', few.with(0, { ...few[0]!, brought: { ...few[0]!.brought, chart: '0' } }), 0, 'chain', 'document_edited: chart is not what was sealed'], // prettier-ignore
    ['a fact too many', ending(4, { fact: { type: 'request.accepted' } }), 4, 'refused', `the chart does not accept request.accepted in ${few[4]!.from}`], // prettier-ignore
    ['another state', ending(3, { to: 'waiting' }), 3, 'state', `the chart goes from ${few[3]!.from} to ${few[3]!.to}, and the record from ${few[3]!.from} to waiting`], // prettier-ignore
    ['another request', ending(3, { request_id: '00000000-0000-4000-8000-0000000000ff' }), 3, 'request', 'another request is in progress'], // prettier-ignore
    ['another snapshot', ending(3, { snapshot: elsewhere }), 3, 'snapshot', `the fact leads to another snapshot of ${few[3]!.to}`], // prettier-ignore
    ['no record', few.with(2, null as never), 2, 'unreadable', expect.stringMatching(/^CharterError: record is not valid: /) as string], // prettier-ignore
  ])('for %s', (_, given, seq, code, message) => {
    expect(replay(given).findings).toEqual([{ seq, code, message }]);
  });
});
