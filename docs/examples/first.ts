import { createOrchestrator, defineTaskClass, defineTool } from 'agentcharter';
import { z } from 'zod';

const weather = defineTool({
  name: 'weather.read',
  description: 'Reads the weather of a city.',
  tier: 'read_only',
  input: z.object({ city: z.string() }),
  call: async ({ city }) => ({ city, celsius: 21 }),
});
const report = defineTaskClass({
  id: 'report',
  tools: ['weather.read'],
  beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'weather.read' }] },
});

// A language model goes here. What it returns is untrusted; a confidence of 0.45 asks a person.
const calls = [{ tool: 'weather.read', arguments: { city: 'Lisbon' } }];
const plan = { canProceed: true, confidence: 0.45, explanation: 'Lisbon, I suppose?', calls };
const draft = {
  canProceed: true,
  confidence: 0.9,
  explanation: 'It is 21 degrees.',
  payload: { celsius: 21 },
};
const model = { answer: async ({ asks }: { asks: string }) => (asks === 'plan' ? plan : draft) };

const orchestrator = createOrchestrator({ taskClasses: [report], tools: [weather], model });
orchestrator.on('question', ({ message: { messageId: target } }) =>
  orchestrator.respond({ type: 'approve', target }, { by: 'dana@example.org' }),
);

const { taskId, threadId } = await orchestrator.submit({
  taskClass: 'report',
  payload: {},
  explanation: 'How warm is it?',
  identity: { agent_id: 'reporter', owner_id: 'acme', control_class: 'human-supervised' },
});
const { outcome } = await orchestrator.settled(taskId);

for (const { state, explanation } of await orchestrator.thread(threadId))
  console.log(`${state}: ${explanation}`);
console.log(outcome);
await orchestrator.close();
