import { randomUUID } from 'node:crypto';
import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { identity } from './bank.ts';

/** A guard of a tool with this schema, and of a write that can be undone; what the tool was given, and what was undone. */
const opened = (input: z.ZodType<object>, store = memoryDatabase().connect()) => {
  const given: unknown[] = [];
  const undone: string[] = [];
  const tools = [
    guardTool({ name: 'use', input, execute: (one) => given.push(one) }, { tier: 'write_low_risk' }),
    guardTool(
      { name: 'note', input: z.object({}), execute: () => 'noted' },
      {
        tier: 'write_low_risk',
        rollback: {
          describe: () => ({ type: 'note.remove', target: 'all', payload: {} }),
          run: async () => undone.push('note'),
        },
      },
    ),
  ];
  const guard = createGuard({
    tools,
    store,
    taskClasses: [defineTaskClass({ id: 'work', tools: ['use', 'note'] })],
    policy: {
      decide: ({ action }) => ({ verdict: action === 'use' ? 'needs_review' : 'allow', reasons: ['r'] }),
    },
  });
  const errors: unknown[] = [];
  guard.orchestrator.on('error', ({ error }) => errors.push(error));
  return { guard, given, undone, errors };
};

const approve = async ({ guard }: ReturnType<typeof opened>): Promise<void> => {
  for (const { message } of await guard.orchestrator.inbox())
    await guard.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'kim' });
};

describe('The schema of a tool', () => {
  it.each([
    ['a transform', z.object({ note: z.string().transform((text) => text.trim() || undefined) })],
    [
      'a preprocess',
      z.object({ note: z.preprocess((text) => (text === ' ' ? undefined : text), z.string().optional()) }),
    ],
  ])('may return undefined by %s: the member is left out', async (_, input) => {
    const used = opened(input);
    await using _guard = used.guard;
    const run = await used.guard.begin({ taskClass: 'work', payload: {}, identity });
    await run.call('use', { note: ' ' }, { ref: 'c1' });
    await approve(used);
    expect(await run.call('use', { note: ' ' }, { ref: 'c1' })).toMatchObject({ status: 'done' });
    expect(used.given).toEqual([{}]);
  });

  it('that returns what JSON cannot hold has its call refused, and the run goes on', async () => {
    const used = opened(z.object({ at: z.string().transform((text) => new Map([[text, 1]])) }));
    await using _guard = used.guard;
    const run = await used.guard.begin({ taskClass: 'work', payload: {}, identity });
    await run.call('note', {}, { ref: 'c1' });
    expect(await run.call('use', { at: 'x' }, { ref: 'c2' })).toMatchObject({
      status: 'refused',
      code: 'OUTPUT_INVALID',
      explanation: expect.stringContaining(
        'what the input schema of tool use returns at "/at" is not JSON: it is a Map',
      ) as string,
    });
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'delivered' });
    expect([used.given, used.undone]).toEqual([[], []]);
    expect(used.errors).toMatchObject([{ code: 'value_not_json' }]);
  });

  it('may make a default anew each time: the approval of the first one holds over a restart', async () => {
    const database = memoryDatabase();
    const input = z.object({
      room: z.string(),
      of: z.object({ id: z.string().default(() => randomUUID()) }),
    });
    const before = opened(input, database.connect());
    const run = await before.guard.begin({ taskClass: 'work', payload: {}, identity });
    await run.call('use', { room: '1', of: {} }, { ref: 'c1' });
    const [entry] = await before.guard.orchestrator.inbox();
    const { arguments: shown } = entry!.message.payload['action'] as { readonly arguments: unknown };
    await before.guard.close();
    const after = opened(input, database.connect());
    await using _guard = after.guard;
    await after.guard.orchestrator.recover();
    await approve(after);
    const resumed = await after.guard.resume(run.taskId);
    expect(await resumed.call('use', { room: '1', of: {} }, { ref: 'c1' })).toMatchObject({ status: 'done' });
    expect([before.given, after.given]).toEqual([[], [shown]]);
  });

  it('that takes the approved arguments no more is told so', async () => {
    const database = memoryDatabase();
    const before = opened(z.object({ room: z.string() }), database.connect());
    const run = await before.guard.begin({ taskClass: 'work', payload: {}, identity });
    await run.call('use', { room: '1' }, { ref: 'c1' });
    await before.guard.close();
    const after = opened(
      z.object({ room: z.string(), id: z.string().default(() => randomUUID()) }),
      database.connect(),
    );
    await using _guard = after.guard;
    await after.guard.orchestrator.recover();
    await approve(after);
    const resumed = await after.guard.resume(run.taskId);
    expect(await resumed.call('use', { room: '1' }, { ref: 'c1' })).toMatchObject({
      status: 'repairing',
      unmet: [{ code: 'TOOL_CHANGED' }],
    });
    expect([...before.given, ...after.given]).toEqual([]);
  });
});
