import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createGuard } from '../../../../../src/guard/index.ts';
import { defineTaskClass, defineVerifier, isCharterError } from '../../../../../src/index.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { call, draft, identity, plan, scriptedPolicy, writeTool } from '../scripted.ts';
import { site, unrenewed, type Given } from './scene.ts';
import { eventually } from '../../../../waits.ts';

const said = (during: string): string =>
  `the process that performs this task ended, or stood still, 5 times in a row while ${during}`;

const hang = (begun: () => void) => (): Promise<never> => {
  begun();
  return new Promise(() => {});
};

const failures = (errors: readonly unknown[]) =>
  errors.flatMap((error) =>
    isCharterError(error, 'callback_failed') ? [{ ...error.details, said: error.message }] : [],
  );

const writes = (decide: Given['options']): Given => ({
  model: [plan([call('write')]), draft()],
  tools: [writeTool('write')],
  ...(decide && { options: decide }),
});

describe.skipIf(skipWithout(['postgres']) !== null)('a task that five processes in a row ended with', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  /** Nodes that make the same call, which does not end. */
  const deadly = (work: (begun: () => void) => Given) => {
    const there = site(cluster);
    const begun = vi.fn();
    const given = work(begun);
    const start = () => there.start(given);
    /** Waits until a node makes the call, after so many calls, and ends the node as if it were the fifth in a row. */
    const die = async ({ orchestrator }: ReturnType<typeof start>, calls: number): Promise<void> => {
      await eventually(() => expect(begun).toHaveBeenCalledTimes(calls));
      await orchestrator.close(); // it cannot let go of the task
      await lapseAsFifth(there.schema);
    };
    /** Begins a task at a node that ends as the fifth, and returns the next node. */
    const fifth = async () => {
      const one = start();
      const taskId = await one.submit();
      await die(one, 1);
      const next = start();
      await next.orchestrator.recover();
      return { taskId, next };
    };
    return { ...there, start, die, fifth, begun };
  };

  const lapseAsFifth = (schema: string): Promise<unknown> =>
    cluster.sql(
      `UPDATE ${schema}.task SET lapses = clock_timestamp() - interval '1 s', attempts = 4 WHERE holder IS NOT NULL`,
    );

  it('asks a person in place of its model, tries it again by an instruction, and asks again', async () => {
    const { fifth, begun, die, start, verified } = deadly((started) => ({ model: hang(started) }));
    const { taskId, next } = await fifth();
    const { question, message } = await next.question();
    expect(question.kind).toBe('help');
    expect(message.explanation).toContain(said('its model was asked'));
    expect(begun).toHaveBeenCalledTimes(1);
    expect(failures(next.errors)).toEqual([
      { taskId, callback: 'model.answer', code: null, said: expect.stringContaining('5 times in a row') },
    ]);
    const target = message.messageId;
    await next.orchestrator.respond(
      { type: 'instruction', target, content: { text: 'try again' } },
      { by: 'dana' },
    );
    await die(next, 2);
    const third = start();
    await third.orchestrator.recover();
    expect((await third.question()).message.messageId).not.toBe(target);
    expect(begun).toHaveBeenCalledTimes(2);
    expect(await verified(taskId)).toBe(true);
  });

  it('asks a person in place of its agent', async () => {
    const there = site(cluster);
    const begun = vi.fn();
    const start = (store = there.connect()) => {
      const guard = createGuard({
        tools: [writeTool('write')],
        taskClasses: [defineTaskClass({ id: 'work', tools: ['write'] })],
        policy: scriptedPolicy('allow').policy,
        store,
        agents: { work: hang(begun) },
      });
      onTestFinished(() => guard.close());
      guard.orchestrator.on('error', () => {});
      return guard.orchestrator;
    };
    await start(unrenewed(there.connect())).submit({ taskClass: 'work', payload: {}, identity });
    await eventually(() => expect(begun).toHaveBeenCalledTimes(1));
    await lapseAsFifth(there.schema);
    const next = start();
    await next.recover();
    const [asked] = await eventually(async () => {
      const inbox = await next.inbox();
      expect(inbox).toHaveLength(1);
      return inbox;
    });
    expect(asked?.message.explanation).toContain(said('its agent took a turn'));
    expect(begun).toHaveBeenCalledTimes(1);
  });

  it('fails the report of its verifier with the reason', async () => {
    const { fifth, begun } = deadly((started) => ({
      model: [plan(), draft()],
      taskClass: { beforeDeliver: { verifiers: ['judge'] }, limits: { repairs: 0 } },
      options: { verifiers: [defineVerifier({ id: 'judge', verify: hang(started) })] },
    }));
    const { taskId, next } = await fifth();
    expect(await next.orchestrator.settled(taskId)).toMatchObject({
      outcome: 'uncertain',
      reasons: expect.arrayContaining([{ code: 'VERIFIER_ERROR', about: 'judge' }]),
    });
    const reports = (await next.orchestrator.ledger(taskId)).flatMap(({ brought }) => brought.report ?? []);
    expect(reports.map(({ status, checks }) => [status, checks[0]?.details])).toEqual([
      ['fail', said('verifier "judge" was asked')],
    ]);
    expect(failures(next.errors)).toMatchObject([
      { taskId, callback: 'verifier "judge"', code: 'VERIFIER_ERROR' },
    ]);
    expect(begun).toHaveBeenCalledTimes(1);
  });

  it('asks a person in place of its policy', async () => {
    const { fifth, begun } = deadly((started) => writes({ policy: scriptedPolicy(hang(started)).policy }));
    const { taskId, next } = await fifth();
    const { question } = await next.question();
    expect(question).toMatchObject({ kind: 'approval' });
    expect(JSON.stringify(question.reasons)).toContain(said('its policy was asked'));
    expect(failures(next.errors)).toMatchObject([{ taskId, callback: 'policy.decide', code: null }]);
    expect(begun).toHaveBeenCalledTimes(1);
  });

  it('refuses the clearance of a write whose policy does not come back', async () => {
    let isDecided = false;
    const decide = (begun: () => void) => (): unknown => {
      if (isDecided) return hang(begun)();
      isDecided = true;
      return { verdict: 'needs_review', reasons: [] };
    };
    const { start, die, begun, recordsOf } = deadly((started) =>
      writes({ policy: scriptedPolicy(decide(started)).policy }),
    );
    const one = start();
    const taskId = await one.submit();
    await one.answer('approve');
    await die(one, 1);
    const next = start();
    await next.orchestrator.recover();
    const refused = await eventually(async () => {
      const found = (await recordsOf(taskId)).find(({ fact }) => fact?.type === 'call.refused');
      expect(found).toBeDefined();
      return found;
    });
    expect(refused?.fact).toMatchObject({ code: 'POLICY_ERROR' });
    expect(refused?.brought.explanation).toBe(said('its policy was asked'));
    await eventually(() => expect(begun).toHaveBeenCalledTimes(2)); // at its gate again, counted anew
  });

  it('asks a person about a write whose look-up does not come back', async () => {
    const { start, die, begun } = deadly((started) => ({
      model: [plan([call('write')]), draft()],
      tools: [
        writeTool('write', {
          doubt: 'reconcilable',
          deadline: 500,
          lookup: hang(started),
          call: () => {
            throw new Error('the connection broke');
          },
        }),
      ],
    }));
    const one = start();
    const taskId = await one.submit();
    await die(one, 1);
    const next = start();
    await next.orchestrator.recover();
    expect((await next.question()).question.kind).toBe('doubt');
    const callback = 'lookup of tool "write"';
    const lookedUp = said('its effect was looked up');
    expect(failures(next.errors)).toEqual([
      { taskId, callback, code: null, said: `${callback} failed: Error: ${lookedUp}` },
    ]);
    await eventually(() => expect(begun).toHaveBeenCalledTimes(2)); // once more, while the person is asked
  });

  it('refuses a request whose acceptance does not come back', async () => {
    const { fifth } = deadly((started) => ({ taskClass: { accept: hang(started) } }));
    const { taskId, next } = await fifth();
    expect(await next.orchestrator.settled(taskId)).toMatchObject({
      outcome: 'uncertain',
      reasons: [{ code: 'GUARD_ERROR' }],
    });
    expect(failures(next.errors)).toMatchObject([{ taskId, callback: 'accept', code: 'GUARD_ERROR' }]);
  });

  it('goes on if its tool ended them, and has used its recoveries', async () => {
    const { fifth, factsOf } = deadly((started) => ({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { doubt: 'idempotent', deadline: 500, call: hang(started) })],
      taskClass: { limits: { recoveries: 0 } },
    }));
    const { taskId, next } = await fifth();
    expect((await next.question()).question.kind).toBe('doubt');
    expect(await factsOf(taskId)).toContain('call.doubted');
    expect(failures(next.errors)).toEqual([]);
  });
});
