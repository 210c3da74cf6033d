import { defineTaskClass, type InboxEntry, type Model } from 'agentcharter';
import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../../src/core/orchestrator.ts';
import { rehydrate } from '../../../../src/core/shell/rehydrate.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { noting } from './noting.ts';
import { call, draft, further, identity, never, plan, readTool } from './scripted.ts';

// A class that is stricter after a restart makes both the plan and the further calls uncertain.

const open = (
  store: ReturnType<ReturnType<typeof memoryDatabase>['connect']>,
  threshold: number,
  model: Model['answer'],
  moments: string[] = [],
) =>
  createOrchestrator({
    telemetry: noting(moments),
    taskClasses: [defineTaskClass({ id: 'work', tools: ['read', 'open'], threshold, mandate: 'plan' })],
    tools: [readTool('read'), readTool('open')],
    model: { answer: model },
    store,
  });

/** A task with a plan and further calls that a person must confirm. */
const uncertain = async (first: object, more: object) => {
  const database = memoryDatabase();
  const before = open(database.connect(), 0.5, async ({ asks }, { signal }) =>
    asks === 'plan' ? first : never(signal),
  );
  const { taskId } = await before.submit({ taskClass: 'work', payload: {}, identity });
  await expect
    .poll(async () => (await before.ledger(taskId)).at(-1)?.to)
    .toBe('submitted.execute.concluding');
  await before.close();
  let turns = 0;
  const moments: string[] = [];
  const goOn = async () => {
    turns += 1;
    return turns === 1 ? more : draft({ done: true }, { confidence: 1 });
  };
  const after = open(database.connect(), 0.95, goOn, moments);
  onTestFinished(() => after.close());
  await after.recover();
  const inbox = async (): Promise<readonly InboxEntry[]> => {
    await expect.poll(() => after.inbox()).not.toEqual([]);
    return after.inbox();
  };
  const answer = async (type: 'approve' | 'edit', to: InboxEntry | undefined, content?: object) =>
    after.respond({ type, target: to?.message.messageId ?? '', ...(content && { content }) } as never, {
      by: 'dana',
    });
  const mandated = async (): Promise<readonly string[]> => {
    const stored = await database.connect().load(taskId);
    return (await rehydrate(stored!)).projection.provenance.mandated;
  };
  return { after, taskId, inbox, answer, mandated, moments };
};

const toolsIn = ({ message: { payload } }: InboxEntry): unknown =>
  (payload as { calls: readonly { tool: string }[] }).calls.map(({ tool }) => tool);

it('shows in each question the calls that it is about', async () => {
  const { inbox } = await uncertain(plan([call('read')]), further(call('open')));
  expect((await inbox()).map(toolsIn)).toEqual([['read'], ['open']]);
});

it('replaces the plan, and not the further calls, by an edit of the plan', async () => {
  const { after, taskId, inbox, answer } = await uncertain(plan([call('read')]), further(call('open')));
  await answer('edit', (await inbox())[0], { diff: { explanation: 'Read it again.' } });
  expect(await after.settled(taskId)).toMatchObject({ outcome: 'success' });
  const records = await after.ledger(taskId);
  const edited = records.find(({ fact }) => fact?.type === 'human.responded');
  expect(edited?.brought.calls?.map(({ tool }) => tool)).toEqual(['read']);
  const begun = records.flatMap(({ fact }) => (fact?.type === 'call.started' ? [fact.call] : []));
  expect(begun).toHaveLength(2);
});

it('fixes the mandate anew by an edit of the plan, and not by one of the further calls', async () => {
  const both = plan([call('read'), call('open')]);
  const first = await uncertain(both, further(call('open')));
  await first.answer('edit', (await first.inbox())[0], { diff: { payload: { calls: [call('open')] } } });
  await first.after.settled(first.taskId);
  expect(await first.mandated()).toEqual(['open']);
  const second = await uncertain(both, further(call('open')));
  const [asked, more] = await second.inbox();
  await second.answer('edit', more, { diff: { explanation: 'Do.' } });
  await second.answer('approve', asked);
  await second.after.settled(second.taskId);
  expect(await second.mandated()).toEqual(['read', 'open']);
});

it('takes one approval for a plan and for further calls that read like it', async () => {
  const same = plan([call('read')]);
  const { after, taskId, inbox, answer } = await uncertain(same, same);
  const asked = await inbox();
  expect(asked.map(toolsIn)).toEqual([['read']]);
  await answer('approve', asked[0]);
  expect(await after.settled(taskId)).toMatchObject({ outcome: 'success' });
});

it('asks about the plan in a message of its own once further calls that read like it are edited', async () => {
  const same = plan([call('read')]);
  const { after, taskId, inbox, answer, moments } = await uncertain(same, same);
  const [first] = await inbox();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const edit = { diff: { explanation: 'Read it again.' } };
  const both = await Promise.allSettled([answer('edit', first, edit), answer('edit', first, edit)]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await expect(answer('edit', first, edit)).rejects.toMatchObject({ code: 'feedback_refused' });
  const [second] = await inbox();
  expect(second?.message.messageId).not.toBe(first?.message.messageId);
  expect(second?.question.about).toBe(first?.question.about);
  expect(Date.parse(second?.question.deadline ?? '')).toBeGreaterThan(
    Date.parse(first?.question.deadline ?? ''),
  );
  await answer('approve', second);
  expect(await after.settled(taskId)).toMatchObject({ outcome: 'success' });
  expect(moments).toEqual(['plan asked', 'plan edit', 'plan asked', 'plan approve']);
});
