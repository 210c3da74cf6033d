import {
  createOrchestrator,
  defineTaskClass,
  isCharterError,
  type Model,
  type Orchestrator,
  type OrchestratorEvents,
  type OrchestratorOptions,
  type Store,
} from 'agentcharter';
import { memoryStore } from 'agentcharter/stores/memory';
import { onTestFinished } from 'vitest';

export const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };

/** A request to write a letter. */
export const request = { taskClass: 'letter', payload: { to: 'landlord' }, identity };

const letter = defineTaskClass({ id: 'letter', tools: [] });

/** A model that writes one letter. A plan of low confidence makes the task ask a person. */
export const writer = (confidence: number): Model => ({
  answer: async ({ asks }) => ({
    canProceed: true,
    explanation: 'A letter.',
    ...(asks === 'plan'
      ? { confidence, calls: [] }
      : { confidence: 0.9, payload: { text: 'Dear landlord' } }),
  }),
});

/** Returns an orchestrator that is closed when the test ends. By default, its tasks ask a person. */
export const open = (options: Partial<OrchestratorOptions> = {}): Orchestrator => {
  const orchestrator = createOrchestrator({ taskClasses: [letter], model: writer(0.1), ...options });
  onTestFinished(() => orchestrator.close());
  return orchestrator;
};

/** Returns the next event of this name. */
export const next = <Name extends keyof OrchestratorEvents>(
  orchestrator: Orchestrator,
  name: Name,
): Promise<OrchestratorEvents[Name]> =>
  new Promise((resolve) => {
    orchestrator.on(name, resolve);
  });

/** Begins a task and waits for its question. */
export const asking = async (orchestrator: Orchestrator) => {
  const question = next(orchestrator, 'question');
  const { taskId } = await orchestrator.submit(request);
  const { message } = await question;
  return { taskId, target: message.messageId };
};

/** Begins a task and returns the error that it reports. */
export const reported = async (orchestrator: Orchestrator): Promise<unknown> => {
  const event = next(orchestrator, 'error');
  await orchestrator.submit(request);
  const { error } = await event;
  return error;
};

/** Returns the error that a callback failed with. */
export const causeOf = (error: unknown): unknown =>
  isCharterError(error, 'callback_failed') ? error.cause : error;

/** Returns a store in memory that answers commits in this way. */
export const storeThat = (commit: Store['commit']): Store => ({ ...memoryStore(), commit });
