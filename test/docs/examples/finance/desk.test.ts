import { createOrchestrator, type InboxEntry } from 'agentcharter';
import { EvidenceObject } from 'agentcharter/schema';
import { expect, it } from 'vitest';
import { openBank } from '../../../../docs/examples/finance/bank.ts';
import given from '../../../../docs/examples/finance/case.json' with { type: 'json' };
import { policy, reversals, tools, verifiers } from '../../../../docs/examples/finance/charter.ts';
import { actionDigest, actionIn, openDesk } from '../../../../docs/examples/finance/desk.ts';
import { honest, ports } from './parts.ts';

const asked = async () => {
  await using orchestrator = createOrchestrator({
    taskClasses: [reversals],
    tools: tools(
      openBank(given, () => {}),
      given,
    ),
    verifiers,
    policy,
    model: honest,
    attest: () => 'vouched',
    ...ports(),
  });
  const question = new Promise<InboxEntry>((resolve) => orchestrator.on('question', resolve));
  const { taskId } = await orchestrator.submit({
    taskClass: reversals.id,
    payload: { ticket: 'FIN-4411' },
    identity: { agent_id: 'clerk', owner_id: 'bank', control_class: 'human-supervised' },
  });
  const entry = await question;
  const documents = await orchestrator.documents(taskId);
  const evidence = documents.flatMap(({ document }) => EvidenceObject.safeParse(document).data ?? []);
  return { entry, evidence, desk: openDesk(() => 0) };
};

it('names an action as the library does', async () => {
  const { entry } = await asked();
  const claims = entry.question.approval;
  expect(actionDigest(claims?.request_id ?? '', actionIn(entry))).toBe(claims?.action_digest);
});

it('shows what is asked', async () => {
  const { desk, entry, evidence } = await asked();
  expect(desk.show(entry, evidence)).toHaveLength(6);
});

it('shows nothing else than what would be signed', async () => {
  const { desk, entry, evidence } = await asked();
  const { message, question } = entry;
  const harmless = JSON.parse(JSON.stringify(message).replaceAll('12500000', '125')) as typeof message;
  expect(() => desk.show({ ...entry, message: harmless }, evidence)).toThrow('not of what is shown');
  const approval = { ...question.approval!, action_digest: `sha256:${'0'.repeat(64)}` };
  expect(() => desk.show({ ...entry, question: { ...question, approval } }, evidence)).toThrow(
    'not of what is shown',
  );
});

it('shows no evidence that was changed, or that it does not have', async () => {
  const { desk, entry, evidence } = await asked();
  const changed = evidence.map((object) => ({ ...object, payload: { isConfirmed: true } }));
  expect(() => desk.show(entry, changed)).toThrow('the evidence of ticket.read is not what was collected');
  expect(() => desk.show(entry, [])).toThrow(/ticket.read/);
});
