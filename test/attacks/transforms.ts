import { expect } from 'vitest';
import * as z from 'zod';
import type { StandardSchema } from '../../src/base/ports/schema.ts';
import { scene, type Given } from '../src/core/shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../src/core/shell/scripted.ts';
import { errorOf, failedSafe, type Attack, type Stop } from './attack.ts';

const stripped: Attack = {
  number: 38,
  attempt: 'a member that a verifier passes and the output schema strips',
  expected: 'VERIFICATION_FAILED',
  source: 'CWE-180',
  run: async () => {
    const one = scene({
      model: [plan(), draft({ total: 5, approved: true })],
      verifiers: {
        approved: ({ value }) => ({
          checks: [
            { check_id: 'approved', result: JSON.stringify(value).includes('approved') ? 'pass' : 'fail' },
          ],
        }),
      },
      taskClass: {
        output: z.object({ total: z.number() }),
        beforeDeliver: { verifiers: ['approved'] },
        limits: { repairs: 0 },
      },
    });
    return failedSafe(one, await one.submit());
  },
};

/** A schema or other code of the developer's that returns what is not JSON: no model is asked to mend that. */
const notJson = (attempt: string, expected: Stop, given: Given, says: RegExp): Attack => ({
  number: 38,
  attempt,
  expected,
  source: 'CWE-704',
  run: async () => {
    const one = scene({
      model: [plan([call('read')]), draft({ at: 1 })],
      tools: [readTool('read')],
      ...given,
    });
    const taskId = await one.submit();
    const stop = await failedSafe(one, taskId);
    const errors = one.takeErrors();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: 'value_not_json' });
    expect(String(errors[0])).toMatch(says);
    const records = await one.orchestrator.ledger(taskId);
    expect(records.some(({ fact }) => fact?.type === 'output.rejected')).toBe(false);
    expect(records.some(({ brought: { explanation } }) => says.test(explanation ?? ''))).toBe(true);
    return stop;
  },
});

const reading = (schema: z.ZodType): Given => ({
  taskClass: { output: schema as unknown as StandardSchema<Record<string, unknown>> },
});
const changedTo = (value: unknown): Given => reading(z.unknown().transform(() => value));
const path = (at: string) => new RegExp(`output schema of task class work.* at "${at}"`);

export const transforms: readonly Attack[] = [
  stripped,
  notJson(
    'an output whose schema turns it into a Date',
    'GUARD_ERROR',
    reading(z.object({ at: z.coerce.date() })),
    /z\.iso\.datetime/,
  ),
  notJson(
    'an output whose schema makes a Map of it',
    'GUARD_ERROR',
    changedTo({ a: [new Map()] }),
    path('/a/0'),
  ),
  notJson('an output whose schema makes a Set of it', 'GUARD_ERROR', changedTo({ a: new Set() }), path('/a')),
  notJson(
    'an output whose schema makes bytes of it',
    'GUARD_ERROR',
    changedTo({ a: new Uint8Array(1) }),
    path('/a'),
  ),
  notJson('an output whose schema makes a bigint of it', 'GUARD_ERROR', changedTo({ a: 1n }), path('/a')),
  notJson(
    'an output whose schema adds an undefined member',
    'GUARD_ERROR',
    changedTo({ a: undefined }),
    path('/a'),
  ),
  notJson(
    'an output whose schema makes a number of it that is none',
    'GUARD_ERROR',
    changedTo({ a: NaN }),
    path('/a'),
  ),
  notJson(
    'an output whose schema makes a function of it',
    'GUARD_ERROR',
    changedTo({ a: () => 1 }),
    path('/a'),
  ),
  notJson(
    'an output whose schema makes an instance of it',
    'GUARD_ERROR',
    changedTo({ a: new URL('https://a.test') }),
    path('/a'),
  ),
  notJson(
    'an output whose schema makes a list of it',
    'GUARD_ERROR',
    changedTo([1]),
    /an object with members/,
  ),
  {
    number: 38,
    attempt: 'a person who changes one member of arguments that a schema has read',
    expected: 'feedback_refused',
    source: 'CWE-180',
    run: async () => {
      const runs: number[] = [];
      const input = z
        .object({ note: z.string().trim(), euros: z.number() })
        .transform(({ note, euros }) => (runs.push(euros), { note, euros: euros * 100 }));
      const one = scene({
        model: [plan([call('write', { note: ' tea ', euros: 5 })]), draft()],
        tools: [writeTool('write', { input, tier: 'write_high_risk' })],
        taskClass: { authorities: ['human'] },
      });
      await one.submit();
      expect((await one.question()).message.payload).toMatchObject({
        action: { arguments: { note: 'tea', euros: 500 } },
      });
      expect((await one.question()).message.payload['action']).not.toHaveProperty('raw');
      await one.answer('edit', { value: { note: ' cake ', euros: 500 } });
      expect(runs).toEqual([5, 5]); // what was left as shown is read again as it was proposed
      const { message } = await one.question();
      expect(message.payload).toMatchObject({ action: { arguments: { note: 'cake', euros: 500 } } });
      const list = z
        .object({ lines: z.array(z.number()) })
        .transform(({ lines }) => ({ lines: lines.map((n) => n * 2) }));
      const other = scene({
        model: [plan([call('write', { lines: [1, 2] })]), draft()],
        tools: [writeTool('write', { input: list, tier: 'write_high_risk' })],
        taskClass: { authorities: ['human'] },
      });
      await other.submit();
      const error = await errorOf(() => other.answer('edit', { value: { lines: [2, 9] } }));
      expect(error.message).toContain('"/lines/0"');
      expect(one.invocations).toEqual([]);
      return error.code;
    },
  },
];
