import { createOrchestrator, defineTaskClass, type Model } from 'agentcharter';
import { createInspector } from 'agentcharter/inspect';
import { taskMachine } from 'agentcharter/machines';
import { createActor } from 'xstate';

// The inspector is a page of a third party: redact what it must not see.
const inspector = await createInspector({ redact: ['iban'] });
console.error(`Open ${inspector.url}`);

// Pass `inspect` to any actor.
const input = { taskClass: { id: 'answer' }, request: '018f7d3a-7c1e-7b52-9f0e-3d2b8a6c4e10' };
createActor(taskMachine, { inspect: inspector.inspect, id: 'by hand', input }).start();

// Watch an orchestrator: each task is shown from its ledger.
const thought = { canProceed: true, confidence: 0.9, explanation: 'A letter to the landlord.' };
const model: Model = {
  answer: async ({ asks }) =>
    asks === 'plan' ? { ...thought, calls: [] } : { ...thought, payload: { letter: 'Dear landlord' } },
};
const orchestrator = createOrchestrator({
  taskClasses: [defineTaskClass({ id: 'letter', tools: [] })],
  model,
});
await inspector.watch(orchestrator);

const identity = { agent_id: 'writer', owner_id: 'acme', control_class: 'human-supervised' };
const { taskId } = await orchestrator.submit({ taskClass: 'letter', payload: {}, identity });
const { state } = await orchestrator.settled(taskId);
console.log(`The task is ${state}.`);
await orchestrator.close();

// The inspector keeps the process alive. `npx tsx docs/examples/inspect.ts stay` leaves it open.
if (process.argv[2] !== 'stay') await inspector.close();
