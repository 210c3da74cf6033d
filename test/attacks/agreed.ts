import { expect } from 'vitest';
import type { Policy } from '../../src/index.ts';
import type { Stop } from './attack.ts';
import { signed } from './bank.ts';
import { branch, type Branch, type Process, type Writing } from './branch.ts';

export const day = 86_400_000;

/** A policy that wants a person to look at every write, by a version of its own. */
export const looked = (version?: string): Policy => ({
  ...(version !== undefined && { version }),
  decide: () => ({ verdict: 'needs_review', reasons: [] }),
});

/** What each process is begun with: a person's word counts, and nothing is planned again. */
const usual = (given: Writing): Writing => ({
  ...given,
  taskClass: {
    ...(given.isApproved !== true && { authorities: ['human'] }),
    ...given.taskClass,
    limits: { repairs: 0, ...given.taskClass?.limits },
  },
  options: { policy: looked('rules-7'), ...given.options },
});

/** Another process, with other options than the one before. */
export const differently = (begun: Writing, changed: Writing): Writing => ({
  ...begun,
  ...changed,
  write: { ...begun.write, ...changed.write },
  taskClass: { ...begun.taskClass, ...changed.taskClass },
  options: { ...begun.options, ...changed.options },
});

const approve = async (one: Process, isApproved: boolean): Promise<void> => {
  const asked = await one.question();
  expect(asked.question.kind).toBe('approval');
  if (isApproved)
    await one.bring(await signed(one, { exp: Math.floor(one.clock.now() / 1_000) + 600_000 }), asked);
  else await one.answer('approve');
};

export interface Agreed {
  readonly site: Branch;
  readonly taskId: string;
  /** The write is taken up by a process that starts. */
  readonly takeUp: (changed?: Writing) => Promise<Process>;
}

/** A write that a person approved while no process was there to make it, days ago. */
export const agreed = async (begun: Writing = {}): Promise<Agreed> => {
  const site = branch();
  const owner = site.start(usual(begun));
  const taskId = await owner.submit();
  await owner.crash();
  const guest = site.start(usual(differently(begun, { options: { role: 'guest' } })));
  await approve(guest, begun.isApproved === true);
  await guest.crash();
  expect(site.done).toEqual([]);
  expect((await site.factsOf(taskId)).at(-1)).toMatch(/^(?:human\.responded|approval\.granted)$/);
  site.clock.leap(2 * day);
  const takeUp = async (changed: Writing = {}): Promise<Process> => {
    const next = site.start(usual(differently(begun, changed)));
    await next.recover();
    await site.quiet();
    return next;
  };
  return { site, taskId, takeUp };
};

/** In a world that did not change, the same write is made, once. */
export const expectMade = async (begun: Writing = {}, unchanged: Writing = {}): Promise<void> => {
  const { site, taskId, takeUp } = await agreed(begun);
  const next = await takeUp(unchanged);
  expect(await next.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  expect(site.done).toHaveLength(1);
};

/** Why a clearance lapsed, as the ledger has it. */
export const lapseOf = async (
  { recordsOf }: Pick<Branch, 'recordsOf'>,
  taskId: string,
): Promise<Stop | undefined> => {
  const fact = (await recordsOf(taskId)).find((record) => record.fact?.type === 'call.refused')?.fact;
  return fact?.type === 'call.refused' ? fact.code : undefined;
};

/** No intent is on record, and nothing was done. */
export const expectNotMade = async ({ site, taskId }: Agreed): Promise<void> => {
  expect(site.done).toEqual([]);
  expect(await site.factsOf(taskId)).not.toContain('call.started');
};
