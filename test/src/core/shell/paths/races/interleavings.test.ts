import { hash } from 'node:crypto';
import type { Approvals, Store } from 'agentcharter';
import type { Step } from 'agentcharter/stores';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../machines/generated.ts';
import { checkEffects, checkEnd, checkLedger, checkSpending, checkWaiting, checkWinners } from './laws.ts';
import { scheduleOf, sound, stories, type Parts, type Story } from './parts.ts';
import { Race } from './race.ts';
import { share } from '../../../../../share.ts';

const { seed } = runs();
const numRuns = Number(process.env['FC_RUNS'] ?? share(300, 100));

interface Tally {
  readonly schedules: Set<string>;
  readonly kinds: Map<string, number>;
  won: number;
  lost: number;
  audited: number;
}
const nothing = (): Tally => ({ schedules: new Set(), kinds: new Map(), won: 0, lost: 0, audited: 0 });

const note = (tally: Tally, race: Race, schedule: string): void => {
  tally.schedules.add(hash('sha1', JSON.stringify(race.story) + schedule, 'base64'));
  tally.audited += race.story.isAudited ? 1 : 0;
  for (const { kind, fact } of race.records) {
    const what = `${kind} ${fact?.type ?? ''}`;
    tally.kinds.set(what, (tally.kinds.get(what) ?? 0) + 1);
  }
};

/** Checks every law for random events in random order. */
const holds = (drawn: fc.Arbitrary<Story>, parts: Parts, tally: Tally) =>
  fc.asyncProperty(fc.scheduler(), drawn, async (scheduler, story) => {
    const race = new Race(story, scheduler, parts);
    await race.run();
    await checkWaiting(race);
    await race.exhaust();
    checkSpending(race); // before the ledger, which says so too where it is audited
    await checkLedger(race);
    checkEffects(race);
    await checkEnd(race);
    const { won, lost } = checkWinners(race);
    tally.won += won;
    tally.lost += lost;
    note(tally, race, scheduleOf(scheduler));
  });

describe('simultaneous facts in any order', () => {
  it('leave the task settled or waiting, perform nothing twice or uncleared, accept one of two answers, and are recorded', async () => {
    const tally = nothing();
    const began = performance.now();
    await fc.assert(holds(stories, sound, tally), { numRuns, seed });
    const { schedules, kinds, won, lost, audited } = tally;
    const pace = Math.round((numRuns * 1_000) / (performance.now() - began));
    console.log(
      `interleavings: seed ${seed}, ${numRuns} runs, ${schedules.size} distinct, ${audited} ledgers replayed; ` +
        `${won} answers won, ${lost} lost; ${kinds.size} kinds of records; ${pace} runs/s`,
    );
    expect(schedules.size).toBeGreaterThan(Math.min(numRuns * 0.9, 5_000));
    expect(audited).toBeGreaterThan(numRuns / 20);
    expect(Math.min(won, lost)).toBeGreaterThan(numRuns);
    expect(kinds.size).toBeGreaterThan(22);
  });
});

/** Two writes, with one token for both. */
const greedy = stories.map((story): Story => ({
  ...story,
  writes: 2,
  oneToken: true,
  kim: 'token',
  lee: 'token',
  behaviors: [],
}));

/** A store without compare-and-swap, which sometimes reports a failure after it wrote. */
const withoutCompareAndSwap = (store: Store): Store => {
  const steps: Step[] = [];
  return {
    ...store,
    commit: async (step) => {
      steps.push(step);
      if (steps.length === 5) throw new Error('the answer was lost');
      return 'ok';
    },
    load: async () => {
      const last = steps.at(-1);
      return (
        last && {
          ...last,
          snapshot: steps.findLast(({ snapshot }) => snapshot !== null)?.snapshot ?? '',
          records: steps.map(({ record }) => record),
          emissions: steps.flatMap(({ emissions }) => emissions),
        }
      );
    },
    taskIndex: async () => steps.slice(-1).map(({ indexEntry }) => indexEntry),
  };
};

const forgetful = (store: Store): Store => ({
  ...store,
  commit: (step) => store.commit({ ...step, consumedApprovals: [] }),
});

/** Gives an approval another id for each action, so that none counts as used. */
const renaming = (approvals: Approvals): Approvals => ({
  verify: async (token, claims, now) => {
    const grant = await approvals.verify(token, claims, now);
    return 'jti' in grant ? { ...grant, jti: `${grant.jti}-${claims.action_digest.slice(7, 23)}` } : grant;
  },
});

describe('the race checker', () => {
  it('reports no fault for eager facts alone', async () => {
    const tally = nothing();
    await fc.assert(holds(greedy, sound, tally), { numRuns: 50, seed });
    expect(tally.kinds.get('fact call.refused')).toBeGreaterThan(5);
  });

  it.each<[string, fc.Arbitrary<Story>, Partial<Parts>, RegExp]>([
    [
      'a store without compare-and-swap',
      stories,
      { store: withoutCompareAndSwap },
      /the ledger has no gap, and nothing twice|a loser gets a typed error/,
    ],
    ['a store that forgets used approvals', greedy, { store: forgetful }, /a token serves one action/],
    ['approvals that forget used ids', greedy, { approvals: renaming }, /a token serves one action/],
  ])('finds a planted fault: %s', async (_, drawn, parts, law) => {
    const property = holds(drawn, { ...sound, ...parts }, nothing());
    const { failed, errorInstance } = await fc.check(property, { numRuns: 200, seed, endOnFailure: true });
    expect(failed).toBe(true);
    expect(String(errorInstance)).toMatch(law);
  });
});
