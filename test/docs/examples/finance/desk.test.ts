import { createOrchestrator, type InboxEntry } from 'agentcharter';
import { expect, it } from 'vitest';
import { openBank } from '../../../../docs/examples/finance/bank.ts';
import given from '../../../../docs/examples/finance/case.json' with { type: 'json' };
import { policy, reversals, tools, verifiers } from '../../../../docs/examples/finance/charter.ts';
import { openDesk } from '../../../../docs/examples/finance/desk.ts';
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
  await orchestrator.submit({
    taskClass: reversals.id,
    payload: { ticket: 'FIN-4411' },
    identity: { agent_id: 'clerk', owner_id: 'bank', control_class: 'human-supervised' },
  });
  const entry = await question;
  return { entry, desk: openDesk(() => 0) };
};

it('shows the question to the approver', async () => {
  const { desk, entry } = await asked();
  expect(desk.show(entry)).toHaveLength(7);
});

it('refuses to show anything other than the claims to sign', async () => {
  const { desk, entry } = await asked();
  const { message, question } = entry;
  const harmless = JSON.parse(JSON.stringify(message).replaceAll('12500000', '125')) as typeof message;
  expect(() => desk.show({ ...entry, message: harmless })).toThrow('does not match the claims');
  const approval = { ...question.approval!, action_digest: `sha256:${'0'.repeat(64)}` };
  expect(() => desk.show({ ...entry, question: { ...question, approval } })).toThrow(
    'not the action of the claims',
  );
});
