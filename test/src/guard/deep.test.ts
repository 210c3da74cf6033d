import { describe, expect, it } from 'vitest';
import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool, type Guard, type Run } from 'agentcharter/guard';
import { z } from 'zod';
import { unreadFeedback } from '../../../src/base/feedback/feedback.ts';
import { identity } from './bank.ts';

const depths = [65, 5_000, 200_000];

/** An object with this many levels. */
const nested = (levels: number): Record<string, unknown> => {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < levels; level += 1) value = { of: value };
  return value;
};

const open = (result: unknown = {}): Guard => {
  const input = z.record(z.string(), z.unknown());
  return createGuard({
    tools: [
      guardTool({ name: 'read', input, execute: () => result }, { tier: 'read_only' }),
      guardTool(
        { name: 'pay', input, execute: () => result },
        {
          rollback: {
            describe: () => ({ type: 'recall', target: 'bank', payload: { of: 1 } }),
            run: async () => ({}),
          },
        },
      ),
    ],
    taskClasses: [
      defineTaskClass({ id: 'job', tools: ['read', 'pay'], authorities: ['human'], limits: { repairs: 1 } }),
    ],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
  });
};

const begin = (guard: Guard, payload = {}): Promise<Run> =>
  guard.begin({ taskClass: 'job', payload, identity });

const inWords = expect.stringContaining('it is nested too deeply; accepted: a depth of 64');
const unreadable = { code: 'input_unreadable', message: inWords };

describe.each(depths)('A value nested %i levels deep', (levels) => {
  it('is refused as the arguments of a call, and its siblings are made', async () => {
    await using guard = open();
    const run = await begin(guard);
    const [deep, other] = await Promise.all([run.call('read', nested(levels)), run.call('read', { of: 1 })]);
    expect(deep).toMatchObject({ status: 'refused', code: 'OUTPUT_INVALID', explanation: inWords });
    expect(other).toMatchObject({ status: 'done' });
  });

  it('is refused as a conclusion, and another one is delivered', async () => {
    await using guard = open();
    const run = await begin(guard);
    const refused = { status: 'refused', code: 'OUTPUT_INVALID', explanation: inWords };
    expect(await run.conclude({ payload: nested(levels) })).toMatchObject(refused);
    expect(await run.conclude({ payload: { said: 'so' } })).toMatchObject({ status: 'delivered' });
  });

  it('is kept as far as a record holds it when a tool returns it, and the rest says what it was', async () => {
    await using guard = open(nested(levels));
    const told: unknown[] = [];
    guard.orchestrator.on('error', ({ error }) => told.push(error));
    const run = await begin(guard);
    const outcome = await run.call('read', {});
    expect(outcome.status).toBe('done');
    expect(JSON.stringify(outcome)).toContain('{"agentcharter:notKept":"nested deeper than 64 levels"}');
    expect(told).toMatchObject([{ code: 'value_not_json' }]);
  });

  it('is rejected as the payload of a request', async () => {
    await using guard = open();
    await expect(begin(guard, nested(levels))).rejects.toMatchObject(unreadable);
  });

  it('is rejected as a person’s answer, and the question stays open', async () => {
    await using guard = open();
    const run = await begin(guard);
    await run.call('pay', { to: 'alice' });
    const [entry] = await run.questions();
    const target = entry?.message.messageId ?? '';
    const content = nested(levels);
    await expect(
      guard.orchestrator.respond(unreadFeedback({ type: 'replace', target, content }), { by: 'kim' }),
    ).rejects.toMatchObject(unreadable);
    expect(await run.questions()).toHaveLength(1);
  });

  it('is rejected as a message of another agent', async () => {
    await using guard = open();
    await expect(
      guard.orchestrator.receive(nested(levels), { agent_id: 'a', owner_id: 'o' }),
    ).rejects.toMatchObject(unreadable);
  });
});
