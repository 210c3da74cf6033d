import { expect } from 'vitest';
import type { Approvals, OrchestratorOptions } from '../../src/index.ts';
import { scene, type Given } from '../src/core/shell/scene.ts';
import { call, draft, never, plan, readTool, writeTool } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import { failedSafe, sentBack, unmoved, type Attack, type Stop } from './attack.ts';
import { bank, bring, signed } from './bank.ts';

/** Something of the host's that breaks; its task ends with a code, and its process goes on. */
const broken = (
  attempt: string,
  expected: Stop,
  given: Given,
  { number = 16, trap = true, wait = 0 }: { number?: number; trap?: boolean; wait?: number } = {},
): Attack => ({
  number,
  attempt,
  expected,
  source: number === 16 ? 'CWE-754' : 'CWE-400',
  ...(trap && { trap: 'a guard that throws' }),
  run: async () => {
    const effects: unknown[] = [];
    const one = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { call: () => effects.push('written') })],
      ...given,
      taskClass: { limits: { repairs: 0, corrections: 0, revisions: 0 }, ...given.taskClass },
    });
    const taskId = await one.submit();
    if (wait > 0) await one.clock.advance(wait);
    const isAsked = (await one.orchestrator.inbox()).length > 0;
    const stop = await (isAsked ? sentBack : failedSafe)(one, taskId);
    expect(effects).toEqual([]);
    return stop;
  },
});

const breaks = (): never => {
  throw new Error('down');
};
const hangs = (): Promise<never> => new Promise(() => {});
const schema = { '~standard': { version: 1, vendor: 'host', validate: breaks } } as const;

/** A person, or a token, is judged by code that breaks: it has refused, and the question stays. */
const judgedBy = (attempt: string, expected: Stop, options: Partial<OrchestratorOptions>): Attack => ({
  number: 16,
  attempt,
  expected,
  trap: 'a guard that throws',
  source: 'CWE-754',
  run: async () => {
    const one = bank(undefined, { options });
    await one.submit();
    const stop = await unmoved(one, async () => bring(one, await signed(one)));
    expect(one.paid).toEqual([]);
    return stop;
  },
});

const verifiesBy = (verify: () => unknown): Approvals => ({ verify: verify as Approvals['verify'] });

const hostCode: readonly Attack[] = [
  broken('a policy that throws', 'POLICY_ERROR', { policy: breaks }),
  broken('a policy that answers "sure"', 'POLICY_ERROR', { policy: () => 'sure' }),
  broken('a policy that answers with a promise for a verdict', 'POLICY_ERROR', {
    policy: () => ({ verdict: Promise.resolve('allow'), reasons: [] }),
  }),
  broken('an attestation that throws', 'GUARD_ERROR', { options: { attest: breaks } }),
  broken('an acceptance that throws', 'GUARD_ERROR', { taskClass: { accept: breaks } }),
  broken('an acceptance that answers true', 'GUARD_ERROR', { taskClass: { accept: () => true as never } }),
  broken('a schema of arguments that throws', 'output.rejected', {
    tools: [writeTool('write', { input: schema })],
  }),
  broken('a model that throws', 'MODEL_ERROR', { model: breaks }),
  judgedBy('a choice of who may answer that throws', 'identity_refused', { mayRespond: breaks }),
  judgedBy('a choice of who may answer that rejects', 'identity_refused', {
    mayRespond: () => Promise.reject(new Error('down')),
  }),
  judgedBy('approvals that throw', 'GUARD_ERROR', { approvals: verifiesBy(breaks) }),
  judgedBy('approvals that answer true', 'GUARD_ERROR', { approvals: verifiesBy(() => true) }),
  judgedBy('approvals that answer nothing', 'GUARD_ERROR', { approvals: verifiesBy(() => undefined) }),
  {
    number: 16,
    attempt: 'a listener that throws at everything',
    expected: 'POLICY_BLOCKED',
    trap: 'a guard that throws',
    source: 'CWE-754',
    run: async () => {
      const one = bank(undefined, {
        policy: 'deny',
        taskClass: { beforeDeliver: { evidence: [{ type: 'tool_result' }] }, limits: { repairs: 0 } },
      });
      for (const name of ['record', 'document', 'question', 'settled'] as const)
        one.orchestrator.on(name, breaks);
      const taskId = await one.submit();
      await failedSafe(one, taskId);
      expect(one.takeErrors().length).toBeGreaterThan(3);
      expect(one.paid).toEqual([]);
      const record = (await one.orchestrator.ledger(taskId)).find(
        ({ fact }) => fact?.type === 'policy.decided',
      );
      expect(record).toMatchObject({ fact: { verdict: 'deny' } });
      return 'POLICY_BLOCKED';
    },
  },
];

const day = 86_400_000;

const silence: readonly Attack[] = [
  broken(
    'a policy that never answers',
    'POLICY_UNAVAILABLE',
    { policy: hangs },
    { number: 17, trap: false, wait: day },
  ),
  broken(
    'a model that never answers',
    'MODEL_UNAVAILABLE',
    { model: hangs },
    { number: 17, trap: false, wait: day },
  ),
  broken(
    'an acceptance that never answers',
    'GUARD_ERROR',
    { taskClass: { accept: hangs } },
    { number: 17, trap: false, wait: day },
  ),
  {
    number: 17,
    attempt: 'a tool that ignores its deadline and answers later',
    expected: 'TOOL_TIMEOUT',
    source: 'CWE-400',
    run: async () => {
      let answer: ((value: unknown) => void) | undefined;
      const one = scene({
        model: [plan([call('read')]), draft()],
        tools: [readTool('read', { call: () => new Promise((resolve) => (answer = resolve)) })],
        taskClass: { limits: { repairs: 0 } },
      });
      const taskId = await one.submit();
      await one.clock.advance(day);
      const stop = await failedSafe(one, taskId);
      answer?.({ late: true });
      await settle();
      expect((await one.orchestrator.ledger(taskId)).at(-1)).toMatchObject({
        kind: 'orphan',
        fact: { type: 'call.succeeded' },
      });
      return stop;
    },
  },
  {
    number: 17,
    attempt: 'a tool that hangs and heeds its signal',
    expected: 'TOOL_TIMEOUT',
    source: 'CWE-400',
    run: async () => {
      let told = 0;
      const one = scene({
        model: [plan([call('read')]), draft()],
        tools: [readTool('read', { call: (_, { signal }) => never(signal, () => (told += 1)) })],
        taskClass: { limits: { repairs: 0 } },
      });
      const taskId = await one.submit();
      await one.clock.advance(day);
      expect(told).toBe(1);
      return failedSafe(one, taskId);
    },
  },
];

export const host = [hostCode, silence].flat();
