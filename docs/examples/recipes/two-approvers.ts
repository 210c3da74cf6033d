import { defineTaskClass, isCharterError } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { tablePolicy } from 'agentcharter/policies';
import { z } from 'zod';

const wire = guardTool(
  { name: 'wire.send', input: z.object({ eur: z.number() }), execute: ({ eur }) => ({ sent: eur }) },
  {
    tier: 'write_high_risk',
    rollback: {
      describe: ({ eur }) => ({ type: 'wire.recall', target: 'house account', payload: { eur } }),
      run: async () => ({}),
    },
  },
);
const guard = createGuard({
  tools: [wire],
  taskClasses: [defineTaskClass({ id: 'wires', tools: ['wire.send'], approvers: 2 })],
  policy: tablePolicy({
    rules: [{ tools: ['wire.send'], verdict: 'allow', reason: 'treasury sends wires' }],
  }),
  mayRespond: (name) => ['dana', 'kim'].includes(name),
});
const identity = { agent_id: 'treasurer', owner_id: 'acme', control_class: 'human-supervised' };
const run = await guard.begin({ taskClass: 'wires', payload: {}, identity });
const send = () => run.call('wire.send', { eur: 90_000 }, { ref: 'call-1' });
await send();
const [asked] = await run.questions();
const target = asked?.message.messageId ?? '';
for (const by of ['eve', 'dana', 'dana', 'kim']) {
  await guard.orchestrator.respond({ type: 'approve', target }, { by }).catch((error: unknown) => {
    if (isCharterError(error, 'feedback_refused')) console.log(by, error.details.code);
    else if (isCharterError(error)) console.log(by, error.code);
  });
  console.log(by, (await send()).status);
}
await guard.close();
