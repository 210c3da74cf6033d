import { expect } from 'vitest';
import { createActor } from 'xstate';
import { dutiesOf, executionMachine, factTypes, taskClass, taskMachine } from '../../machines/index.ts';
import { replay, verifyLedger } from '../../src/core/ledger/index.ts';
import { hashOfText } from '../../src/base/canonical/digest.ts';
import { sealedAnew } from '../src/core/ledger/made.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, later, plan, writeTool } from '../src/core/shell/scripted.ts';
import { unmoved, type Attack, type Trap } from './attack.ts';
import { bank } from './bank.ts';

/** What XState sends itself, from somebody who is not XState. */
const internal = [
  'xstate.init',
  'xstate.stop',
  'xstate.done.actor.0.task',
  'xstate.done.state.task',
  'xstate.done.state.task.submitted',
  'xstate.done.state.task.submitted.verify',
  'xstate.error.actor.0.task',
  'xstate.snapshot.0.task',
  'xstate.after.1.task',
  'xstate.promise.resolve',
  'done.invoke.task',
] as const;

const source = 'XState 5.33';
const completion: Trap = 'a forged completion';

const statedFact = (type: string, trap?: Trap): Attack => ({
  number: 34,
  attempt: `an outsider states ${JSON.stringify(type)}`,
  expected: 'fact_not_yours',
  source,
  ...(trap !== undefined && { trap }),
  run: async () => {
    const one = bank();
    const taskId = await one.submit();
    const fact = { type, output: { outcome: 'delivered' }, target: 'submitted.deliver' };
    const stop = await unmoved(one, () => one.orchestrator.tell(taskId, fact, { by: 'eve' }));
    expect(one.paid).toEqual([]);
    return stop;
  },
});

const request = '00000000-0000-4000-8000-000000000001';
const input = { taskClass: taskClass({ id: 'work' }), request };

/** An actor of a chart, without an orchestrator around it, that plans. */
const bare = (machine: typeof taskMachine | typeof executionMachine) => {
  const actor = createActor(machine as typeof taskMachine, { input });
  actor.subscribe({ error: () => {} }); // XState throws asynchronously at nobody
  actor.start();
  actor.send({ type: 'request.accepted' });
  return actor;
};

/** What a bare actor falls for: `xstate.stop` and `xstate.error.actor.*` end it, where it stands. */
const ends: Readonly<Record<string, string>> = {
  'xstate.stop': 'stopped',
  'xstate.error.actor.0.task': 'error',
};

/** Sent to a bare actor, it may end the actor, and never moves it. */
const sent = (type: string): Attack => ({
  number: 34,
  attempt: `${type}, sent to an actor of each chart that has no orchestrator around it`,
  expected: 'fact_not_yours',
  source,
  trap: completion,
  run: async () => {
    for (const machine of [taskMachine, executionMachine]) {
      const actor = bare(machine);
      const { value, context } = actor.getSnapshot();
      actor.send({ type, output: { outcome: 'delivered' } } as never);
      const after = actor.getSnapshot();
      expect(after.value).toEqual(value);
      expect(after.context).toEqual(context);
      expect(after.context.outcome).toBeNull();
      expect(after.status).toBe(ends[type] ?? 'active');
    }
    const one = scene();
    const taskId = await one.submit();
    return unmoved(one, () => one.orchestrator.tell(taskId, { type }, { by: 'eve' }));
  },
});

const outsiders: readonly string[] = ['dependency.met', 'task.cancelled'];

const strange: readonly Attack[] = [
  '*',
  '',
  '__proto__',
  'constructor',
  'task.completed',
  'XSTATE.STOP',
  'task.cancelled ',
].map((type) => statedFact(type));

const noEvent: readonly Attack[] = [
  {
    number: 34,
    attempt: 'a fact whose type is a list of one',
    expected: 'document_invalid',
    source,
    run: async () => {
      const one = bank();
      const taskId = await one.submit();
      return unmoved(one, () => one.orchestrator.tell(taskId, { type: ['task.cancelled'] }, { by: 'eve' }));
    },
  },
  {
    number: 34,
    attempt: 'a fact for an unknown task',
    expected: 'not_found',
    source,
    run: async () => {
      const one = bank();
      await one.submit();
      return unmoved(one, () =>
        one.orchestrator.tell('constructor', { type: 'task.cancelled' }, { by: 'eve' }),
      );
    },
  },
];

