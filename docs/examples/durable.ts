import { createOrchestrator, defineTaskClass, type Model } from 'agentcharter';
import { sqliteStore } from 'agentcharter/stores/sqlite';

// Run it twice: the first run ends while the task waits for a person, the second one answers.
const [file = 'tasks.db'] = process.argv.slice(2);
const thought = { canProceed: true, explanation: 'A letter to the landlord.' };
const model: Model = {
  answer: async ({ asks }) =>
    asks === 'plan'
      ? { ...thought, confidence: 0.4, calls: [] }
      : { ...thought, confidence: 0.9, payload: { letter: 'Dear landlord' } },
};
const orchestrator = createOrchestrator({
  taskClasses: [defineTaskClass({ id: 'letter', tools: [] })],
  model,
  store: sqliteStore(file),
});
const { taken } = await orchestrator.recover(); // resumes what the last process left unfinished
const asked = new Promise((resolve) => orchestrator.on('question', resolve));

const identity = { agent_id: 'writer', owner_id: 'acme', control_class: 'human-supervised' };
const [waiting] = await orchestrator.inbox();
if (waiting === undefined) {
  // a repeated key begins no second task
  await orchestrator.submit({ taskClass: 'letter', payload: {}, identity }, { key: 'letter 1' });
  await asked;
  console.log('The task waits for a person.');
} else {
  await orchestrator.respond({ type: 'approve', target: waiting.message.messageId }, { by: 'dana' });
  const { message } = await orchestrator.settled(waiting.taskId);
  console.log(`${taken} resumed; after the answer: ${message.state}, ${JSON.stringify(message.payload)}`);
}
await orchestrator.close();
