import { describe, expect, it } from 'vitest';
import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool, type Guard } from 'agentcharter/guard';
import { z } from 'zod';
import { identity } from './bank.ts';

const rollback = { describe: () => ({ type: 'undo', target: 'shop', payload: {} }), run: async () => ({}) };

/** A shop whose writes are told in `made`; the policy asks a person about an order of more than one. */
const open = (made: string[]): Guard => {
  const input = z.object({ of: z.string(), many: z.int().default(1) });
  const write = (name: string) =>
    guardTool(
      {
        name,
        input,
        execute: ({ of }, { notDone }) => {
          if (of === 'none') return notDone('there is none left');
          made.push(`${name} ${of}`);
          return { of };
        },
      },
      { tier: 'write_low_risk', rollback },
    );
  return createGuard({
    tools: [
      write('order'),
      write('ship'),
      guardTool({ name: 'look', input, execute: () => 1 }, { tier: 'read_only' }),
    ],
    taskClasses: [defineTaskClass({ id: 'shop', tools: ['order', 'ship', 'look'], authorities: ['human'] })],
    policy: {
      decide: ({ arguments: { many } }) => ({
        verdict: many > 1 ? 'needs_review' : 'allow',
        reasons: [],
      }),
    },
  });
};

const begin = (guard: Guard) => guard.begin({ taskClass: 'shop', payload: {}, identity });

describe('A write that comes after another', () => {
  it('waits for the person who is asked about it, and a free one beside them does not', async () => {
    const made: string[] = [];
    await using guard = open(made);
    const run = await begin(guard);
    const calls = () =>
      Promise.all([
        run.call('order', { of: 'a', many: 2 }, { ref: 'order' }),
        run.call('ship', { of: 'a' }, { ref: 'ship', after: ['order'] }),
        run.call('ship', { of: 'b' }, { ref: 'other' }),
      ]);
    expect((await calls()).map(({ status }) => status)).toEqual(['paused', 'paused', 'done']);
    expect(made).toEqual(['ship b']);
    const [question] = await run.questions();
    await guard.orchestrator.respond(
      { type: 'approve', target: question?.message.messageId ?? '' },
      { by: 'dana' },
    );
    expect((await calls()).map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect(made).toEqual(['ship b', 'order a', 'ship a']);
  });

  it.each([
    ['failed', { of: 'none' }],
    ['was rejected', { of: 'a', many: 2 }],
  ])('is refused, with the reason, if that one %s', async (how, input) => {
    const made: string[] = [];
    await using guard = open(made);
    const run = await begin(guard);
    const ordered = run.call('order', input, { ref: 'order', waits: true });
    const shipped = run.call('ship', { of: 'a' }, { ref: 'ship', after: ['order'], waits: true });
    if (how === 'was rejected') {
      await expect.poll(async () => (await run.questions()).length).toBe(1);
      const [question] = await run.questions();
      await guard.orchestrator.respond(
        { type: 'reject', target: question?.message.messageId ?? '', content: 'not today' },
        { by: 'dana' },
      );
    }
    expect(await ordered).toMatchObject({ status: 'refused' });
    expect(await shipped).toMatchObject({
      status: 'refused',
      explanation: expect.stringContaining('It comes after order (order), which was not made.'),
    });
    expect(made).toEqual([]);
    expect(await run.conclude({ payload: { said: 'nothing was shipped' } })).toMatchObject({
      status: 'delivered',
    });
  });

  it('is refused too if a person edits it: an edit does not change what it comes after', async () => {
    const made: string[] = [];
    await using guard = open(made);
    const run = await begin(guard);
    const ordered = run.call('order', { of: 'a', many: 2 }, { ref: 'order', waits: true });
    const shipped = run.call('ship', { of: 'a', many: 2 }, { ref: 'ship', after: ['order'], waits: true });
    await expect.poll(async () => (await run.questions()).length).toBe(2);
    const [first, second] = await run.questions();
    const edited = { value: { of: 'b', many: 1 } };
    const answers = [
      {
        type: 'edit',
        target: { messageId: second?.message.messageId ?? '', part: '/payload/action/arguments' },
        content: edited,
      },
      { type: 'reject', target: first?.message.messageId ?? '' },
    ] as const;
    for (const answer of answers) await guard.orchestrator.respond(answer, { by: 'dana' });
    expect([(await ordered).status, (await shipped).status]).toEqual(['refused', 'refused']);
    expect(made).toEqual([]);
  });

  it('comes after the latest call of an id that others chose', async () => {
    const made: string[] = [];
    await using guard = open(made);
    const run = await begin(guard);
    await run.call('order', { of: 'a' }, { ref: 'call_0', reusesRef: true });
    const calls = await Promise.all([
      run.call('order', { of: 'b', many: 2 }, { ref: 'call_0', reusesRef: true }),
      run.call('ship', { of: 'b' }, { ref: 'call_1', reusesRef: true, after: ['call_0'] }),
    ]);
    expect(calls.map(({ status }) => status)).toEqual(['paused', 'paused']);
    expect(made).toEqual(['order a']);
  });

  it('may name a call of an earlier step', async () => {
    const made: string[] = [];
    await using guard = open(made);
    const run = await begin(guard);
    await run.call('order', { of: 'a' }, { ref: 'order' });
    expect(await run.call('ship', { of: 'a' }, { after: ['order'] })).toMatchObject({ status: 'done' });
  });

  it.each([
    [
      'a call that is not there',
      'ship',
      ['odrer'],
      'no earlier call has the ref "odrer". Did you mean "order"?',
    ],
    ['itself', 'ship', ['ship'], 'no earlier call has the ref "ship"'],
    ['one, as a read', 'look', ['order'], 'a read comes before the writes of its step'],
  ])('is refused if it names %s', async (_, tool, after, words) => {
    await using guard = open([]);
    const run = await begin(guard);
    await run.call('order', { of: 'a' }, { ref: 'order' });
    expect(await run.call(tool, { of: 'b' }, { ref: 'ship', after })).toMatchObject({
      status: 'refused',
      code: 'OUTPUT_INVALID',
      explanation: expect.stringContaining(words),
    });
  });

  it('is refused for refs of another type', async () => {
    await using guard = open([]);
    const run = await begin(guard);
    const after = 'order' as unknown as string[];
    expect(await run.call('ship', { of: 'b' }, { after })).toMatchObject({
      status: 'refused',
      code: 'OUTPUT_INVALID',
    });
  });
});
