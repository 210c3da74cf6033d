import { expect } from 'vitest';
import type { Context } from '../../machines/index.ts';
import type { Deadline } from '../../src/base/ports/store.ts';
import { errorOf, stopOf, type Attack, type Stop } from './attack.ts';
import { call, draft, plan } from '../src/core/shell/scripted.ts';
import { order, signed } from './bank.ts';
import { vault, type Vault, type Writing } from './branch.ts';
import {
  approve,
  changed,
  changedOwed,
  day,
  dying,
  goesOn,
  inboxOf,
  last,
  messageOf,
  number,
  recordAt,
  refusedCall,
  rob,
  sealBeside,
  moveDeadlines,
  setBeside,
  setTask,
  unsure,
  uuid,
  type Change,
} from './robbery.ts';

/** What is stored beside a ledger of approvals. */
const approvals: readonly Attack[] = [
  {
    number,
    attempt: 'the use of an approval taken out of the store, to bring it again',
    expected: 'APPROVAL_SPENT',
    source: 'CWE-294',
    run: async () => {
      const site = vault();
      const first = site.start({ ...dying, isApproved: true });
      await first.submit();
      const asked = await first.question();
      const token = await signed(first);
      await first.bring(token, asked);
      await first.crash();
      expect(site.sql('DELETE FROM approval RETURNING jti')).toHaveLength(1);
      const next = site.start({ isApproved: true });
      await next.recover();
      const stop = stopOf(await errorOf(() => next.bring(token, asked)));
      expect((await next.question()).question.kind).toBe('doubt');
      expect(site.done).toHaveLength(1);
      return stop;
    },
  },
  {
    number,
    attempt: 'the name of an approval put down as used, before it is',
    expected: 'APPROVAL_SPENT',
    run: async () => {
      const { site, broken, sound } = await rob({ isApproved: true });
      site.sql("INSERT INTO approval (jti, action, seq) VALUES ('approval-1', 'another', 0)");
      const next = site.start({ isApproved: true });
      const asked = await inboxOf(next, broken);
      await next.bring(await signed(next, {}, {}, asked), asked);
      expect(site.done).toEqual([]);
      const other = await inboxOf(next, sound);
      await next.bring(await signed(next, { jti: 'approval-2' }, {}, other), other);
      expect(await next.orchestrator.settled(sound)).toMatchObject({ outcome: 'success' });
      expect(site.done).toHaveLength(1);
      return refusedCall(site, broken);
    },
  },
  {
    number,
    attempt: 'the end of an approval moved away and sealed anew, so that it holds for ever',
    expected: 'APPROVAL_EXPIRED',
    source: 'RFC 7519, 4.1.4',
    run: async () => {
      const site = vault();
      const given: Writing = { isApproved: true, taskClass: { approvers: 2 } };
      const first = site.start(given);
      const taskId = await first.submit();
      const exp = Math.floor(site.clock.now() / 1_000) + 60;
      await first.bring(await signed(first, { exp }), await first.question());
      await first.close();
      moveDeadlines({ site, broken: taskId }, (one) => (one.of === 'approval' ? farAway(one) : [one]));
      await sealBeside({ site, broken: taskId });
      site.clock.leap(120_000);
      const next = site.start(given);
      await next.recover();
      const second = await signed(next, { sub: 'lee', jti: 'approval-2' });
      await next.bring(second, await next.question());
      expect(site.done).toEqual([]);
      const { records } = await site.load(taskId);
      const passed = records.find(({ fact }) => fact?.type === 'deadline.passed' && fact.of === 'approval');
      return passed === undefined ? refusedCall(site, taskId) : 'APPROVAL_EXPIRED';
    },
  },
];

/** Where a write stands of which nobody knows whether it happened. */
const doubtOf = async (site: Vault, taskId: string): Promise<Stop | undefined> => {
  const { snapshot } = await site.load(taskId);
  const { calls } = (JSON.parse(snapshot) as { readonly context: Context }).context;
  return Object.values(calls)[0]?.status === 'doubted' ? 'EFFECT_IN_DOUBT' : undefined;
};

const restarts = { trap: 'a restart in the middle of a call' } as const;

const deadlines =
  (move: (deadline: Deadline) => readonly Deadline[]): Change =>
  (one) =>
    moveDeadlines(one, move);

const farAway = (deadline: Deadline): readonly Deadline[] => [{ ...deadline, at: 9e15 }];

const both =
  (...changes: readonly Change[]): Change =>
  (one) => {
    for (const change of changes) change(one);
  };

