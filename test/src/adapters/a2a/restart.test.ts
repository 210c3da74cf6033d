import { InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { describe, expect, it } from 'vitest';
import type { FeedbackType } from '../../../../schema/index.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { trusting } from '../../core/shell/approvals.ts';
import { call, draft, plan, writeTool } from '../../core/shell/scripted.ts';
import { begin, foreign, outerOf, questionOf, type Remote } from './outer.ts';
import { stage } from './stage.ts';

/** A process that ended while its remote agent asked, and the process after it. */
const restarted = async (url: string, remote: Remote = {}) => {
  const database = memoryDatabase();
  const open = (model: readonly unknown[]) =>
    outerOf(url, remote, { model, options: { store: database.connect() } });
  const first = await open([plan([call('remote', { room: 7 })])]);
  const asking = questionOf(first.orchestrator);
  const { taskId } = await begin(first.orchestrator);
  const { message } = await asking;
  await first.orchestrator.close();
  const { orchestrator } = await open([draft()]);
  await orchestrator.recover();
  const next = Promise.race([orchestrator.settled(taskId), questionOf(orchestrator)]);
  const answer = (type: FeedbackType, content?: string) =>
    orchestrator.respond(
      { type, target: message.messageId, ...(content !== undefined && { content }) },
      { by: 'dana' },
    );
  return { orchestrator, taskId, message, next, answer };
};

describe('A restart while a remote agent asks', () => {
  it('lets the next process answer once without asking again', async () => {
    const inner = await stage({ model: [plan([], { confidence: 0.1 }), draft({ found: 3 })] });
    const { next, answer } = await restarted(inner.url);
    await answer('approve');
    expect(await next).toMatchObject({ outcome: 'success' });
    const [remote, ...others] = await inner.orchestrator.list();
    expect(others).toEqual([]);
    const theirs = await inner.orchestrator.ledger(remote?.taskId ?? '');
    expect(theirs.filter(({ brought }) => brought.feedback !== undefined)).toHaveLength(1);
  });

  it('lets the next process fetch a signed approval for the question that was shown', async () => {
    const effects: unknown[] = [];
    const tool = writeTool('wire', { tier: 'write_high_risk', call: (input) => effects.push(input) });
    const inner = await stage({
      options: { tools: [tool], approvals: trusting },
      model: [plan([call('wire', { amount: 9 })]), draft()],
    });
    const signed: unknown[] = [];
    const approval: Remote['approval'] = async (asked) => {
      signed.push(asked);
      return 'kim';
    };
    const { orchestrator, taskId, message, next, answer } = await restarted(inner.url, { approval });
    await answer('approve');
    expect(await next).toMatchObject({ outcome: 'success' });
    expect(signed).toEqual([message.payload['message']]);
    expect(effects).toEqual([{ amount: 9 }]);
    expect(JSON.stringify(await orchestrator.ledger(taskId))).not.toContain('"kim"');
  });

  it.each([['read_only'], ['write_low_risk']] as const)(
    'keeps a plain-text question of a %s without listing tasks',
    async (tier) => {
      const store = new InMemoryTaskStore();
      store.list = () => Promise.reject(new Error('it lists nothing'));
      const { url, heard } = await foreign('ask', store);
      const { next, answer } = await restarted(url, { tier });
      await answer('instruction', 'The blue one.');
      expect(await next).toMatchObject({ outcome: 'success' });
      expect(heard).toEqual([expect.any(String), 'The blue one.']);
    },
  );

  it('asks again when the question changed under the same id', async () => {
    const { url, heard, store } = await foreign('ask', new InMemoryTaskStore(() => 'everybody'));
    const { message, next, answer } = await restarted(url);
    const context = new ServerCallContext();
    const task = await store.load(String(message.payload['taskId']), context);
    const statusMessage = task?.status?.message;
    if (task?.status === undefined || statusMessage === undefined)
      throw new TypeError('there is no such task');
    const parts = statusMessage.parts.map((part) => ({
      ...part,
      content: { $case: 'text' as const, value: 'Delete everything?' },
    }));
    await store.save({ ...task, status: { ...task.status, message: { ...statusMessage, parts } } }, context);
    await answer('approve');
    expect(await next).toMatchObject({ message: { explanation: 'remote asks: Delete everything?' } });
    expect(heard).toHaveLength(1);
  });
});
