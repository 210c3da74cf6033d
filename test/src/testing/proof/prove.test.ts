import type { taskMachine } from 'agentcharter/machines';
import {
  everyRunEnds,
  inEveryState,
  prove,
  type PromisedRequirements,
  type Promises,
  type ProofOptions,
} from 'agentcharter/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { classOf, finds, found, refusalOf, tools } from './payments.ts';

describe('prove', () => {
  it('says what it proved, in which worlds, how long it took and what it does not cover', () => {
    const taskClass = classOf(
      {
        approvers: 2,
        beforeWrite: { ...finds, verifiers: ['amount'] },
        beforeDeliver: { verifiers: ['facts'] },
        limits: { repairs: 2 },
      },
      ['find', 'pay', 'refund'],
    );
    const proof = prove(taskClass, { tools, promises: { approvers: 2 } });
    const { milliseconds, states, steps, worlds, rules, promises, uncovered } = proof;
    expect(worlds.reduce((sum, world) => sum + world.states, 0)).toBe(states);
    expect(steps).toBeGreaterThan(states);
    expect(milliseconds).toBeGreaterThan(0);
    expect(rules.length).toBeGreaterThan(60);
    expect(Math.max(...[...promises, ...rules].map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(uncovered.some((line) => line.includes('the code of policies'))).toBe(true);
    expect(proof.report.replace(/\(\d+\.\d s\)/, '(1.0 s)')).toMatchInlineSnapshot(`
      "Task class payments keeps what it promises, in 5,836 states of 6 worlds (1.0 s).

      Proved:
      - 2 different people approve every high-risk write before it begins
      - find succeeds before a write begins
      - the verifier amount passes before a write begins
      - the verifier facts passes before an answer is delivered
      - pay can be called
      - an answer can be delivered
      - 81 rules of every task class

      In these worlds:
      - the answer: what the model, a person and the clock do to it (776 states)
      - pay: who approves, edits or rejects it, and what lapses (1,520 states)
      - pay: what fails, is late or is in doubt (885 states)
      - pay: evidence that grows too old (428 states)
      - pay: another attempt, with it or without it (706 states)
      - pay and refund: one after the other (1,521 states)

      Not covered:
      - the code of policies, tools and verifiers: each gives any answer that it may give (test them by scenarios)
      - the content of arguments, results and answers: one case for each that a rule distinguishes
      - a plan with more than two writes
      - counts above these: repairs 1 of 2, rounds 2 of 32, revisions 1 of 3, corrections 1 of 2, refreshes 1 of 2, pauses 2 of 64, clearances 1 of 8, recoveries 1 of 3
      - refund: only pay was explored; they have the same rules"
    `);
  });

  it('finds one approver where the author promises two, by a shortest run in sentences', () => {
    expect(refusalOf({ approvers: 1, beforeWrite: finds }, { approvers: 2 })).toMatchInlineSnapshot(`
      "Task class payments does not keep this: 2 different people approve every high-risk write before it begins.

      The shortest run that shows it:
        1. the request is accepted
        2. the model plans find, pay
        3. Ann approves pay
        4. find begins
        5. find succeeds
        6. the policy allows pay
        7. pay begins"
    `);
  });

  it('finds a tool that can never be called, and an answer that can never be delivered', () => {
    expect(refusalOf({ authorities: [] })).toMatchInlineSnapshot(
      `
      "Task class payments does not keep this: pay can be called.

      A run that gets no further:
        1. the request is accepted
        2. the model plans pay
        3. the policy allows pay
        4. a person is asked about pay"
    `,
    );
    expect(refusalOf({ limits: { modelCalls: 1 } }, {}, ['find'])).toMatchInlineSnapshot(`
      "Task class payments does not keep this: an answer can be delivered.

      A run that gets no further:
        1. the request is accepted
        2. the model plans find
        3. find begins
        4. find succeeds
        5. the task ends: BUDGET_SPENT modelCalls"
    `);
  });

  it('checks properties of your own', () => {
    const isNeverFailed = inEveryState<typeof taskMachine>(
      'no task fails',
      ({ context }) => context.outcome !== 'failed',
    );
    const ends = everyRunEnds<typeof taskMachine>('every run ends', () => true);
    expect(prove(classOf({}, ['find']), { tools, properties: [ends] }).promises).toContain('every run ends');
    expect(() => prove(classOf(), { tools, properties: [isNeverFailed] })).toThrow('no task fails');
  });

  it('names what it could not explore, and refuses to prove nothing', () => {
    const taskClass = classOf({ approvers: 2, beforeWrite: finds });
    const all = prove(taskClass, { tools });
    const most = Math.max(...all.worlds.map(({ states }) => states));
    const fewer = prove(taskClass, { tools, limit: most - 1 });
    expect(fewer.worlds.length).toBeLessThan(all.worlds.length);
    expect(fewer.uncovered.join('\n')).toContain(`it has more than ${most - 1} states`);
    expect(() => prove(taskClass, { tools, limit: 10 })).toThrow('each world has more than 10 states');
  });

  it('says which tool a write stands for', () => {
    const { uncovered } = prove(classOf({}, ['pay', 'refund']), { tools });
    expect(uncovered).toContain('refund: only pay was explored; they have the same rules');
  });

  describe('with tools that say what their arguments may come from', () => {
    const flows = { '/to': { integrity: 'trusted' } } as const;
    const wire = tools.map((tool) => ({ ...tool, flows }));
    const asks = 'a person endorses a call whose origins or tool are not accepted before it starts';
    const refuses = 'a call whose origins or tool are not accepted never starts';
    const endorsed = 'a person can endorse a call of pay whose origins or tool are not accepted';

    it('proves that no call which is held starts before a person endorses it', () => {
      const { worlds, uncovered, rules, promises } = prove(classOf(), { tools: wire });
      expect(worlds.map(({ name }) => name)).toContain('pay: values or a tool that its run does not accept');
      expect(uncovered.join('\n')).toMatch(/which calls of .*pay.* are held: .* outside of the chart/);
      expect(rules).toContain('no call starts whose origins were neither accepted nor endorsed by a person');
      expect(promises).toEqual(expect.arrayContaining([asks, 'pay can be called', endorsed]));
    });

    it('proves that none starts where the task class refuses them', () => {
      const { promises } = prove(classOf({ flows: 'refuse' }), { tools: wire });
      expect(promises).toEqual(expect.arrayContaining([refuses, 'pay can be called']));
      expect(promises).not.toContain(endorsed);
    });

    it('tries a read that is held, which is gated like a write', () => {
      const { worlds, uncovered } = prove(classOf({}, ['find', 'pay']), { tools: wire });
      expect(worlds.map(({ name }) => name)).toContain('find: values or a tool that its run does not accept');
      expect(uncovered.join('\n')).not.toContain('only find was explored');
    });

    it('says nothing of origins where no tool and no mandate do', () => {
      const { promises, uncovered } = prove(classOf(), { tools });
      expect([...promises, ...uncovered].join('\n')).not.toContain('origins');
    });

    it('finds a call that no person may endorse', () => {
      expect(() => prove(classOf({ authorities: ['system'] }), { tools: wire })).toThrow(
        `does not keep this: ${endorsed}`,
      );
    });
  });

  it('tries evidence that is about the write, and evidence that is about another', () => {
    const about = { evidence: '/order', action: '/order' };
    const beforeWrite = {
      evidence: [{ ...found, where: z.object({ order: z.string() }), about }],
    };
    const { promises } = prove(classOf({ beforeWrite }), { tools });
    expect(promises).toContain('pay can be called');
    expect(promises.some((promise) => /^find \(.*\) succeeds before a write begins$/.test(promise))).toBe(
      true,
    );
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'a tool that the class does not have',
      () => prove(classOf(), { tools, promises: { approved: ['pya'] } }),
      /unknown tool "pya".*did you mean "?pay/is,
    ],
    [
      'a promise that there is not',
      () => prove(classOf(), { tools, promises: { aproved: ['pay'] } as object }),
      /unknown promise "aproved".*approved/s,
    ],
    [
      'an option that there is not',
      () => prove(classOf(), { tools, promise: {} } as never),
      /unknown option "promise"/,
    ],
    [
      'a requirement that there is not',
      () => prove(classOf(), { tools, promises: { beforeWrite: { verifier: ['facts'] } as object } }),
      /unknown requirement "verifier".*verifiers/s,
    ],
    ['a list of task classes', () => prove([classOf()] as never, { tools }), /expected one task class/],
    ['no tools', () => prove(classOf(), {} as never), /`tools`/],
  ])('refuses %s', (_, attempt, words) => expect(attempt).toThrow(words));

  it('accepts every promise and requirement of the types', () => {
    const requirements = { tools: [], verifiers: [] } satisfies Required<PromisedRequirements>;
    const promises = {
      approvers: 1,
      approved: [],
      uncalled: [],
      beforeWrite: requirements,
      beforeDeliver: requirements,
    } satisfies Required<Promises>;
    const options = { tools, promises, properties: [], limit: 20_000 } satisfies Required<ProofOptions>;
    expect(() => prove(classOf(), options)).not.toThrow();
  });

  it('names the tool that is missing', () => {
    const taskClass = classOf({}, ['fnid']);
    expect(() => prove(taskClass, { tools })).toThrow(
      'prove: task class payments names the tool "fnid", which is not in `tools`. Did you mean "find"?',
    );
  });
});
