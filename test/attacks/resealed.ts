import { expect } from 'vitest';
import { createActor } from 'xstate';
import { stateName, taskMachine, type Fact } from '../../machines/index.ts';
import type { LedgerRecord } from '../../src/base/ports/ledger.ts';
import { signCheckpoint, verifyLedger } from '../../src/core/ledger/index.ts';
import { hashOfText } from '../../src/base/canonical/digest.ts';
import { by, compact, edKey, header, openOf, otherKey } from '../src/gates/approvals/desk.ts';
import { sealedAnew } from '../src/core/ledger/made.ts';
import type { Attack, Stop } from './attack.ts';
import { claimsFor, signed } from './bank.ts';
import { vault, type Vault } from './branch.ts';
import {
  changed,
  inboxOf,
  last,
  moveDeadlines,
  number,
  recordAt,
  refusedCall,
  rob,
  sealBeside,
  setBeside,
  setTask,
  unsure,
  type Body,
  type Robbery,
} from './robbery.ts';

/** Writes a ledger over the stored one, as somebody does who may write the file and seal anew. */
const rewrite = async (one: Robbery, records: readonly LedgerRecord[], snapshot?: string): Promise<void> => {
  const { site, broken } = one;
  for (const record of records) {
    site.sql(
      `INSERT OR IGNORE INTO record (task, seq, body, summary, intents, deadlines, snapshot)
      SELECT task, ?, '{"emissions":[]}', summary, intents, deadlines, snapshot FROM record WHERE id = ${last}`,
      record.seq,
      broken,
    );
    const [row] = site.sql(`SELECT body FROM record WHERE id = ${recordAt}`, record.seq, broken);
    const { emissions } = JSON.parse(String(row?.['body'])) as Body;
    const body = JSON.stringify({ record, emissions });
    site.sql(`UPDATE record SET body = ? WHERE id = ${recordAt}`, body, record.seq, broken);
  }
  setTask('size = ?, isOwed = 1', records.length)(one);
  if (snapshot !== undefined) setBeside('snapshot = ?', snapshot)(one);
  await sealBeside(one);
};

/** One more record, as if a person had stated it. */
const appended = (
  records: readonly LedgerRecord[],
  fact: Fact,
  brought: LedgerRecord['brought'] = {},
  by = 'dana',
) => {
  const before = records.at(-1)!;
  return [
    ...records,
    {
      ...before,
      seq: before.seq + 1,
      fact,
      brought,
      documents: {},
      emitted: [],
      kind: 'fact' as const,
      from: before.to,
      actor: { kind: 'human' as const, id: by },
    },
  ];
};

/** A ledger as the chart itself would have led to it, every snapshot and every hash right. */
const driven = (records: readonly LedgerRecord[]) => {
  const [opening] = records;
  const taskClass = opening!.brought.contract!;
  const actor = createActor(taskMachine, { input: { taskClass, request: opening!.request_id } }).start();
  let snapshot = '';
  const anew = records.map((record) => {
    if (record.fact !== null) expect(actor.getSnapshot().can(record.fact)).toBe(true);
    const from = stateName(actor.getSnapshot().value);
    if (record.fact !== null) actor.send(record.fact);
    snapshot = JSON.stringify(actor.getPersistedSnapshot());
    return { ...record, from, to: stateName(actor.getSnapshot().value), snapshot: hashOfText(snapshot) };
  });
  return { records: sealedAnew(anew), snapshot };
};

const contextOf = ({ steps }: Robbery) => {
  const snapshot = JSON.parse(steps.findLast((step) => step.snapshot !== null)?.snapshot ?? '') as {
    readonly context: ReturnType<
      ReturnType<typeof createActor<typeof taskMachine>>['getSnapshot']
    >['context'];
  };
  return snapshot.context;
};

/** A forged record whose hash is right, and that the chart does not follow. */
const forged = (
  attempt: string,
  change: (one: Robbery, records: readonly LedgerRecord[]) => readonly LedgerRecord[],
) =>
  changed(
    attempt,
    'task_corrupted',
    async (one) => {
      const { records } = await one.site.load(one.broken);
      const anew = sealedAnew(change(one, records));
      const { findings } = await verifyLedger(anew);
      expect(findings.filter(({ code }) => code !== 'contradictory')).toEqual([]); // every seal is right
      await rewrite(one, anew);
    },
    { source: 'RFC 9162' },
  );