/** What stands beside a ledger, and is sealed with its last record. */
const sealed: readonly Attack[] = [
  ...(
    [
      ['a task forged as owing work while it waits for a person', setTask('isOwed = 1')],
      ['a task forged as ended', setTask('isSettled = 1, isOwed = 0, asking = 0')],
      ['a task forged without questions', setTask('asking = 0')],
      ['a task that is moved to another thread', setTask("threadId = CAST(x'ff' || 'another' AS BLOB)")],
      ['a task forged as a call of another', (one) => setTask(`parent = ${uuid}`, one.sound)(one)],
      ['a deadline that is moved to the past', deadlines((deadline) => [{ ...deadline, at: 0 }])],
      ['a deadline that is moved away, so that a question is open for ever', deadlines(farAway)],
      ['a deadline that is taken out, so that a question is open for ever', deadlines(() => [])],
      ['the time by which a task with a deadline is found, moved away', setTask('due = 9e15')],
      ['the time by which a task with a deadline is found, taken out', setTask('due = NULL')],
      [
        'another plan in the inbox than the one that a person is asked about',
        setBeside(
          `summary = replace(replace(summary, 'NL91', 'your own account'), '"amount":100', '"amount":1')`,
        ),
      ],
    ] satisfies readonly (readonly [string, Change])[]
  ).map(([attempt, change]) => changed(attempt, 'task_corrupted', change)),
  changedOwed(
    'a write in doubt whose intent is removed, and that is forged as settled',
    'task_corrupted',
    both(setBeside("intents = '[]'"), setTask('isOwed = 0')),
    restarts,
  ),
  changedOwed(
    'a write in doubt whose intent is forged for another action',
    'task_corrupted',
    setBeside("intents = replace(intents, 'sha256:', 'sha256:0')"),
    restarts,
  ),
  changedOwed(
    'a write in doubt forged as settled, without its deadlines',
    'task_corrupted',
    both(
      setTask('isOwed = 0'),
      deadlines(() => []),
    ),
    restarts,
  ),
  changedOwed(
    'a write in doubt whose text does not state its outcome',
    'task_corrupted',
    setBeside("summary = CAST(x'ff' AS TEXT)"),
    restarts,
  ),
];

/** How a task stands, unreadable: it is told of as an error, and hides no other. */
const unreadable = ['x', '{}', 'null'].map((summary): Attack => ({
  number,
  attempt: `how one task stands made unreadable, so that no task is listed: ${summary}`,
  expected: 'task_corrupted',
  source: 'CWE-20',
  run: async () => {
    const one = await rob(unsure);
    const { site, broken, sound } = one;
    setBeside('summary = ?', summary)(one);
    const next = site.start(unsure);
    await next.recover();
    expect((await next.orchestrator.list()).map(({ taskId }) => taskId)).toEqual([sound]);
    const stop = stopOf(await errorOf(() => Promise.reject(next.errors.at(-1))));
    expect((await next.orchestrator.inbox()).map(({ taskId }) => taskId)).toEqual([sound]);
    const target = await messageOf(site, broken);
    expect(stopOf(await errorOf(() => approve(next, target)))).toBe('task_corrupted');
    await goesOn(next, sound, () => site.done.length);
    return stop;
  },
}));

const lasting: readonly Attack[] = [
  {
    number,
    attempt: 'a task forged as ended, to a caller that waits for its end',
    expected: 'task_corrupted',
    run: async () => {
      const one = await rob(unsure);
      const { site, broken, sound } = one;
      setTask('isSettled = 1')(one);
      const next = site.start(unsure);
      const stop = stopOf(await errorOf(() => next.orchestrator.settled(broken)));
      await goesOn(next, sound, () => site.done.length);
      return stop;
    },
  },
  {
    number,
    attempt: 'the end of evidence moved away, so that it is never stale',
    expected: 'task_corrupted',
    source: 'CWE-345',
    run: async () => {
      const site = vault();
      const given: Writing = {
        taskClass: {
          maxAge: 60_000,
          limits: { repairs: 0, revisions: 0, corrections: 0 },
          beforeDeliver: { evidence: [{ type: 'tool_result' }] },
        },
        model: ({ asks }: { asks: string }) =>
          asks === 'plan' ? plan([call('write', order)]) : draft({}, { confidence: 0.1 }),
      };
      const first = site.start(given);
      const taskId = await first.submit();
      const target = await messageOf(site, taskId);
      await first.close();
      moveDeadlines({ site, broken: taskId }, (one) => (one.of === 'evidence' ? farAway(one) : [one]));
      site.clock.leap(120_000);
      const left = site.rows();
      const next = site.start(given);
      await next.recover();
      const stop = stopOf(await errorOf(() => approve(next, target)));
      expect(site.rows()).toEqual(left);
      return stop;
    },
  },
];

