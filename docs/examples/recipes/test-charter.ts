import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { tablePolicy, type PolicyRequest } from 'agentcharter/policies';
import { taskMachine } from 'agentcharter/machines';
import { callOf, charterProperties, check, explore, inWorld, type World } from 'agentcharter/testing';
import { strict as assert } from 'node:assert';
import { z } from 'zod';

// What you ship: a policy and a task class. In your project, import them.
const Refund = z.object({ eur: z.number() });
const isAbove100 = (write: PolicyRequest) => Refund.parse(write.arguments).eur > 100;
const policy = tablePolicy({
  rules: [
    { tools: ['refund'], verdict: 'allow', reason: 'support may refund' },
    { tools: ['refund'], when: isAbove100, verdict: 'needs_review', reason: 'above 100 EUR' },
  ],
});
const support = defineTaskClass({ id: 'support', tools: ['refund'] });

// 1. A scenario: your real rules, with a tool that counts its calls.
let paid = 0;
const execute = ({ eur }: { eur: number }) => (paid += eur);
const refund = guardTool({ name: 'refund', input: Refund, execute }, { tier: 'write_low_risk' });
const guard = createGuard({ tools: [refund], taskClasses: [support], policy });
const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
const run = await guard.begin({ taskClass: 'support', payload: {}, identity });
const { status } = await run.call('refund', { eur: 180 }, { ref: 'call-1' });
await guard.close();
assert.deepEqual({ status, paid }, { status: 'paused', paid: 0 });
console.log('180 EUR is not paid without an approval');

// 2. A proof: every run that the task class admits with one write, explored to its end.
const world: World = {
  name: 'one refund',
  taskClass: { limits: { repairs: 0, pauses: 1, revisions: 0, clearances: 0, recoveries: 0 } },
  plans: [[callOf.note('refund')]],
  never: ['information.requested', 'help.requested', 'output.rejected', 'question.raised', 'unsure'],
};
const graph = explore(taskMachine, inWorld(world));
const properties = charterProperties<typeof taskMachine>(world);
assert.deepEqual(check(graph, properties), []);
console.log('every property holds in every state');
