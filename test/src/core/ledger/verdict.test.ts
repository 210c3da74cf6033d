import type { JWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { signCheckpoint, verdictMeaning, verifyLedger } from '../../../../src/core/ledger/index.ts';
import { isSettledIn } from '../../../../src/core/ledger/settled.ts';
import { fixtureNames, fixtures, ledgerLines } from '../../../fixtures/chart-1/fixtures.ts';
import { generateJwks } from '../../../key-pair.ts';
import { madeLedger, scribe } from './made.ts';

const timestamp = '2026-11-22T00:00:00Z';
let key: JWK;
let keys: { readonly keys: readonly JWK[] };

beforeAll(() => {
  const { secret, open } = generateJwks();
  key = { ...secret, kid: 'desk' };
  keys = { keys: [{ ...open, kid: 'desk' }] };
});

const open = madeLedger(2).records();

/** The ledger of a cancelled task. */
const settled = () => {
  const made = scribe();
  made.tell(null, { brought: { contract: made.contract } });
  made.tell({ type: 'request.accepted' });
  made.tell({ type: 'task.cancelled' });
  return made.records();
};

describe('the verdict on a ledger', () => {
  it('is unsettled while its task runs', async () => {
    expect(await verifyLedger(open)).toMatchObject({ intact: true, verdict: 'unsettled', checkpoint: null });
  });

  it('is at most unanchored without a checkpoint, because a truncated end is invisible', async () => {
    const made = scribe();
    made.tell(null, { brought: { contract: made.contract } });
    made.tell({ type: 'task.cancelled' });
    made.tell({ type: 'request.accepted' }, { kind: 'orphan' });
    const records = made.records();
    expect((await verifyLedger(records)).verdict).toBe('unanchored');
    expect(await verifyLedger(records.slice(0, -1))).toMatchObject({ intact: true, verdict: 'unanchored' });
    expect(await verifyLedger(records.slice(0, -2))).toMatchObject({ intact: true, verdict: 'unsettled' });
  });

  it.each([
    ['of a settled task', settled],
    ['of a running task', () => open],
  ])('is anchored %s by a checkpoint of its last record', async (_, ledger) => {
    const records = ledger();
    const checkpoint = await signCheckpoint({ records, key, timestamp });
    expect(await verifyLedger(records, { checkpoint, keys })).toMatchObject({
      intact: true,
      verdict: 'anchored',
      checkpoint: { size: records.length, timestamp },
    });
    const short = await verifyLedger(records.slice(0, -1), { checkpoint, keys });
    expect(short).toMatchObject({ verdict: 'broken', checkpoint: null, findings: [{ code: 'truncated' }] });
  });

  it('is unanchored with a checkpoint of an earlier record, because later records may be missing', async () => {
    const records = settled();
    const checkpoint = await signCheckpoint({ records: records.slice(0, 2), key, timestamp });
    const expected = { intact: true, verdict: 'unanchored', checkpoint: { size: 2 } };
    expect(await verifyLedger(records, { checkpoint, keys })).toMatchObject(expected);
  });

  it('is broken by an invalid checkpoint', async () => {
    const records = settled();
    const checkpoint = await signCheckpoint({ records, key, timestamp });
    expect(await verifyLedger(records, { checkpoint, keys: { keys: [] } })).toMatchObject({
      intact: false,
      verdict: 'broken',
      checkpoint: null,
    });
  });

  it.each(fixtureNames)(
    'of "%s", written by chart 1, says whether it is settled and anchored',
    async (name) => {
      const { state } = fixtures[name];
      const lines = ledgerLines(name);
      const isSettled = ['completed.settled', 'failed', 'cancelled'].includes(state);
      expect((await verifyLedger(lines)).verdict).toBe(isSettled ? 'unanchored' : 'unsettled');
      const { head } = await verifyLedger(lines);
      const checkpoint = await signCheckpoint({ head: head!, key, timestamp });
      const anchored = { verdict: 'anchored', canReplay: false };
      expect(await verifyLedger(lines, { checkpoint, keys })).toMatchObject(anchored);
    },
  );

  it('of no records is unanchored', async () => {
    expect(await verifyLedger([])).toMatchObject({ intact: true, verdict: 'unanchored', chart: null });
  });

  it('has a meaning for each value', () => {
    for (const meaning of Object.values(verdictMeaning)) expect(meaning).toMatch(/^It is .*\.$/);
  });
});

it('isSettledIn knows the settled states of this chart and returns null for other states', () => {
  const states = ['completed.settled', 'failed', 'cancelled', 'followup', 'submitted.intake', 'elsewhere'];
  expect(states.map(isSettledIn)).toEqual([true, true, true, false, false, null]);
});