const fallen = async () => {
  const one = scene({ model: [plan([call('write')]), draft()], tools: [writeTool('write')] });
  const taskId = await one.submit();
  await one.ended(taskId);
  return one.orchestrator.ledger(taskId);
};

const snapshots: readonly Attack[] = [
  {
    number: 34,
    attempt: 'a stored snapshot that is moved to deliver, its hash in the ledger left as it was',
    expected: 'edited',
    source,
    trap: 'an edited snapshot',
    run: async () => {
      const records = await fallen();
      const accepted = records.findIndex(({ fact }) => fact?.type === 'request.accepted');
      const actor = bare(taskMachine);
      const text = JSON.stringify({
        ...(actor.getPersistedSnapshot() as object),
        value: { submitted: 'deliver' },
      });
      expect(hashOfText(text)).not.toBe(records[accepted]!.snapshot);
      const forged = records.with(accepted, { ...records[accepted]!, snapshot: hashOfText(text) });
      return (await verifyLedger(forged)).findings[0]?.code;
    },
  },
  {
    number: 34,
    attempt: 'a stored snapshot that is moved to deliver, and a ledger that is sealed anew around it',
    expected: 'snapshot',
    source,
    trap: 'an edited snapshot',
    run: async () => {
      const records = await fallen();
      const accepted = records.findIndex(({ fact }) => fact?.type === 'request.accepted');
      const text = JSON.stringify({ value: { submitted: 'deliver' } });
      const anew = sealedAnew(records.with(accepted, { ...records[accepted]!, snapshot: hashOfText(text) }));
      expect(await verifyLedger(anew)).toMatchObject({ intact: true });
      return replay(anew).findings[0]?.code;
    },
  },
  ...[null, 'deliver', {}, { value: 'nowhere' }].map((snapshot): Attack => ({
    number: 34,
    attempt: `a record whose snapshot is ${JSON.stringify(snapshot)}`,
    expected: snapshot === null ? 'snapshot' : 'unreadable',
    source,
    trap: 'a broken snapshot',
    run: async () => {
      const records = await fallen();
      const at = records.findLastIndex((record) => record.snapshot !== null);
      const broken = records.with(at, { ...records[at]!, snapshot: snapshot as never });
      expect((await verifyLedger(broken)).intact).toBe(false);
      return replay(broken).findings[0]?.code;
    },
  })),
  {
    number: 34,
    attempt: 'a restart in the middle of a write, to have it made twice',
    expected: 'fact_refused',
    source,
    trap: 'a restart in the middle of a call',
    run: async () => {
      const landed = later();
      const one = scene({
        model: [plan([call('write')]), draft()],
        tools: [writeTool('write', { call: () => landed.promise })],
      });
      const taskId = await one.submit();
      expect(one.invocations).toHaveLength(1);
      const text = (await one.store.load(taskId))?.snapshot;
      const started = (await one.orchestrator.ledger(taskId)).find(
        ({ fact }) => fact?.type === 'call.started',
      )?.fact;
      const again = createActor(taskMachine, { snapshot: JSON.parse(text ?? ''), input }).start();
      expect(dutiesOf(again.getSnapshot()).map(({ kind }) => kind)).toEqual(['observe', 'wake']);
      expect(again.getSnapshot().can(started!)).toBe(false);
      landed.resolve({ written: true });
      await one.ended(taskId);
      expect(one.invocations).toHaveLength(1);
      return 'fact_refused';
    },
  },
];

export const chart: readonly Attack[] = [
  ...internal.map((type) => statedFact(type, completion)),
  ...internal.map(sent),
  ...factTypes.filter((type) => !outsiders.includes(type)).map((type) => statedFact(type)),
  ...strange,
  ...noEvent,
  ...snapshots,
];