/** What stands beside a ledger with every hash made anew: it is not believed, or only brings an end forward. */
const beside: readonly Attack[] = [
  {
    number,
    attempt: 'a task forged as owing work while it waits for a person, sealed anew',
    expected: 'QUESTION_EXPIRED',
    run: async () => {
      const one = await rob(unsure);
      const { site, broken } = one;
      setTask('isOwed = 1')(one);
      await sealBeside(one);
      const next = site.start(unsure);
      expect(await next.recover()).toEqual({ taken: 1, carriedOver: [], refused: [], changed: [] });
      expect({ done: site.done, turns: next.turns }).toEqual({ done: [], turns: [] });
      await site.clock.advance(8 * day);
      const { reasons } = await next.orchestrator.settled(broken);
      expect(site.done).toEqual([]);
      return reasons[0]?.code;
    },
  },
  {
    number,
    attempt: 'a task forged as ended, sealed anew, so that its documents can be erased',
    expected: 'task_unsettled',
    run: async () => {
      const one = await rob(unsure);
      const { site, broken, sound } = one;
      const { records } = await site.load(broken);
      setTask('isSettled = 1, isOwed = 0, asking = 0')(one);
      await sealBeside(one);
      const left = site.rows();
      const next = site.start(unsure);
      await next.recover();
      const digest = records.at(-1)?.documents.output ?? '';
      expect(digest).not.toBe('');
      const stop = stopOf(await errorOf(() => next.orchestrator.erase(broken, digest, { by: 'eve' })));
      expect(site.rows()).toEqual(left);
      await goesOn(next, sound, () => site.done.length);
      return stop;
    },
  },
  {
    number,
    attempt: 'a write in doubt whose intent is removed, and that is forged as settled, sealed anew',
    expected: 'EFFECT_IN_DOUBT',
    trap: 'a restart in the middle of a call',
    run: async () => {
      const one = await rob(dying, 'crash');
      const { site, broken } = one;
      both(setBeside("intents = '[]'"), setTask('isOwed = 0'))(one);
      await sealBeside(one);
      const next = site.start();
      expect(await next.recover()).toEqual({ taken: 2, carriedOver: [], refused: [], changed: [] });
      await site.clock.advance(120_000);
      expect((await inboxOf(next, broken)).question.kind).toBe('doubt');
      expect(site.done).toHaveLength(2);
      return doubtOf(site, broken);
    },
  },
  {
    number,
    attempt: 'a write in doubt whose intent is forged for another action, sealed anew',
    expected: 'EFFECT_IN_DOUBT',
    trap: 'a restart in the middle of a call',
    run: async () => {
      const one = await rob(dying, 'crash');
      const { site, broken } = one;
      setBeside("intents = replace(intents, 'sha256:', 'sha256:0')")(one);
      await sealBeside(one);
      const next = site.start();
      expect(await next.recover()).toEqual({ taken: 2, carriedOver: [], refused: [], changed: [] });
      expect(site.done).toHaveLength(2);
      return doubtOf(site, broken);
    },
  },
  {
    number,
    attempt: 'a deadline that is moved to the past, sealed anew',
    expected: 'QUESTION_EXPIRED',
    run: async () => {
      const one = await rob(unsure);
      const { site, broken, sound } = one;
      const target = await messageOf(site, broken);
      deadlines((deadline) => [{ ...deadline, at: 0 }])(one);
      await sealBeside(one);
      const next = site.start(unsure);
      await next.recover();
      expect(stopOf(await errorOf(() => approve(next, target)))).toBe('feedback_refused');
      expect(site.done).toEqual([]);
      const { reasons } = await next.orchestrator.settled(broken);
      await goesOn(next, sound, () => site.done.length);
      return reasons[0]?.code;
    },
  },
  {
    number,
    attempt: 'the key of a submission written on another task',
    expected: 'key_reused',
    run: async () => {
      const { site, broken, sound } = await rob(unsure);
      site.sql(
        `INSERT INTO stepKey SELECT CAST(x'ff' || 'submit order-7' AS BLOB), task, seq FROM record WHERE id = ${recordAt}`,
        0,
        broken,
      );
      const left = site.rows();
      const next = site.start(unsure);
      const stop = stopOf(await errorOf(() => next.submit({ wish: 'an order' }, 'order-7')));
      expect(site.rows()).toEqual(left);
      await goesOn(next, sound, () => site.done.length);
      return stop;
    },
  },
  {
    number,
    attempt: 'the key of a submission written on a record that is none',
    expected: 'key_reused',
    run: async () => {
      const { site, broken, sound } = await rob(unsure);
      site.sql(
        `INSERT INTO stepKey SELECT CAST(x'ff' || 'submit order-7' AS BLOB), task, seq FROM record WHERE id = ${recordAt}`,
        2,
        broken,
      );
      const left = site.rows();
      const next = site.start(unsure);
      const stop = stopOf(await errorOf(() => next.submit({}, 'order-7')));
      expect(site.rows()).toEqual(left);
      await goesOn(next, sound, () => site.done.length);
      return stop;
    },
  },
  {
    number,
    attempt: 'the message of another task’s question, on a task that did not ask it',
    expected: 'not_found',
    run: async () => {
      const { site, broken, sound } = await rob(unsure);
      const target = await messageOf(site, sound);
      site.sql('DELETE FROM message');
      site.sql(
        `INSERT INTO message SELECT ${uuid}, id, task, seq FROM record WHERE id = ${last}`,
        target,
        broken,
      );
      const left = site.rows();
      const next = site.start(unsure);
      const stop = stopOf(await errorOf(() => approve(next, target)));
      expect(site.rows()).toEqual(left);
      expect(site.done).toEqual([]);
      return stop;
    },
  },
];

export const besideLedgers = [approvals, sealed, unreadable, lasting, beside].flat();
