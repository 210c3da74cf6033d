import { createOrchestrator, defineTaskClass, defineTool } from 'agentcharter';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import type { CallContext } from '../../../../src/base/ports/tool.ts';

const identity = { agent_id: 'agent', owner_id: 'acme', control_class: 'human-supervised' } as const;

/** Settles once a signal aborts, with its reason. */
const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

/** A task whose only call is a mailing, and what happens to it; `doing` is what the tool does once it is called. */
const mailing = async (
  doing: (context: CallContext) => Promise<unknown>,
  contract: { stops?: true; tier?: 'read_only' } = {},
  { isByAnother = false, urgent }: { isByAnother?: boolean; urgent?: boolean } = {},
) => {
  const database = memoryDatabase();
  const undone: string[] = [];
  const begun = new AbortController();
  const isBegun = aborted(begun.signal);
  const mail = defineTool({
    name: 'mail',
    description: 'Sends mails.',
    input: z.object({}),
    ...contract,
    call: (_, context) => {
      begun.abort();
      return doing(context);
    },
    rollback: {
      describe: () => ({ type: 'mail.recall', target: 'all', payload: {} }),
      run: async () => undone.push('recalled'),
    },
  });
  const shared = {
    tools: [mail],
    taskClasses: [defineTaskClass({ id: 'news', tools: ['mail'], authorities: ['system'] })],
    policy: { decide: () => ({ verdict: 'allow' as const, authority: 'rule-1', reasons: [] }) },
  };
  const orchestrator = createOrchestrator({
    ...shared,
    store: database.connect(),
    model: {
      answer: async () => ({
        canProceed: true,
        confidence: 1,
        explanation: 'Sends it.',
        calls: [{ tool: 'mail', arguments: {} }],
      }),
    },
  });
  orchestrator.on('error', () => {});
  const { taskId } = await orchestrator.submit({ taskClass: 'news', payload: {}, identity });
  await isBegun;
  const other = createOrchestrator({ ...shared, store: database.connect(), role: 'guest' });
  await (isByAnother ? other : orchestrator).cancel(taskId, {
    by: 'dana',
    ...(urgent !== undefined && { urgent }),
  });
  await other.close();
  return { orchestrator, taskId, undone };
};

const factsOf = async ({ orchestrator, taskId }: Awaited<ReturnType<typeof mailing>>) =>
  (await orchestrator.ledger(taskId)).flatMap(({ fact }) => fact?.type ?? []);

describe('A cancelled task', () => {
  it.each([
    ['', false],
    [', also where another process recorded that', true],
  ])('stops a tool that heeds its signal, at once%s', async (_, isByAnother) => {
    let reason: unknown;
    const sent = await mailing(
      async ({ signal, notDone }) => {
        reason = await aborted(signal);
        return notDone('nothing was sent');
      },
      { stops: true },
      { isByAnother },
    );
    await using _owner = sent.orchestrator;
    expect((await sent.orchestrator.settled(sent.taskId)).state).toBe('cancelled');
    expect(reason).toMatchObject({ name: 'AbortError', message: 'the task was cancelled' });
    expect(await factsOf(sent)).toContain('call.failed');
    expect(sent.undone).toEqual([]);
  });

  it('undoes what such a tool had done all the same', async () => {
    const sent = await mailing(
      async ({ signal }) => {
        await aborted(signal);
        return { sent: 3 };
      },
      { stops: true },
    );
    await using _ = sent.orchestrator;
    await sent.orchestrator.settled(sent.taskId);
    expect(sent.undone).toEqual(['recalled']);
  });

  it('waits for any other tool, and undoes what it did', async () => {
    const end = new AbortController();
    let isAborted = false;
    const sent = await mailing(async ({ signal }) => {
      await aborted(end.signal);
      isAborted = signal.aborted;
      return { sent: 3 };
    });
    await using _ = sent.orchestrator;
    await new Promise((resolve) => setTimeout(resolve, 20));
    end.abort();
    await sent.orchestrator.settled(sent.taskId);
    expect([isAborted, sent.undone]).toEqual([false, ['recalled']]);
  });

  it.each([
    ['', false],
    [', also where another process recorded that', true],
  ])('stops every tool at once if it is urgent%s', async (_, isByAnother) => {
    const sent = await mailing(
      async ({ signal, notDone }) => {
        await aborted(signal);
        return notDone('nothing was sent');
      },
      {},
      { isByAnother, urgent: true },
    );
    await using _owner = sent.orchestrator;
    expect((await sent.orchestrator.settled(sent.taskId)).state).toBe('cancelled');
    expect(await factsOf(sent)).toContain('call.failed');
    expect(sent.undone).toEqual([]);
  });

  it('is hurried by a second, urgent cancellation, on record', async () => {
    let isAborted = false;
    const sent = await mailing(async ({ signal, notDone }) => {
      await aborted(signal);
      isAborted = true;
      return notDone('nothing was sent');
    });
    await using _ = sent.orchestrator;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isAborted).toBe(false);
    await sent.orchestrator.cancel(sent.taskId, { by: 'kim', urgent: true });
    await sent.orchestrator.settled(sent.taskId);
    const cancelled = (await sent.orchestrator.ledger(sent.taskId)).filter(
      ({ fact }) => fact?.type === 'task.cancelled',
    );
    expect(cancelled.map(({ actor, fact }) => [actor.id, fact])).toEqual([
      ['dana', { type: 'task.cancelled' }],
      ['kim', { type: 'task.cancelled', urgent: true }],
    ]);
  });

  it('says that it is not known what a tool did that stopped half way', async () => {
    const sent = await mailing(
      async ({ signal }) => {
        await aborted(signal);
        throw new Error('stopped after 3 of 5');
      },
      {},
      { urgent: true },
    );
    await using _ = sent.orchestrator;
    const { calls } = await sent.orchestrator
      .settled(sent.taskId)
      .then(() => sent.orchestrator.task(sent.taskId));
    expect(calls).toMatchObject([{ tool: 'mail', status: 'doubted', code: 'EFFECT_IN_DOUBT' }]);
  });

  it('refuses an urgency that is no yes or no', async () => {
    const sent = await mailing(async ({ notDone }) => notDone('nothing was sent'));
    await using _ = sent.orchestrator;
    await expect(
      sent.orchestrator.cancel(sent.taskId, { by: 'dana', urgent: 'yes' as never }),
    ).rejects.toMatchObject({
      code: 'document_invalid',
      details: { issues: [{ path: '/urgent' }] },
    });
  });
});