const forgeries: readonly Attack[] = [
  forged('a write forged as begun, sealed with right hashes', (one, records) => {
    const { request, attempt, calls } = contextOf(one);
    const [id = '', { digest = '' } = {}] = Object.entries(calls)[0] ?? [];
    return appended(records, { type: 'call.started', request, attempt, call: id, digest });
  }),
  forged(
    'an answer that no person gave, sealed with right hashes and the snapshot from before it',
    (one, records) => {
      const [question = ''] = Object.keys(contextOf(one).questions);
      return appended(records, { type: 'human.responded', question, feedback: 'approve', by: 'dana' });
    },
  ),
  forged('a plan that is surer than it was, sealed anew to the end', (_, records) =>
    records.map((record) =>
      record.fact?.type === 'plan.proposed'
        ? { ...record, fact: { ...record.fact, confidence: 0.9 } }
        : record,
    ),
  ),
  forged('a contract that asks no person, sealed anew to the end', (_, records) =>
    records.map((record) => {
      const { contract } = record.brought;
      return contract === undefined
        ? record
        : {
            ...record,
            brought: { ...record.brought, contract: { ...contract, threshold: 0 } },
          };
    }),
  ),
];

/** The call that a task waits with for its approval. */
const waiting = (one: Robbery) => {
  const [{ digest } = { digest: '' }] = Object.values(contextOf(one).calls);
  return { request: contextOf(one).request, digest };
};

/** An approval that the chart takes, and that nobody signed: it is verified again where the effect would happen. */
const granted = (attempt: string, expected: Stop, tokenFor: (claims: object) => string): Attack => ({
  number,
  attempt,
  expected,
  source: 'CWE-347',
  run: async () => {
    const one = await rob({ isApproved: true });
    const { site, broken, sound } = one;
    const { records } = await site.load(broken);
    const next = site.start({ isApproved: true });
    const asked = await inboxOf(next, broken);
    const brought: LedgerRecord['brought'] = {
      feedback: { type: 'approve', target: asked.message.messageId },
      approval: {
        token: tokenFor(claimsFor(next, asked)),
        claims: asked.question.approval!,
        approver: 'kim',
        jti: 'approval-1',
        expiresAt: new Date((Math.floor(site.clock.now() / 1_000) + 600) * 1_000).toISOString(),
      },
    };
    const fact: Fact = { type: 'approval.granted', ...waiting(one), authority: 'approval', approver: 'kim' };
    const { records: anew, snapshot } = driven(appended(records, fact, brought, 'kim'));
    await rewrite(one, anew, snapshot);
    expect(await next.recover()).toEqual({ taken: 1, carriedOver: [], refused: [], changed: [] });
    await site.quiet();
    expect(site.done).toEqual([]);
    expect((await inboxOf(next, broken)).question.kind).toBe('approval');
    const other = await inboxOf(next, sound);
    await next.bring(await signed(next, {}, {}, other), other);
    expect(await next.orchestrator.settled(sound)).toMatchObject({ outcome: 'success' });
    expect(site.done).toHaveLength(1);
    return refusedCall(site, broken);
  },
});

/** An approver whom no document of the record names: the task is not loaded. */
const unnamed: Attack = {
  number,
  attempt: 'an added approver without a token, with a matching snapshot and hashes',
  expected: 'task_corrupted',
  source: 'CWE-347',
  run: async () => {
    const one = await rob({ isApproved: true });
    const { records } = await one.site.load(one.broken);
    const fact: Fact = { type: 'approval.granted', ...waiting(one), authority: 'approval', approver: 'kim' };
    const { records: anew, snapshot } = driven(appended(records, fact, {}, 'kim'));
    await rewrite(one, anew, snapshot);
    const { refused } = await one.site.start({ isApproved: true }).recover();
    expect(refused).toMatchObject([{ taskId: one.broken, error: { code: 'task_corrupted' } }]);
    expect(one.site.done).toEqual([]);
    return 'task_corrupted';
  },
};

const timestamp = '2026-11-22T00:00:00Z';

const keys = { keys: [openOf(edKey)] };

const tables = ['task', 'record', 'stepKey', 'message'] as const;

const copyOf = ({ sql }: Vault) =>
  tables.map((table) => ({
    table,
    rows: sql(`SELECT * FROM ${table}`).map(
      (row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'isAsking')), // which is computed
    ),
  }));

