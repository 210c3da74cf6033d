import { describe, expect, it } from 'vitest';
import { defineTaskClass, type Tool } from 'agentcharter';
import { createGuard, guardTool, type Guard } from 'agentcharter/guard';
import { z } from 'zod';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { identity } from './bank.ts';

type Flows = NonNullable<Tool['flows']>;

/** Tools of a release, with their former names; each call is told in `made`. */
const release = (made: string[]) => {
  const input = z.object({ of: z.string() });
  return (name: string, formerly: readonly string[] = [], flows?: Flows) =>
    guardTool(
      {
        name,
        input,
        execute: ({ of }) => {
          made.push(`${name} ${of}`);
          return { iban: 'DE89370400440532013000' };
        },
      },
      {
        tier: flows === undefined && name.includes('find') ? 'read_only' : 'write_low_risk',
        labels: { '': { integrity: 'trusted' } },
        rollback: { describe: () => ({ type: 'undo', target: 'it', payload: {} }), run: async () => ({}) },
        ...(formerly.length > 0 && { formerly }),
        ...(flows && { flows }),
      },
    );
};

const database = () => {
  const { connect } = memoryDatabase();
  return (tools: readonly ReturnType<ReturnType<typeof release>>[]): Guard => {
    const taskClasses = [
      defineTaskClass({ id: 'job', tools: tools.map(({ name }) => name), authorities: ['human'] }),
    ];
    const policy = { decide: () => ({ verdict: 'allow', reasons: [] }) } as const;
    return createGuard({ tools, taskClasses, policy, store: connect() } as Parameters<typeof createGuard>[0]);
  };
};

const from = (name: string): Flows => ({ '/of': { from: [name] } });

const submission = { taskClass: 'job', payload: {}, identity };

describe('A tool that takes the place of two tools of one task', () => {
  it('makes no write again that one of them made, and is called by their names', async () => {
    const made: string[] = [];
    const [open, tool] = [database(), release(made)];
    const first = open([tool('a'), tool('b')]);
    const { taskId, ...run } = await first
      .begin(submission)
      .then((begun) => ({ taskId: begun.taskId, begun }));
    await run.begun.call('b', { of: 'x' }, { ref: 'c1' });
    await first.close();
    await using second = open([tool('m', ['a', 'b'])]);
    const resumed = await second.resume(taskId);
    expect(await resumed.call('b', { of: 'x' }, { ref: 'c1' })).toMatchObject({ status: 'done' });
    expect(await resumed.call('b', { of: 'x' }, { ref: 'c2' })).toMatchObject({
      status: 'done',
      isRepeated: true,
    });
    expect(await resumed.call('m', { of: 'x' }, { ref: 'c3' })).toMatchObject({
      status: 'refused',
      explanation: expect.stringContaining('unknown tool "m": expected one of a, b'),
    });
    expect(made).toEqual(['b x']);
  });
});

describe('A flow that names a tool', () => {
  it('finds the results that it had under its former name, and keeps what was approved', async () => {
    const made: string[] = [];
    const [open, tool] = [database(), release(made)];
    const first = open([tool('find'), tool('pay', [], from('find'))]);
    const begun = await first.begin(submission);
    await begun.call('find', { of: 'Ada' });
    expect(await begun.call('pay', { of: 'FR7630006000011234567890189' }, { ref: 'c1' })).toMatchObject({
      status: 'paused',
    });
    const [asked] = await begun.questions();
    await first.close();
    await using second = open([tool('dir.find', ['find']), tool('pay', [], from('dir.find'))]);
    expect((await second.orchestrator.recover()).changed).toEqual([]);
    const resumed = await second.resume(begun.taskId);
    const target = asked?.message.messageId ?? '';
    await second.orchestrator.respond({ type: 'approve', target }, { by: 'dana' });
    expect(await resumed.call('pay', { of: 'FR7630006000011234567890189' }, { ref: 'c1' })).toMatchObject({
      status: 'done',
    });
    expect(await resumed.call('pay', { of: 'DE89370400440532013000' }, { ref: 'c2' })).toMatchObject({
      status: 'done',
    });
    expect(made.slice(1)).toEqual(['pay FR7630006000011234567890189', 'pay DE89370400440532013000']);
  });
});
