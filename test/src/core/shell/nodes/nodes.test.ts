import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../../../../src/index.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { call, draft, identity, later as promised, never, plan, writeTool } from '../scripted.ts';
import { later, shifted, site } from './scene.ts';
import { eventually } from '../../../../waits.ts';

const model = [plan([call('write', { of: 1 })]), draft()];
const hour = 3_600_000;
const unsure = [plan([], { confidence: 0.1 }), draft()];

describe.skipIf(skipWithout(['postgres']) !== null)('several nodes on one store', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('perform each task once, wherever it was submitted', async () => {
    const { start, factsOf, verified } = site(cluster);
    const made: string[] = [];
    const tools = [writeTool('write', { call: async (_, { call: id }) => void made.push(id) })];
    const nodes = [1, 2, 3].map(() =>
      start({ tools, model: (turn: { asks: string }) => (turn.asks === 'plan' ? model[0] : model[1]) }),
    );
    const ids = await Promise.all(Array.from({ length: 12 }, (_, at) => nodes[at % 3]!.submit()));
    const ends = await Promise.all(ids.map((id, at) => nodes[(at + 1) % 3]!.orchestrator.settled(id)));
    expect(ends.map(({ outcome }) => outcome)).toEqual(ids.map(() => 'success'));
    expect(made).toHaveLength(12);
    for (const id of ids) {
      expect((await factsOf(id)).filter((fact) => fact === 'call.started')).toHaveLength(1);
      expect(await verified(id)).toBe(true);
    }
    expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('record an answer at any node, and go on at one of them', async () => {
    const { start, holderOf } = site(cluster);
    const [one, other] = [start({ model: unsure }), start({ model: unsure.slice(1) })];
    const taskId = await one.submit();
    await one.question();
    await eventually(async () => expect(await holderOf(taskId)).toBeNull());
    const settled = one.orchestrator.settled(taskId);
    await other.answer('approve');
    expect(await settled).toMatchObject({ outcome: 'success' });
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  it('emit every event of a task that was begun here, also when another node goes on with it', async () => {
    const { start, recordsOf, holderOf } = site(cluster);
    const one = start({ model: unsure.slice(0, 1), store: (inner) => ({ ...inner, take: async () => [] }) });
    const other = start({ model: unsure.slice(1) });
    const seqs: number[] = [];
    const [questions, settled, documents] = [vi.fn(), vi.fn(), vi.fn()];
    one.orchestrator.on('record', ({ seq }) => seqs.push(seq));
    one.orchestrator.on('document', documents);
    one.orchestrator.on('question', ({ isForeign }) => questions(isForeign));
    one.orchestrator.on('settled', settled);
    const taskId = await one.submit();
    await eventually(async () => expect(await holderOf(taskId)).toBeNull());
    await other.answer('approve');
    expect(await one.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    const all = (await recordsOf(taskId)).map(({ seq }) => seq);
    await eventually(() => expect(seqs).toEqual(all));
    expect(documents).toHaveBeenCalledTimes((await one.orchestrator.documents(taskId)).length);
    expect(questions.mock.calls).toEqual([[undefined]]);
    expect(settled).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ taskId, isForeign: true }));
    expect(other.turns).toHaveLength(1);
  });

  it('record an answer at a node that does not hold the task while another performs it', async () => {
    const { start, factsOf } = site(cluster);
    const thinking = promised();
    const [one, other] = [start({ model: [() => thinking.promise] }), start()];
    const taskId = await one.submit();
    await eventually(() => expect(one.turns).toHaveLength(1));
    await other.orchestrator.cancel(taskId, { by: 'dana' });
    expect(await one.orchestrator.settled(taskId)).toMatchObject({ state: 'cancelled' });
    expect((await factsOf(taskId)).at(-1)).toBe('task.cancelled');
    expect(other.turns).toEqual([]);
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  it('let go of what rests, and hand over at once on close', async () => {
    const { start, holderOf } = site(cluster);
    const one = start({ model: (_: unknown, signal: AbortSignal) => never(signal) });
    const taskId = await one.submit();
    await eventually(() => expect(one.turns).toHaveLength(1));
    const holder = await holderOf(taskId);
    const other = start({ model: [plan(), draft()] });
    await other.orchestrator.recover();
    expect(await holderOf(taskId)).toBe(holder);
    await one.orchestrator.close();
    expect(await other.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    await eventually(async () => expect(await holderOf(taskId)).toBeNull());
  });

  it('give a task only to a node that has its class and tools', async () => {
    const { start, holderOf } = site(cluster);
    const able = { model: (_: unknown, signal: AbortSignal) => never(signal), tools: [writeTool('write')] };
    const first = start(able);
    const taskId = await first.submit();
    await eventually(() => expect(first.turns).toHaveLength(1));
    const lacking = [start({ model: [draft()] }), start({ model: [draft()], taskClass: { id: 'other' } })];
    for (const { orchestrator } of lacking) await orchestrator.recover();
    await first.orchestrator.close();
    await later(600);
    expect(await holderOf(taskId)).toBeNull();
    expect(lacking.flatMap(({ turns, errors }) => [...turns, ...errors])).toEqual([]);
    await expect(lacking[1]?.orchestrator.cancel(taskId, { by: 'dana' })).rejects.toMatchObject({
      code: 'not_found',
      message: `task ${taskId} is of an unknown task class "work", which is not among \`taskClasses\` here (other): follow and answer it at a process that has it`,
    });
    const second = start({ ...able, model: [plan(), draft()] });
    expect(await second.orchestrator.recover()).toMatchObject({ taken: 1, refused: [] });
    expect(await second.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('pass a deadline once, by the time of the store, though their clocks are hours apart', async () => {
    const { start, factsOf, recordsOf } = site(cluster);
    const nodes = [-2, 0, 2].map((hours) =>
      start({
        model: unsure,
        taskClass: { deadlines: { question: 1_500 } },
        options: { clock: shifted(hours) },
      }),
    );
    const begun = Date.now();
    const ids = await Promise.all(nodes.map(({ submit }) => submit()));
    await Promise.all(ids.map((id, at) => nodes[(at + 1) % 3]!.orchestrator.settled(id)));
    expect(Date.now() - begun).toBeGreaterThan(1_000);
    for (const id of ids) {
      expect((await factsOf(id)).filter((fact) => fact === 'deadline.passed')).toHaveLength(1);
      for (const { timestamp } of await recordsOf(id)) {
        expect(Date.parse(timestamp)).toBeGreaterThan(begun - hour);
        expect(Date.parse(timestamp)).toBeLessThan(begun + hour);
      }
    }
    expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('recover reports what a node took', async () => {
    const { start, reader } = site(cluster);
    const guest = start({ options: { role: 'guest' } });
    const { taskId } = await guest.orchestrator.submit({ taskClass: 'work', payload: {}, identity });
    expect((await reader.load(taskId))?.indexEntry.isOwed).toBe(true);
    const node = start({ model: [plan(), draft()] });
    expect(await node.orchestrator.recover()).toEqual({
      taken: 1,
      carriedOver: [],
      refused: [],
      changed: [],
    });
    expect(await guest.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('go on with other tasks while some cannot be resumed', async () => {
    const { start } = site(cluster);
    const guest = start({ options: { role: 'guest' } });
    const broken = new Set<string>();
    for (let at = 0; at < 5; at += 1) broken.add(await guest.submit());
    const taskId = await guest.submit();
    const load =
      (inner: Store): Store['load'] =>
      async (id) => {
        if (broken.has(id)) throw new Error('it cannot be read');
        return inner.load(id);
      };
    const node = start({
      model: [plan([]), draft()],
      options: { concurrency: 1 }, // it takes four at once
      store: (inner) => ({ ...inner, load: load(inner) }),
    });
    const { refused } = await node.orchestrator.recover();
    expect(new Set(refused.map(({ taskId: id }) => id))).toEqual(broken);
    expect(await guest.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  });
});