const putBack = ({ sql }: Vault, copy: ReturnType<typeof copyOf>): void => {
  for (const { table } of copy.toReversed()) sql(`DELETE FROM ${table}`);
  for (const { table, rows: older } of copy)
    for (const row of older) {
      const names = Object.keys(row).map((name) => `"${name}"`);
      const holes = names.map(() => '?');
      sql(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${holes.join(', ')})`, ...Object.values(row));
    }
};

/**
 * What was whole once, or is made whole, is taken up: no hash that stands in the file can show that. A checkpoint shows it
 * that was signed before and kept elsewhere, to whoever verifies the ledger before its task goes on.
 */
const checkpoints: readonly Attack[] = [
  {
    number,
    attempt: 'an older state of a task put back whole, from before its write',
    expected: 'truncated',
    source: 'C2SP tlog-checkpoint',
    run: async () => {
      const site = vault();
      const first = site.start(unsure);
      const taskId = await first.submit();
      const older = copyOf(site);
      await first.answer('approve');
      expect(await first.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      const { records } = await site.load(taskId);
      const checkpoint = await signCheckpoint({ records, key: edKey, timestamp });
      await first.close();
      putBack(site, older);
      const next = site.start(unsure);
      expect(await next.recover()).toEqual({ taken: 0, carriedOver: [], refused: [], changed: [] });
      const again = await next.orchestrator.ledger(taskId);
      expect(await verifyLedger(again)).toMatchObject({ intact: true });
      const { findings } = await verifyLedger(again, { checkpoint, keys });
      expect(site.done).toHaveLength(1);
      await next.answer('approve');
      expect(site.done).toHaveLength(2);
      expect(new Set(site.done).size).toBe(1); // a tool that honours its key does it once, whoever approves it again
      return findings[0]?.code;
    },
  },
  {
    number,
    attempt: 'an older state of a task put back whole, and the approval brought again that it had used',
    expected: 'APPROVAL_SPENT',
    source: 'CWE-294',
    run: async () => {
      const site = vault();
      const first = site.start({ isApproved: true });
      const taskId = await first.submit();
      const older = copyOf(site);
      const asked = await first.question();
      const token = await signed(first);
      await first.bring(token, asked);
      expect(await first.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      await first.close();
      putBack(site, older);
      const next = site.start({ isApproved: true });
      await next.recover();
      await next.bring(token, asked);
      expect(site.done).toHaveLength(1);
      return refusedCall(site, taskId);
    },
  },
  {
    number,
    attempt: 'a plan that no person approved, every snapshot and every hash made anew',
    expected: 'edited',
    source: 'C2SP tlog-checkpoint',
    run: async () => {
      const one = await rob(unsure);
      const { site, broken } = one;
      const { records } = await site.load(broken);
      const checkpoint = await signCheckpoint({ records, key: edKey, timestamp });
      const anew = driven(
        records.map((record) =>
          record.fact?.type === 'plan.proposed'
            ? { ...record, fact: { ...record.fact, confidence: 0.9 } }
            : record,
        ),
      );
      await rewrite(one, anew.records, anew.snapshot);
      const { records: found } = await site.load(broken);
      const { findings: told } = await verifyLedger(found);
      expect(told.filter(({ code }) => code !== 'contradictory')).toEqual([]); // every seal is right
      const { findings } = await verifyLedger(found, { checkpoint, keys });
      expect(site.done).toEqual([]);
      return findings.at(-1)?.code;
    },
  },
  {
    number,
    attempt: 'a deadline that is moved away, so that a question is open for ever, sealed anew',
    expected: 'edited',
    source: 'C2SP tlog-checkpoint',
    run: async () => {
      const one = await rob(unsure);
      const { site, broken } = one;
      const { records } = await site.load(broken);
      const checkpoint = await signCheckpoint({ records, key: edKey, timestamp });
      expect((await verifyLedger(records, { checkpoint, keys })).findings).toEqual([]);
      moveDeadlines(one, (deadline) => [{ ...deadline, at: 9e15 }]);
      await sealBeside(one);
      const { records: found } = await site.load(broken);
      const { findings: told } = await verifyLedger(found);
      expect(told.filter(({ code }) => code !== 'contradictory')).toEqual([]); // every seal is right
      const { findings } = await verifyLedger(found, { checkpoint, keys });
      return findings[0]?.code;
    },
  },
];

const signedByNobody: readonly Attack[] = [
  granted(
    'an approval of another key, with the snapshot and every hash that it leads to',
    'APPROVAL_SIGNATURE_WRONG',
    (claims) => compact(header, claims, by(otherKey)),
  ),
  granted(
    'an approval that is no token, with the snapshot and every hash that it leads to',
    'APPROVAL_MALFORMED',
    () => 'granted',
  ),
];

export const resealed = [forgeries, unnamed, signedByNobody, checkpoints].flat();
