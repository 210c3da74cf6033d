import { describe, expect, it } from 'vitest';
import type { FeedbackType } from '../../../../schema/index.ts';
import type { Store, Turn } from '../../../../src/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import type { StoredTask } from '../../../../src/base/ports/store.ts';
import { hashOfRecord } from '../../../../src/core/kernel/seal.ts';
import { machine } from './restarts.ts';
import { call, draft, identity, never, plan, readTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const lastOf = ({ records }: StoredTask): LedgerRecord => records.at(-1)!;
/** The records, the last of which is another. */
const withLast = ({ records }: StoredTask, last: LedgerRecord): readonly LedgerRecord[] => [
  ...records.slice(0, -1),
  last,
];

const unsure = plan([], { confidence: 0.1 });
const minute = 60_000;

describe('two orchestrators on one store', () => {
  it('cannot both own it: the second throws store_owned and changes nothing', async () => {
    const { start, reader } = machine();
    const first = start({ model: [unsure] });
    const taskId = await first.submit();
    const before = await reader.load(taskId);
    const second = start({ model: [draft()] });
    await expect(second.recover()).rejects.toMatchObject({ code: 'store_owned' });
    await expect(second.submit()).rejects.toMatchObject({ code: 'store_owned' });
    await expect(second.answer('approve')).rejects.toMatchObject({ code: 'store_owned' });
    expect(await reader.load(taskId)).toEqual(before);
    await first.close();
    expect(await second.recover()).toEqual({ taken: 0, carriedOver: [], refused: [], changed: [] });
  });

  it('can be an owner and a guest: the owner continues with a guest’s answer', async () => {
    const { start, factsOf } = machine();
    const owner = start({ model: [unsure, draft()] });
    const taskId = await owner.submit();
    const guest = start({ options: { role: 'guest' } });
    await guest.answer('approve');
    expect(await owner.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(await guest.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(guest.turns).toEqual([]);
    expect(await factsOf(taskId)).toContain('human.responded');
    expect(owner.errors).toEqual([]);
  });

  it('continue with a guest’s answer after the owner unloaded the task', async () => {
    const { start } = machine();
    const owner = start({ model: [unsure, draft()], options: { idleTasks: 0 } });
    const taskId = await owner.submit();
    await start({ options: { role: 'guest' } }).answer('approve');
    expect(await owner.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('run a guest’s task, and the guest reads its result', async () => {
    const { start } = machine();
    const owner = start({ model: [plan(), draft()] });
    await owner.recover();
    const guest = start({ options: { role: 'guest' } });
    const taskId = await guest.submit();
    expect(await guest.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(guest.turns).toEqual([]);
  });

  it('notify the owner’s listeners of a guest’s records', async () => {
    const { start } = machine();
    const owner = start({ model: [unsure, (_: Turn, signal: AbortSignal) => never(signal)] });
    const told: (string | undefined)[] = [];
    owner.orchestrator.on('record', ({ fact }) => told.push(fact?.type));
    await owner.submit();
    await start({ options: { role: 'guest' } }).answer('approve');
    expect(told).toEqual([undefined, 'request.accepted', 'plan.proposed', 'human.responded']);
  });

  it('accept an answer or a deadline, whichever was recorded first', async () => {
    const { start, clock, factsOf } = machine();
    const taskClass = { deadlines: { question: minute } };
    const owner = start({ model: [unsure, draft()], taskClass });
    const taskId = await owner.submit();
    const guest = start({ options: { role: 'guest' }, taskClass });
    clock.leap(minute); // the owner is not woken yet
    await expect(guest.answer('approve')).rejects.toMatchObject({ code: 'feedback_refused' });
    await clock.advance(minute);
    expect((await factsOf(taskId)).filter((fact) => fact === 'deadline.passed')).toHaveLength(1);
    expect((await owner.orchestrator.settled(taskId)).reasons).toMatchObject([{ code: 'QUESTION_EXPIRED' }]);
  });

  it('accept one of two simultaneous answers and reject the other', async () => {
    const { start, factsOf } = machine();
    const owner = start({ model: [unsure, draft()] });
    const taskId = await owner.submit();
    const guests = [1, 2, 3].map(() => start({ options: { role: 'guest' } }));
    const { message } = await owner.question();
    const feedback = { type: 'approve', target: message.messageId } as const;
    const all = [owner, ...guests].map(({ orchestrator }) => orchestrator.respond(feedback, { by: 'dana' }));
    const answers = await Promise.allSettled(all);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 'rejected')).toMatchObject(
      [1, 2, 3].map(() => ({ reason: { code: 'feedback_refused' } })),
    );
    expect(await owner.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect((await factsOf(taskId)).filter((fact) => fact === 'human.responded')).toHaveLength(1);
  });
});

describe('two processes with different clocks', () => {
  it('record times that never go back', async () => {
    const { start, clock, recordsOf } = machine();
    const owner = start({ model: [unsure, draft()] });
    const taskId = await owner.submit();
    const ahead = { now: () => clock.now() + 60 * minute, wakeAt: clock.wakeAt };
    await start({ options: { role: 'guest', clock: ahead } }).answer('approve');
    expect(await owner.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    const times = (await recordsOf(taskId)).map(({ timestamp }) => Date.parse(timestamp));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });
});

describe('a request repeated under its key', () => {
  it('begins one task in this process and in the next', async () => {
    const { start, reader } = machine();
    const first = start({ model: [unsure] });
    const taskId = await first.submit({ wish: 1 }, 'order 7');
    expect(await first.submit({ wish: 1 }, 'order 7')).toBe(taskId);
    await first.close();
    const second = start({ model: [unsure] });
    expect(await second.submit({ wish: 1 }, 'order 7')).toBe(taskId);
    expect(await reader.taskIndex()).toHaveLength(1);
  });

  it('begins one task when both arrive at the same time', async () => {
    const { start, reader } = machine();
    const { orchestrator } = start({ model: [unsure] });
    const submission = { taskClass: 'work', payload: {}, identity };
    const [one, other] = await Promise.all([
      orchestrator.submit(submission, { key: 'k' }),
      orchestrator.submit(submission, { key: 'k' }),
    ]);
    expect(one).toEqual(other);
    expect(await reader.taskIndex()).toHaveLength(1);
  });

  it('answers once and succeeds on each repetition', async () => {
    const { start, factsOf } = machine();
    const { submit, question, orchestrator } = start({ model: [unsure, draft()] });
    const taskId = await submit();
    const { message } = await question();
    const say = () =>
      orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana', key: 'click 1' });
    await say();
    await say();
    await settle();
    await say();
    expect((await factsOf(taskId)).filter((fact) => fact === 'human.responded')).toHaveLength(1);
  });

  it('cancels once and resolves a dependency once', async () => {
    const { start, factsOf } = machine();
    const { submit, orchestrator } = start({
      model: [plan([call('wait')]), (_: Turn, signal: AbortSignal) => never(signal)],
      tools: [
        readTool('wait', {
          call: (_, { met, notYet }) => met ?? notYet({ dependency: 'd', explanation: 'later' }),
        }),
      ],
    });
    const taskId = await submit();
    const resolve = (value: number) => orchestrator.resolve(taskId, 'd', value, { by: 'dana', key: 'r' });
    await resolve(1);
    await resolve(1);
    await expect(resolve(2)).rejects.toMatchObject({ code: 'key_reused' });
    await settle();
    const cancel = () => orchestrator.cancel(taskId, { by: 'dana', key: 'c' });
    await cancel();
    await cancel();
    await settle();
    const facts = await factsOf(taskId);
    expect(facts.filter((fact) => fact === 'dependency.met' || fact === 'task.cancelled')).toEqual([
      'dependency.met',
      'task.cancelled',
    ]);
  });

  it('is rejected when its content differs', async () => {
    const { start } = machine();
    const { submit, question, orchestrator } = start({ model: [unsure, draft()] });
    const taskId = await submit({ wish: 1 }, 'k');
    await expect(submit({ wish: 2 }, 'k')).rejects.toMatchObject({
      code: 'key_reused',
      details: { taskId },
    });
    const { message } = await question();
    const say = (type: FeedbackType) =>
      orchestrator.respond({ type, target: message.messageId }, { by: 'dana', key: 'k' });
    await say('comment');
    const another = orchestrator.respond(
      { type: 'comment', target: message.messageId },
      { by: 'kim', key: 'k' },
    );
    await expect(another).rejects.toMatchObject({ code: 'key_reused' });
    await expect(say('approve')).rejects.toMatchObject({ code: 'key_reused' });
  });

  it.each(['', 'ü', 'x'.repeat(129)])('accepts only an identifier as its key: %s', async (key) => {
    const { submit } = machine().start({ model: [unsure] });
    await expect(submit({}, key)).rejects.toMatchObject({ code: 'document_invalid' });
  });
});

type Change = (stored: StoredTask) => StoredTask;

/** The same task with records that say something else, each of them sealed anew. */
const resealed =
  (change: (record: LedgerRecord) => LedgerRecord): Change =>
  (stored) => {
    const records = stored.records.reduce<readonly LedgerRecord[]>((sealed, record) => {
      const changed = { ...change(record), previous: sealed.at(-1)?.hash ?? null };
      return [...sealed, { ...changed, hash: hashOfRecord(changed) }];
    }, []);
    return { ...stored, records, indexEntry: { ...stored.indexEntry, head: records.at(-1)!.hash } };
  };

const sure = (record: LedgerRecord): LedgerRecord =>
  record.fact?.type === 'plan.proposed' ? { ...record, fact: { ...record.fact, confidence: 1 } } : record;

describe('a stored task that was modified [attack 33]', () => {
  const tampered =
    (change: Change) =>
    (inner: Store): Store => ({
      ...inner,
      load: async (taskId) => {
        const stored = await inner.load(taskId);
        return stored && change(stored);
      },
    });

  it.each<[string, Change, object]>([
    [
      'its snapshot names a state that the chart does not have',
      (stored) => ({ ...stored, snapshot: stored.snapshot.replace('needsHumanDecision', 'completed') }),
      { code: 'task_corrupted' },
    ],
    [
      'its snapshot holds another context',
      (stored) => ({ ...stored, snapshot: stored.snapshot.replace('"attempt":0', '"attempt":1') }),
      { code: 'task_corrupted' },
    ],
    [
      'its last record is gone',
      (stored) => ({ ...stored, records: stored.records.slice(0, -1) }),
      { code: 'task_corrupted' },
    ],
    [
      'its first record is gone',
      (stored) => ({ ...stored, records: stored.records.slice(1) }),
      { code: 'task_corrupted' },
    ],
    ['it has no records', (stored) => ({ ...stored, records: [] }), { code: 'task_corrupted' }],
    [
      'a fact says something else',
      (stored) => ({
        ...stored,
        records: withLast(stored, { ...lastOf(stored), fact: { type: 'request.accepted' } }),
      }),
      { code: 'task_corrupted' },
    ],
    [
      'a document says something else',
      (stored) => ({
        ...stored,
        records: withLast(stored, {
          ...lastOf(stored),
          brought: { output: { ...lastOf(stored).brought.output!, explanation: 'other' } },
        }),
      }),
      { code: 'task_corrupted' },
    ],
    [
      'a message that it emitted is gone',
      (stored) => ({ ...stored, emissions: stored.emissions.slice(0, -1) }),
      { code: 'task_corrupted' },
    ],
    [
      'a fact, sealed anew, leads elsewhere',
      resealed(sure),
      {
        code: 'task_corrupted',
        details: { seq: 2, reason: expect.stringContaining('output/upThought/confidence') },
      },
    ],
    [
      'another head stands beside it',
      (stored) => ({ ...stored, indexEntry: { ...stored.indexEntry, head: `sha256:${'0'.repeat(64)}` } }),
      { code: 'task_corrupted' },
    ],
  ])('is not continued: %s', async (_, change, error) => {
    const { start, reader } = machine();
    const first = start({ model: [unsure] });
    const taskId = await first.submit();
    await first.close();
    const before = await reader.load(taskId);
    const second = start({ model: [draft()], store: tampered(change) });
    await expect(second.answer('approve')).rejects.toMatchObject(error);
    expect(await reader.load(taskId)).toEqual(before);
    expect(second.turns).toEqual([]);
  });

  it('is reported by recover() and affects no other task', async () => {
    const { start } = machine();
    const tools = [readTool('look')];
    const first = start({ model: (_: unknown, signal: AbortSignal) => never(signal), tools });
    const [broken, sound] = [await first.submit(), await first.submit()];
    await first.crash();
    const second = start({
      model: [plan([call('look')]), draft()],
      tools,
      store: tampered((stored) =>
        stored.indexEntry.taskId === broken ? { ...stored, records: stored.records.slice(0, -1) } : stored,
      ),
    });
    expect(await second.recover()).toMatchObject({
      taken: 1,
      refused: [{ taskId: broken, error: { code: 'task_corrupted' } }],
    });
    expect(await second.orchestrator.settled(sound)).toMatchObject({ outcome: 'success' });
  });
});
