import { expect } from 'vitest';
import { defineTaskClass, defineTool, type Approvals, type OrchestratorOptions, type Tool } from '../../src/index.ts';
import { createOrchestrator } from '../../src/index.ts';
import { scene, type Given } from '../src/orchestrator/scene.ts';
import { AnyInput, call, draft, never, plan, readTool, writeTool } from '../src/orchestrator/scripted.ts';
import { settle } from '../src/orchestrator/simulated-clock.ts';
import { failedSafe, stopped, unmoved, type Attack, type Stop } from './attack.ts';
import { bank, bring, order, payment, signed } from './bank.ts';

const declared = { name: 'wipe', description: 'reads', input: AnyInput, call: async () => null };

/** A tool that says too little or too much of itself waits for a person, and is not called. */
const waits = (attempt: string, tool: (effects: unknown[]) => Tool): Attack => ({
  number: 20,
  attempt,
  expected: 'QUESTION_EXPIRED',
  source: 'UAICP 5.3',
  run: async () => {
    const effects: unknown[] = [];
    const wipe = tool(effects);
    const one = scene({ model: [plan([call('wipe')]), draft()], tools: [wipe] });
    const taskId = await one.submit();
    expect(one.question().question).toMatchObject({ kind: 'approval', approval: { tier: 'write_high_risk' } });
    expect(await unmoved(one, () => one.answer('approve'))).toBe('feedback_refused');
    await one.clock.advance(8 * 86_400_000);
    const stop = await failedSafe(one, taskId);
    expect(effects).toEqual([]);
    return stop;
  },
});

const rollback = { describe: () => ({ type: 'inverse', target: 'it', payload: {} }), run: async () => null };

const tiers: readonly Attack[] = [
  waits('a tool that leaves out its tier', (effects) =>
    defineTool({ ...declared, rollback, call: async () => effects.push('wiped') }),
  ),
  waits('a tool that calls itself read-only, of which its server says that it destroys', (effects) =>
    defineTool({
      ...declared,
      rollback,
      tier: 'read_only',
      hints: { readOnlyHint: true, destructiveHint: true },
      call: async () => effects.push('wiped'),
    }),
  ),
  waits('a hint that a high-risk tool is read-only', (effects) =>
    defineTool({
      ...declared,
      rollback,
      tier: 'write_high_risk',
      hints: { readOnlyHint: true },
      call: async () => effects.push('wiped'),
    }),
  ),
  waits('a tier that is lowered after its tool was defined', (effects) => {
    const tool = defineTool({ ...declared, rollback, call: async () => effects.push('wiped') });
    expect(Reflect.set(tool, 'tier', 'read_only')).toBe(false);
    return tool;
  }),
  {
    number: 20,
    attempt: 'a tool of a tier that nobody knows',
    expected: 'definition_invalid',
    source: 'UAICP 5.3',
    run: () => stopped(() => defineTool({ ...declared, tier: 'harmless' as never })),
  },
  {
    number: 20,
    attempt: 'a tool made by hand, of a tier that nobody knows',
    expected: 'definition_invalid',
    source: 'UAICP 5.3',
    run: () => {
      const tool = { ...defineTool(declared), tier: 'harmless' as never };
      return stopped(() =>
        createOrchestrator({
          taskClasses: [defineTaskClass({ id: 'work', tools: ['wipe'] })],
          model: { answer: async () => null },
          tools: [tool],
        }),
      );
    },
  },
  {
    number: 20,
    attempt: 'two tools of one name',
    expected: 'definition_invalid',
    source: 'OWASP ASI02',
    run: () =>
      stopped(() =>
        createOrchestrator({
          taskClasses: [defineTaskClass({ id: 'work', tools: ['wipe'] })],
          model: { answer: async () => null },
          tools: [defineTool({ ...declared, tier: 'read_only' }), defineTool(declared)],
        }),
      ),
  },
];

