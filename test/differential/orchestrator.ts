import type { TaskClassDefinition } from '../../src/index.ts';
import { unreadFeedback } from '../../src/base/feedback/feedback.ts';
import type { LedgerRecord } from '../../src/base/ports/ledger.ts';
import { trusting } from '../src/core/shell/approvals.ts';
import { scene, type Scene } from '../src/core/shell/scene.ts';
import { call, draft, plan } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import { decisionOf, fate, modelOf, verifierOf, world, type Fate } from '../src/core/shell/world.ts';

const evidence = [{ type: 'tool_result' as const }];

/** Contracts of tasks that an orchestrator runs: between them they ask for all that a task class may ask for. */
export const contracts: readonly Partial<TaskClassDefinition>[] = [
  {},
  { repairTo: 'execute', limits: { repairs: 2 }, authorities: ['human', 'approval'] },
  {
    beforeWrite: { evidence, verifiers: ['mails'] },
    beforeDeliver: { evidence, verifiers: ['mails', 'sums'] },
    maxAge: 60_000,
  },
  {
    defaults: { information: { location: 'Lisbon' }, tool: { pick: 1 }, approval: 'refuse' },
    limits: { corrections: 1, repairs: 3, pauses: 3 },
    followup: () => ({ explanation: 'More?', payload: {}, byDefault: { more: false } }),
  },
  { approvers: 2, authorities: ['human', 'approval'], limits: { pauses: 12, refreshes: 3 }, maxAge: 120_000 },
];

/** A caller may be refused; what is recorded is what counts here. */
const said = async (work: Promise<unknown>): Promise<void> => {
  await Promise.allSettled([work]);
};

const person = async ({ orchestrator }: Scene, { among }: Fate): Promise<void> => {
  const entry = (await orchestrator.inbox())[0];
  if (entry === undefined) return;
  const type = among(['approve', 'approve', 'edit', 'reject', 'instruction', 'rank', 'comment']);
  const value = among<unknown>([plan([call('low')]), draft(), 'done', 'absent', { amount: 3 }]);
  const content = type === 'rank' ? [value] : type === 'instruction' ? 'again' : { value };
  const feedback = { type, target: entry.message.messageId, ...(type !== 'approve' && { content }) };
  const by = among(['dana', 'erin']);
  const token = among([undefined, 'kim', 'lee']);
  await said(
    orchestrator.respond(unreadFeedback(feedback), { by, ...(token !== undefined && { approval: token }) }),
  );
};

const outsider = async ({ orchestrator }: Scene, taskId: string, { among }: Fate): Promise<void> => {
  const records = await orchestrator.ledger(taskId);
  const waits = records.flatMap(({ fact }) => (fact?.type === 'dependency.awaited' ? [fact.dependency] : []));
  if (among([false, false, false, false, false, true]))
    return said(orchestrator.cancel(taskId, { by: 'kim' }));
  return said(orchestrator.resolve(taskId, waits.at(-1) ?? 'nothing', { at: 1 }, { by: 'kim' }));
};

/** Runs one task under a world that these numbers decide, until it is settled: its ledger. */
export const ledgerOf = async (
  contract: Partial<TaskClassDefinition>,
  numbers: readonly number[],
): Promise<readonly LedgerRecord[]> => {
  const told = fate(numbers);
  const { finish, tools } = world(told);
  const one = scene({
    model: modelOf(told),
    tools,
    verifiers: { mails: verifierOf(told), sums: verifierOf(told) },
    policy: () => decisionOf(told),
    taskClass: contract,
    options: { approvals: trusting },
  });
  const taskId = await one.submit();
  while (!told.isTired() && !one.settledTasks.includes(taskId)) {
    const event = told.among(['person', 'person', 'person', 'outsider', 'late', 'time']);
    if (event === 'person') await person(one, told);
    if (event === 'outsider') await outsider(one, taskId, told);
    if (event === 'late') finish();
    if (event === 'time') await one.clock.advance(told.among([1_000, 61_000, 30_000, 3_600_000]));
    await settle();
  }
  for (let weeks = 0; weeks < 60 && !one.settledTasks.includes(taskId); weeks += 1)
    await one.clock.advance(8 * 86_400_000);
  finish();
  await settle();
  const records = await one.orchestrator.ledger(taskId);
  await one.orchestrator.close();
  one.leave();
  return records;
};
