import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { tablePolicy } from 'agentcharter/policies';
import { z } from 'zod';

const findCustomer = guardTool(
  {
    name: 'customer.find',
    input: z.object({ name: z.string() }),
    execute: ({ name }) => ({ email: `${name}@customers.example` }),
  },
  { tier: 'read_only' },
);
const sendMail = guardTool(
  {
    name: 'mail.send',
    input: z.object({ to: z.email(), text: z.string() }),
    execute: ({ to }) => ({ sent: to }),
  },
  { tier: 'write_low_risk' },
);
const guard = createGuard({
  tools: [findCustomer, sendMail],
  taskClasses: [
    defineTaskClass({
      id: 'letters',
      tools: ['customer.find', 'mail.send'],
      beforeWrite: {
        evidence: [
          { type: 'tool_result', tool: 'customer.find', about: { evidence: '/email', action: '/to' } },
        ],
      },
    }),
  ],
  policy: tablePolicy({ rules: [{ tools: ['mail.send'], verdict: 'allow', reason: 'letters are sent' }] }),
});
const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
const run = await guard.begin({ taskClass: 'letters', payload: {}, identity });
await run.call('customer.find', { name: 'ada' }, { ref: 'call-1' });
const text = 'Your refund is on its way.';
const stranger = await run.call('mail.send', { to: 'eve@elsewhere.example', text }, { ref: 'call-2' });
console.log(stranger.status, 'unmet' in stranger ? stranger.unmet[0]?.code : '');
const customer = await run.call('mail.send', { to: 'ada@customers.example', text }, { ref: 'call-3' });
console.log(customer.status, 'result' in customer ? customer.result : '');
await guard.close();