const waysBack: readonly Attack[] = [
  {
    number: 21,
    attempt: 'a high-risk write without a rollback',
    expected: 'ROLLBACK_REQUIRED',
    source: 'UAICP 5.3',
    run: async () => {
      const paid: unknown[] = [];
      const one = scene({
        model: [plan([call('transfer', order)])],
        tools: [{ ...payment('transfer', paid), rollback: null }],
        taskClass: { limits: { repairs: 0 } },
      });
      const stop = await failedSafe(one, await one.submit());
      expect(paid).toEqual([]);
      return stop;
    },
  },
  {
    number: 21,
    attempt: 'a rollback that cannot be described',
    expected: 'OUTPUT_INVALID',
    source: 'UAICP 5.3',
    run: async () => {
      const paid: unknown[] = [];
      const describe = () => {
        throw new Error('no way back');
      };
      const one = scene({
        model: [plan([call('transfer', order)])],
        tools: [{ ...payment('transfer', paid), rollback: { ...rollback, describe } }],
        taskClass: { limits: { corrections: 0, revisions: 0 } },
      });
      const taskId = await one.submit();
      await one.answer('reject');
      const stop = await failedSafe(one, taskId);
      expect(paid).toEqual([]);
      return stop;
    },
  },
  {
    number: 21,
    attempt: 'a rollback that fails, to hide that the write stands',
    expected: 'ROLLBACK_REQUIRED',
    source: 'UAICP 5.3',
    run: async () => {
      const one = scene({
        model: [plan([call('stuck'), call('refuses')])],
        tools: [
          writeTool('stuck', { rollback: { ...rollback, run: () => Promise.reject(new Error('gone')) } }),
          writeTool('refuses', { call: (_, { notDone }) => notDone('no') }),
        ],
        taskClass: { limits: { repairs: 0 } },
      });
      const taskId = await one.submit();
      await failedSafe(one, taskId);
      expect(one.undone).toEqual(['stuck']);
      return one.reasonsOf(taskId).at(-1);
    },
  },
];

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
    if (one.orchestrator.inbox().length > 0) await one.answer('reject');
    const stop = await failedSafe(one, taskId);
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
    const stop = await unmoved(one, () => bring(one, signed(one)));
    expect(one.paid).toEqual([]);
    return stop;
  },
});

const verifiesBy = (verify: () => unknown): Approvals => ({ verify: verify as Approvals['verify'] });

const hostCode: readonly Attack[] = [
  broken('a policy that throws', 'POLICY_UNAVAILABLE', { policy: breaks }),
  broken('a policy that answers "sure"', 'POLICY_UNAVAILABLE', { policy: () => 'sure' }),
  broken('a policy that answers with a promise for a verdict', 'POLICY_UNAVAILABLE', {
    policy: () => ({ verdict: Promise.resolve('allow'), reasons: [] }),
  }),
  broken('an attestation that throws', 'POLICY_UNAVAILABLE', { options: { attest: breaks } }),
  broken('an acceptance that throws', 'GUARD_ERROR', { taskClass: { accept: breaks } }),
  broken('an acceptance that answers true', 'GUARD_ERROR', { taskClass: { accept: () => true as never } }),
  broken('a schema of arguments that throws', 'OUTPUT_INVALID', {
    tools: [writeTool('write', { input: schema as never })],
  }),
  broken('a model that throws', 'MODEL_UNAVAILABLE', { model: breaks }),
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
      const one = bank(undefined, { policy: 'deny', taskClass: { beforeDeliver: { evidence: [{ type: 'tool_result' }] }, limits: { repairs: 0 } } });
      for (const name of ['record', 'document', 'question', 'settled'] as const) one.orchestrator.on(name, breaks);
      const taskId = await one.submit();
      await failedSafe(one, taskId);
      expect(one.takeErrors().length).toBeGreaterThan(3);
      expect(one.paid).toEqual([]);
      const record = (await one.orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'policy.decided');
      expect(record).toMatchObject({ fact: { verdict: 'deny' } });
      return 'POLICY_BLOCKED';
    },
  },
];

const day = 86_400_000;

const silence: readonly Attack[] = [
  broken('a policy that never answers', 'POLICY_UNAVAILABLE', { policy: hangs }, { number: 17, trap: false, wait: day }),
  broken('a model that never answers', 'MODEL_UNAVAILABLE', { model: hangs }, { number: 17, trap: false, wait: day }),
  broken('an acceptance that never answers', 'GUARD_ERROR', { taskClass: { accept: hangs } }, { number: 17, trap: false, wait: day }),
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

export const tools = [tiers, waysBack, hostCode, silence].flat();
