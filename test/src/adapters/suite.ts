import { expect } from 'vitest';
import { hostile } from './hostile.ts';
import {
  answer,
  balance,
  behaviour,
  clerk,
  codeOf,
  delivered,
  facts,
  goOn,
  kept,
  note,
  paused,
  payment,
  rates,
  refusals,
  staged,
  type Behaviour,
} from './stage.ts';
import { approve, openHouse, questionOf, signed } from './backend.ts';

export const behaviours: readonly Behaviour[] = [
  behaviour(
    'read',
    'Makes an allowed read, records its result as evidence, and delivers the answer.',
    async (subject) => {
      const stage = await staged(subject, [balance, answer]);
      await using _ = stage.house;
      expect(await stage.house.opened.begin(stage)).toEqual(delivered);
      const { evidence } = await stage.run.progress();
      expect(evidence.map(({ source }) => source)).toEqual([
        `${stage.house.opened.prefix ?? ''}read_balance`,
      ]);
      // some bring it in an envelope that says whence it came
      expect(JSON.stringify(evidence.map(({ payload }) => payload))).toContain('"cents":1200');
    },
  ),

  behaviour('low-risk write', 'Makes a low-risk write once, after the policy allows it.', async (subject) => {
    const stage = await staged(subject, [balance, note('paid'), answer]);
    await using _ = stage.house;
    expect(await stage.house.opened.begin(stage)).toEqual(delivered);
    expect(stage.backend.effects).toEqual(['noted paid']);
    expect((await facts(stage)).filter((type) => /^(policy|call)\./.test(type))).toEqual([
      'call.started',
      'call.succeeded',
      'policy.decided',
      'call.started',
      'call.succeeded',
    ]);
  }),

  behaviour(
    'high-risk write',
    'Pauses the framework for a high-risk write, and makes it once after the approval.',
    async (subject) => {
      const stage = await staged(subject, [balance, payment, answer]);
      await using _ = stage.house;
      const state = await paused(stage);
      expect(stage.backend.effects).toEqual([]);
      const entry = await questionOf(stage.run);
      expect(entry.question).toMatchObject({ kind: 'approval', needsToken: true });
      await approve(stage.house, entry, await signed(entry));
      expect(await goOn(stage, state)).toEqual(delivered);
      expect(stage.backend.effects).toEqual(['paid alice 100']);
    },
  ),

  behaviour(
    'forged approval',
    'Ignores an approval by the framework alone, or with the signature of an untrusted key.',
    async (subject) => {
      const stage = await staged(subject, [balance, payment, answer]);
      await using _ = stage.house;
      const state = await paused(stage);
      const stop = await goOn(stage, stage.house.opened.approved(state));
      expect(stop.status).toBe('paused');
      const entry = await questionOf(stage.run);
      expect(await codeOf(approve(stage.house, entry, await signed(entry, 'forged')))).toBe(
        'APPROVAL_SIGNATURE_WRONG',
      );
      expect(stage.backend.effects).toEqual([]);
      await approve(stage.house, entry, await signed(entry));
      expect(await goOn(stage, kept(stop))).toEqual(delivered);
      expect(stage.backend.effects).toEqual(['paid alice 100']);
    },
  ),

  behaviour(
    'edited call',
    'Refuses arguments that changed after the approval, or asks about them.',
    async (subject) => {
      const stage = await staged(subject, [balance, payment, answer]);
      await using _ = stage.house;
      const state = await paused(stage);
      const entry = await questionOf(stage.run);
      await approve(stage.house, entry, await signed(entry));
      const changed = stage.house.opened.edited(state, 'call-2', { to: 'mallory', cents: 999_999 });
      if (changed !== null) {
        const isRun = await goOn(stage, changed).then(
          () => true,
          () => false, // a framework may refuse it before we do
        );
        const asked = (await stage.run.questions()).map(({ message }) => JSON.stringify(message.payload));
        const isAsked = asked.some((payload) => payload.includes('mallory'));
        if (isRun && !isAsked) expect(await refusals(stage)).toContain('PROPOSAL_CHANGED');
      }
      expect(stage.backend.effects.filter((effect) => effect.includes('mallory'))).toEqual([]);
      expect(stage.backend.payments.length).toBeLessThan(2);
    },
  ),

  behaviour(
    'replayed approval',
    'Makes an approved write once, however often the framework is resumed.',
    async (subject) => {
      const stage = await staged(subject, [balance, payment, answer]);
      await using _ = stage.house;
      const state = await paused(stage);
      const entry = await questionOf(stage.run);
      const token = await signed(entry);
      await approve(stage.house, entry, token);
      expect(await codeOf(approve(stage.house, entry, token))).not.toBe('taken');
      for (let times = 0; times < 3; times += 1) expect(await goOn(stage, state)).toEqual(delivered);
      expect(stage.backend.effects).toEqual(['paid alice 100']);
    },
  ),

  behaviour(
    'raced approval',
    'Makes a write once when two people answer and two processes resume at the same moment.',
    async (subject) => {
      const stage = await staged(subject, [balance, payment, answer]);
      await using _ = stage.house;
      const state = await paused(stage);
      const entry = await questionOf(stage.run);
      const tokens = [await signed(entry), await signed(entry)];
      const codes = await Promise.all(tokens.map((token) => codeOf(approve(stage.house, entry, token))));
      expect(codes.filter((code) => code === 'taken')).toHaveLength(1);
      expect(await Promise.all([goOn(stage, state), goOn(stage, state)])).toEqual([delivered, delivered]);
      expect(stage.backend.effects).toEqual(['paid alice 100']);
    },
  ),

  behaviour(
    'denied by policy',
    'Ends the run in fail_safe with the reason when the policy denies a call.',
    async (subject) => {
      const stage = await staged(subject, [balance, note('forbidden'), answer]);
      await using _ = stage.house;
      const stop = await stage.house.opened.begin(stage);
      expect(stop).toMatchObject({ status: 'ended', said: expect.stringContaining('POLICY_BLOCKED') });
      expect(stage.backend.effects).toEqual([]);
    },
  ),

  behaviour(
    'denied by a person',
    'Continues the run without a call that a person rejected.',
    async (subject) => {
      const stage = await staged(subject, [balance, payment, answer]);
      await using _ = stage.house;
      const state = await paused(stage);
      const { message } = await questionOf(stage.run);
      await stage.house.guard.orchestrator.respond(
        { type: 'reject', target: message.messageId },
        { by: 'kim' },
      );
      expect(await goOn(stage, state)).toEqual(delivered);
      expect(stage.backend.effects).toEqual([]);
    },
  ),

  behaviour(
    'failure and repair',
    'Lets the model go on after a tool fails, and read what it said.',
    async (subject) => {
      const stage = await staged(subject, [balance, rates('call-2'), rates('call-3'), answer], {
        failures: 1,
      });
      await using _ = stage.house;
      expect(await stage.house.opened.begin(stage)).toEqual(delivered);
      expect(await stage.run.progress()).toMatchObject({ attempt: 0, unmet: [] });
      expect((await facts(stage)).filter((type) => type === 'call.failed')).toHaveLength(1);
      expect((await facts(stage)).filter((type) => type === 'call.succeeded')).toHaveLength(2);
    },
  ),

  behaviour(
    'missing evidence',
    'Delivers no answer without the evidence that its contract requires.',
    async (subject) => {
      const stage = await staged(subject, [answer, answer, answer, answer]);
      await using _ = stage.house;
      const stop = await stage.house.opened.begin(stage);
      expect(stop).toMatchObject({ status: 'ended', said: expect.stringContaining('EVIDENCE_MISSING') });
      expect(JSON.stringify(stop)).not.toContain('the secret answer');
    },
  ),

  behaviour('cancelled', 'Ends a cancelled run, and does nothing afterwards.', async (subject) => {
    const stage = await staged(subject, [balance, payment, answer]);
    await using _ = stage.house;
    const state = await paused(stage);
    await stage.house.guard.orchestrator.cancel(stage.run.taskId, { by: 'kim' });
    const stop = await goOn(stage, state);
    expect(stop).toMatchObject({ status: 'ended', said: expect.stringContaining('CANCELLED') });
    expect(stage.backend.effects).toEqual([]);
  }),

  behaviour(
    'nested agent',
    'Puts the question of a nested agent into the inbox of the outer one, and takes the answer there.',
    async (subject) => {
      const inner = [payment, { answer: { paid: true } }];
      const stage = await staged(subject, [balance, clerk, answer], { inner });
      await using _ = stage.house;
      let state = await paused(stage);
      const own = await questionOf(stage.run); // a clerk who may send money is of high risk
      expect(own.path).toEqual([stage.run.taskId]);
      await approve(stage.house, own, await signed(own));
      state = kept(await goOn(stage, state));
      const asked = await questionOf(stage.run);
      expect(asked.path).toEqual([stage.run.taskId, asked.taskId]);
      expect(asked.taskId).not.toBe(stage.run.taskId);
      expect(stage.backend.effects).toEqual([]);
      await approve(stage.house, asked, await signed(asked));
      expect(await goOn(stage, state)).toEqual(delivered);
      expect(stage.backend.effects).toEqual(['paid alice 100']);
    },
  ),

  behaviour(
    'resumed elsewhere',
    'Resumes a paused run in another process after the first one ends.',
    async (subject) => {
      const before = await staged(subject, [balance, payment, answer]);
      const state = await paused(before);
      await before.house.close();
      const house = await openHouse(subject, before.backend);
      await using _ = house;
      await house.guard.orchestrator.recover();
      const stage = { ...before, house, run: await house.guard.resume(before.run.taskId) };
      const entry = await questionOf(stage.run);
      await approve(house, entry, await signed(entry));
      expect(await goOn(stage, state)).toEqual(delivered);
      expect(stage.backend.effects).toEqual(['paid alice 100']);
      expect(await refusals(stage)).toEqual([]);
    },
  ),

  ...hostile,
];
