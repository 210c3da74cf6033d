import { CharterError } from 'agentcharter';
import { expect, test } from 'vitest';
import type { Ports } from '../../../../../src/core/shell/duties/performer.ts';
import { rollBackLate } from '../../../../../src/core/shell/duties/undo.ts';
import {
  carryOut,
  type LiveTask,
  type Stated,
  type Stating,
} from '../../../../../src/core/shell/live-task.ts';

const lost = (code: 'task_fenced' | 'closed') =>
  code === 'closed'
    ? new CharterError('closed', 'it is closed', { operation: 'record' })
    : new CharterError('task_fenced', 'another node holds it', { taskId: 't', fence: 1 });

/** A task with one late write, whose rollback fails and may be made again; it cannot record that any more. */
const losing = (error: CharterError) => {
  const stated: string[] = [];
  const call = { id: 'c', digest: 'd', tool: 'write', version: '1', rollback: { type: 'inverse' } };
  const late = { request: 'r', digest: 'd', call, status: 'owed', recoveries: 0 } as const;
  const recordStated = async (said: Stated): Promise<boolean> => {
    const type = said.as === 'refusal' ? 'refusal' : said.fact.type;
    stated.push(type);
    if (type !== 'rollback.started') throw error;
    return true;
  };
  const task = {
    taskId: 't',
    taskClass: { deadlines: { rollback: 1_000 } },
    view: {
      context: { attempt: 1, taskClass: { limits: { recoveries: 3 } } },
      projection: { lateWrites: [late], rolledBack: {} },
    },
    tracing: { span: () => ({ at: {}, run: (work: () => unknown) => work(), end: () => {} }) },
    carryOut: <Result>(work: Stating<Result>) => carryOut({ recordStated }, work),
  } as unknown as LiveTask;
  const rollback = { doubt: 'idempotent', lookup: null, run: () => Promise.reject(new Error('no answer')) };
  const environment = {
    tools: new Map([['write', { name: 'write', tier: 'write_low_risk', rollback }]]),
    clock: { wakeAfter: () => () => {} },
    holds: { fenceOf: () => null, mayAct: () => true, attemptsOf: () => 0, quarantineOf: () => 0 },
    callers: { recording: (_: unknown, work: Promise<unknown>) => work },
  } as unknown as Ports;
  return { stated, end: rollBackLate(task, late as never, environment) };
};

test.each(['task_fenced', 'closed'] as const)(
  'a late rollback that ends because of %s is not taken for done: who waits for it learns why',
  async (code) => {
    const error = lost(code);
    const { stated, end } = losing(error);
    await expect(end).rejects.toBe(error);
    expect(stated).toEqual(['rollback.started', 'recovery.started']); // and nothing is said of how it ended
  },
);
