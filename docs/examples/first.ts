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
  id: 'weather-report',
  tools: ['weather.read'],
  beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'weather.read' }] },
});

const orchestrator = createOrchestrator({
  taskClasses: [report],
  tools: [weather],
  model: {
    // a language model goes here; what it returns is untrusted, and confidence 0.45 asks a person
    answer: async ({ asks, evidence }) =>
      asks === 'plan'
        ? {
            canProceed: true,
            confidence: 0.45,
            explanation: 'Lisbon, I think.',
            calls: [{ tool: 'weather.read', arguments: { city: 'Lisbon' } }],
          }
        : {
            canProceed: true,
            confidence: 0.9,
            explanation: 'Read.',
            payload: { seen: evidence[0]?.payload },
          },
  },
});

orchestrator.on('document', ({ name, document }) => {
  if (name === 'UpFormatMessage') console.log(document.state, '-', document.explanation);
  if (name === 'EvidenceObject') console.log('  evidence of', document.source, document.hash.slice(0, 14));
  if (name === 'MessageEnvelope' && document.outcome !== 'pending')
    console.log('  phase', document.state, document.outcome);
});
orchestrator.on('question', async ({ message }) => {
  await orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana@example.org' });
});

const identity = { agent_id: 'reporter', owner_id: 'acme', control_class: 'human-supervised' as const };
const payload = { city: 'Lisbon' };
const { taskId } = await orchestrator.submit({
  taskClass: 'weather-report',
  payload,
  explanation: 'How warm is it?',
  identity,
});
const { outcome, message } = await orchestrator.settled(taskId);
console.log(outcome, JSON.stringify(message.payload));
await orchestrator.close();
