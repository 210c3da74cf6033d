import { hash } from 'node:crypto';
import { createOrchestrator, defineTaskClass, defineTool, defineVerifier, type Model } from 'agentcharter';
import { taskMachine, type Fact } from 'agentcharter/machines';
import { createActor } from 'xstate';
import { z } from 'zod';

// CPU time per run, in rounds, each engine beside a hand-written switch of the same round: these machines are noisy,
// so it is the ratios that count.

const second = 1_000;
const roundsOf = Number(process.env['BENCH_ROUNDS'] ?? 3);
const forMs = Number(process.env['BENCH_MS'] ?? 1.5 * second);

const request = '018f7d3a-7c1e-7b52-9f0e-3d2b8a6c4e10';
const call = { request, attempt: 0, call: 'r' };
const facts = [
  { type: 'request.accepted' },
  {
    type: 'plan.proposed',
    digest: 'p',
    confidence: 0.9,
    canProceed: true,
    calls: [{ id: 'r', tool: 'read', tier: 'read_only', digest: 'a', rollback: false }],
  },
  { type: 'call.started', ...call, digest: 'a' },
  { type: 'call.succeeded', ...call, evidence: { id: 'e', type: 'tool_result' } },
  { type: 'draft.proposed', digest: 'd', confidence: 0.9, canProceed: true },
  {
    type: 'verifier.reported',
    request,
    attempt: 0,
    verifier: 'v',
    of: 'd',
    evidence: 1,
    status: 'pass',
  },
] as const satisfies readonly Fact[];

/** The floor: the same six facts through a switch that hashes its evidence and checks nothing else. */
const byHand = (): string => {
  let state = 'intake';
  let evidence = '';
  for (const { type } of facts)
    switch (type) {
      case 'request.accepted':
        state = 'plan';
        break;
      case 'plan.proposed':
      case 'call.started':
        state = 'execute';
        break;
      case 'draft.proposed':
        state = 'verify';
        break;
      case 'verifier.reported':
        state = 'deliver';
        break;
      case 'call.succeeded':
        state = 'concluding';
        evidence = hash('sha256', JSON.stringify({ done: 'read' }));
    }
  return `${state} ${evidence}`;
};

const requirements = { evidence: [{ type: 'tool_result' as const }], verifiers: ['v'] };

const chart = (): string => {
  const input = { taskClass: { id: 'bench', beforeDeliver: requirements }, request };
  const actor = createActor(taskMachine, { input }).start();
  for (const fact of facts) actor.send(fact);
  return JSON.stringify(actor.getSnapshot().value);
};

const tool = (name: string, tier: 'read_only' | 'write_low_risk') =>
  defineTool({ name, description: name, tier, input: z.object({}), call: async () => ({ done: name }) });

const modelOf = (tools: readonly string[]): Model => ({
  answer: async ({ asks }) =>
    asks === 'plan'
      ? {
          canProceed: true,
          confidence: 0.9,
          explanation: '',
          calls: tools.map((name) => ({ tool: name, arguments: {} })),
        }
      : { canProceed: true, confidence: 0.9, explanation: '', payload: {} },
});

const identity = { agent_id: 'a', owner_id: 'o', control_class: 'autonomous' as const };

/** A whole run of an orchestrator: schemas, digests, ledger, documents; gated waits for a person. */
const orchestrated = (tools: readonly string[]) => {
  const orchestrator = createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'bench', tools: ['read', 'write'], beforeDeliver: requirements })],
    tools: [tool('read', 'read_only'), tool('write', 'write_low_risk')],
    verifiers: [defineVerifier({ id: 'v', verify: () => ({ checks: [{ check_id: 'c', result: 'pass' }] }) })],
    policy: { decide: () => ({ verdict: 'needs_review', reasons: [] }) },
    model: modelOf(tools),
  });
  orchestrator.on('question', ({ message }) =>
    orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' }),
  );
  return async (): Promise<string> => {
    const { taskId } = await orchestrator.submit({ taskClass: 'bench', payload: {}, identity });
    return (await orchestrator.settled(taskId)).outcome;
  };
};

const engines: Record<string, () => string | Promise<string>> = {
  'hand-written switch': byHand,
  'bare chart, live actor': chart,
  'orchestrator, read only': orchestrated(['read']),
  'orchestrator, gated write': orchestrated(['read', 'write']),
};

/** CPU microseconds per run, garbage collection included. */
const measure = async (run: () => string | Promise<string>): Promise<number> => {
  const end = performance.now() + forMs;
  const before = process.cpuUsage();
  let runs = 0;
  while (performance.now() < end) {
    await run();
    runs += 1;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / runs;
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const times: Record<string, number[]> = {};
for (const [name, run] of Object.entries(engines)) {
  await measure(run); // warm
  times[name] = [];
}
for (let round = 0; round < roundsOf; round += 1)
  for (const [name, run] of Object.entries(engines)) times[name]?.push(await measure(run));

const floors = times['hand-written switch'] ?? [];
console.log('engine                       CPU us/run   x switch (median of the rounds)');
for (const [name, values] of Object.entries(times)) {
  const ratio = median(values.map((value, round) => value / (floors[round] ?? Number.NaN)));
  console.log(`${name.padEnd(28)}${median(values).toFixed(1).padStart(11)}${ratio.toFixed(0).padStart(11)}`);
}
