import { readFileSync } from 'node:fs';

/** A program that is wrong in one way, after `parts`. */
export interface WrongProgram {
  /** What is wrong with it. */
  readonly mistake: string;
  readonly program: string;
  /** Whether the page names the mistake only, because a program like this one is on it. */
  readonly isLikeAnother?: true;
}

/** What every program here continues. */
export const parts = readFileSync(
  new URL('../../../docs/reference/compiler/parts.ts', import.meta.url),
  'utf8',
);

export const wrong: readonly WrongProgram[] = [
  {
    mistake: 'A task class names a tool that does not exist.',
    program: `const payments = defineTaskClass({ id: 'payments', tools: ['order.fnid'] });
createOrchestrator({ tools, taskClasses: [payments], model });`,
  },
  {
    mistake: 'A requirement names a tool that the task class may not call.',
    program: `defineTaskClass({
  id: 'payments',
  tools: ['order.find'],
  beforeWrite: { evidence: [{ type: 'tool_result', tool: 'order.fnid' }] },
});`,
  },
  {
    mistake: 'A request names a task class that does not exist.',
    program: `await orchestrator.submit({ taskClass: 'refnds', payload: {}, identity });`,
  },
  {
    mistake: 'A run of a guard begins under a task class that does not exist.',
    isLikeAnother: true,
    program: `await guard.begin({ taskClass: 'refnds', payload: {}, identity });`,
  },
  {
    mistake: 'An answer is of no known type.',
    program: `await orchestrator.respond({ type: 'aprove', target: 'message' }, { by: 'dana' });`,
  },
  {
    mistake: 'A call names a tool that does not exist.',
    program: `const run = await guard.begin(request);
await run.call('refnd', { order: 'A-7', cents: 12 });`,
  },
  {
    mistake: 'A call has arguments of the wrong type.',
    program: `const run = await guard.begin(request);
await run.call('refund', { order: 'A-7', cents: '12' });`,
  },
  {
    mistake: 'A task class names a tool that no tool of the guard has.',
    isLikeAnother: true,
    program: `const support = defineTaskClass({ id: 'support', tools: ['pai'] });
createGuard({ tools: [pay], taskClasses: [support] });`,
  },
  {
    mistake: 'A call of a guarded tool has arguments of the wrong type.',
    isLikeAnother: true,
    program: `const run = await desk.begin({ taskClass: 'support', payload: {}, identity });
await run.call('pay', { eur: '180' });`,
  },
  {
    mistake: 'A delivered payload is read as something else.',
    program: `const { taskId } = await orchestrator.submit(request);
const ended = await orchestrator.settled(taskId);
if (ended.outcome === 'success') ended.message.payload.refunded.toUpperCase();`,
  },
  {
    mistake: 'What a task delivered is read before it is known that it delivered.',
    program: `const { taskId } = await orchestrator.submit(request);
const ended = await orchestrator.settled(taskId);
ended.message.payload.refunded.toFixed(2);`,
  },
  {
    mistake: 'A high-risk tool has no rollback.',
    program: `defineTool({ name: 'pay', description: 'Pays.', tier: 'write_high_risk', input, call });`,
  },
  {
    mistake: 'A tool has neither a tier nor a rollback.',
    isLikeAnother: true,
    program: `defineTool({ name: 'pay', description: 'Pays.', input, call });`,
  },
  {
    mistake: 'A tool is reconcilable, and nothing can look its calls up.',
    isLikeAnother: true,
    program: `defineTool({
  name: 'note',
  description: 'Writes a note.',
  tier: 'write_low_risk',
  input,
  call,
  doubt: 'reconcilable',
});`,
  },
  {
    mistake: 'A summary reads an argument that its tool does not have.',
    isLikeAnother: true,
    program: `defineTool({
  name: 'note',
  description: 'Writes a note.',
  tier: 'write_low_risk',
  input,
  call,
  summary: ({ amount }) => \`Note \${amount}.\`,
});`,
  },
  {
    mistake: 'A guarded tool has neither a tier nor a rollback.',
    isLikeAnother: true,
    program: `guardTool({ name: 'pay', input, execute: call }, {});`,
  },
  {
    mistake: 'A guarded tool has no contract.',
    isLikeAnother: true,
    program: `guardTool({ name: 'pay', input, execute: call });`,
  },
  {
    mistake: 'A high-risk guarded tool has no rollback.',
    program: `guardTool({ name: 'pay', input, execute: call }, { tier: 'write_high_risk' });`,
  },
  {
    mistake: 'A guarded tool is reconcilable, and nothing can look its calls up.',
    isLikeAnother: true,
    program: `guardTool({ name: 'pay', input, execute: call }, { tier: 'write_low_risk', doubt: 'reconcilable' });`,
  },
  {
    mistake: 'An agent is bound to a task class that does not exist.',
    isLikeAnother: true,
    program: `createGuard({ tools, taskClasses: [refunds], agents: { refnds: async () => {} } });`,
  },
  {
    mistake: 'An agent calls a tool that does not exist.',
    program: `createGuard({
  tools,
  taskClasses: [refunds],
  agents: { refunds: async (run) => run.call('refnd', { order: 'A-7', cents: 12 }) },
});`,
  },
  {
    mistake: 'An agent calls a tool with arguments of the wrong type.',
    isLikeAnother: true,
    program: `createGuard({
  tools,
  taskClasses: [refunds],
  agents: { refunds: async (run) => run.call('refund', { order: 'A-7', cents: '12' }) },
});`,
  },
  {
    mistake: 'A policy reads an argument that no write has.',
    program: `createGuard({
  tools: [pay],
  taskClasses: [],
  policy: {
    decide: (write) => ({ verdict: write.arguments.cents > 100 ? 'needs_review' : 'allow', reasons: [] }),
  },
});`,
  },
  {
    mistake: 'A policy reads an argument of another tool.',
    isLikeAnother: true,
    program: `createOrchestrator({
  tools,
  taskClasses: [],
  model,
  policy: { decide: (write) => ({ verdict: write.arguments.cents > 100 ? 'deny' : 'allow', reasons: [] }) },
});`,
  },
  {
    mistake: 'A policy names a tool that does not exist.',
    isLikeAnother: true,
    program: `createGuard({
  tools,
  taskClasses: [],
  policy: { decide: ({ action }) => ({ verdict: action === 'refnd' ? 'deny' : 'allow', reasons: [] }) },
});`,
  },
  {
    mistake: 'A rule of a table names a tool that does not exist.',
    program: `createGuard({
  tools,
  taskClasses: [refunds],
  policy: tablePolicy({ rules: [{ tools: ['refnd'], verdict: 'needs_review', reason: 'money' }] }),
});`,
  },
  {
    mistake: 'A rule of a table names a task class that does not exist.',
    isLikeAnother: true,
    program: `createOrchestrator({
  tools,
  taskClasses: [refunds],
  model,
  policy: tablePolicy({ rules: [{ taskClasses: ['refnds'], verdict: 'deny', reason: 'money' }] }),
});`,
  },
  {
    mistake: 'A mandate names a tool that its task class may not call.',
    isLikeAnother: true,
    program: `await orchestrator.submit({ ...request, mandate: ['refnd'] });`,
  },
  {
    mistake: 'An agent answers with something else than its task class delivers.',
    isLikeAnother: true,
    program: `const run = await guard.begin(request);
await run.conclude({ payload: { refuned: 12 } });`,
  },
  {
    mistake: 'Task classes are defined in the call, and an agent is bound to another one.',
    isLikeAnother: true,
    program: `createGuard({
  tools: [pay],
  taskClasses: [defineTaskClass({ id: 'support', tools: ['pay'] })],
  agents: { suport: async () => {} },
});`,
  },
  {
    mistake: 'Task classes are defined in the call, and a request names another one.',
    isLikeAnother: true,
    program: `await desk.begin({ taskClass: 'suport', payload: {}, identity });`,
  },
  {
    mistake: 'Task classes of an orchestrator are defined in the call, and a request names another one.',
    isLikeAnother: true,
    program: `const inline = createOrchestrator({ tools, model, taskClasses: [defineTaskClass({ id: 'support', tools: ['refund'] })] });
await inline.submit({ taskClass: 'suport', payload: {}, identity });`,
  },
  {
    mistake: 'The agent of a scenario calls a tool that does not exist.',
    isLikeAnother: true,
    program: `scenarios.given({ agents: { refunds: async (run) => run.call('refnd', { order: 'A-7', cents: 12 }) } });`,
  },
  {
    mistake: 'An orchestrator has no model.',
    isLikeAnother: true,
    program: `createOrchestrator({ tools, taskClasses: [refunds] });`,
  },
  {
    mistake: 'The model of a scenario calls a tool that does not exist.',
    isLikeAnother: true,
    program: `scenarios.given({ model: [{ calls: [{ tool: 'refnd', arguments: { order: 'A-7', cents: 12 } }] }] });`,
  },
  {
    mistake: 'The model of a scenario gives arguments of the wrong type.',
    isLikeAnother: true,
    program: `scenarios.given({ model: [{ calls: [{ tool: 'refund', arguments: { order: 'A-7', cents: '12' } }] }] });`,
  },
  {
    mistake: 'A scenario answers for a tool that does not exist.',
    isLikeAnother: true,
    program: `scenarios.given({ model: [], tools: { refnd: { ok: true } } });`,
  },
  {
    mistake: 'A scenario begins under a task class that does not exist.',
    isLikeAnother: true,
    program: `await scenarios.given({ model: [] }).when({ taskClass: 'refnds', payload: {} });`,
  },
  {
    mistake: 'A scenario expects a payload of the wrong type.',
    isLikeAnother: true,
    program: `const run = await scenarios.given({ model: [] }).when({ taskClass: 'refunds', payload: {} });
run.expectDelivered({ refunded: '12' });`,
  },
  {
    mistake: 'A scenario expects a question about a tool that does not exist.',
    isLikeAnother: true,
    program: `const run = await scenarios.given({ model: [] }).when({ taskClass: 'refunds', payload: {} });
run.expectQuestion({ tool: 'refnd' });`,
  },
  {
    mistake: 'A promise names a tool that does not exist.',
    program: `prove(refunds, { tools, promises: { approved: ['refnd'] } });`,
  },
];
