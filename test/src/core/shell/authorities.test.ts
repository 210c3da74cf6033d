import { describe, expect, it } from 'vitest';
import type { Approvals } from '../../../../src/index.ts';
import { trusting } from './approvals.ts';
import { machine } from './restarts.ts';
import { call, draft, plan, writeTool } from './scripted.ts';

const tools = [writeTool('wipe', { tier: 'write_high_risk' })];
const model = [plan([call('wipe')]), draft()];
type With = { readonly approvals?: Approvals };

/** A task begins in one process and is answered in another; each may verify signed approvals. */
const moved = async (begins: With & { readonly role?: 'guest' }, answers: With) => {
  const site = machine();
  const first = site.start({ model, tools, options: begins });
  const taskId = await first.submit();
  if (begins.role === undefined) {
    await first.question();
    await first.crash();
  }
  const owner = site.start({ model, tools, options: answers });
  await owner.recover();
  await owner.question();
  return { ...site, owner, taskId };
};

const tighter = async ({ factsOf, taskId }: Awaited<ReturnType<typeof moved>>): Promise<boolean> =>
  (await factsOf(taskId)).includes('taskClass.changed');

const signed = { approvals: trusting };
const plainly = 'takes signed approvals only';

describe('A task class that names no authorities', () => {
  it.each<[string, Parameters<typeof moved>[0], With]>([
    ['a person approves where no approvals are configured', {}, {}],
    ['a task keeps the person that it recorded when approvals are configured later', {}, signed],
    ['a guest leaves the choice to an owner without approvals', { role: 'guest' }, {}],
  ])('%s', async (_, begins, answers) => {
    const site = await moved(begins, answers);
    await site.owner.answer('approve');
    expect(await site.owner.orchestrator.settled(site.taskId)).toMatchObject({ outcome: 'success' });
    expect(await tighter(site)).toBe(false);
  });

  it.each<[string, Parameters<typeof moved>[0], With, boolean]>([
    ['takes signed approvals only where they are configured', signed, signed, false],
    ['takes signed approvals only of a task whose class recorded so', signed, {}, false],
    [
      'takes signed approvals only of a task that a guest submitted without any',
      { role: 'guest' },
      signed,
      true,
    ],
  ])('%s', async (_, begins, answers, isTighter) => {
    const site = await moved(begins, answers);
    await expect(site.owner.answer('approve')).rejects.toMatchObject({
      code: 'feedback_refused',
      message: expect.stringContaining(plainly),
    });
    expect(await tighter(site)).toBe(isTighter);
  });
});
