import { randomUUID } from 'node:crypto';
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
  type BaseCheckpointSaver,
} from '@langchain/langgraph';
import {
  decide,
  evidenceOf,
  intake,
  isVerified,
  plan,
  reverseWire,
  type Approval,
  type Engine,
  type WireArguments,
  type WireEvidence,
  type WireRequest,
} from '../work.ts';

const State = Annotation.Root({
  request: Annotation<WireRequest>(),
  given: Annotation<WireArguments>(),
  evidence: Annotation<WireEvidence>(),
  approval: Annotation<Approval | null>(),
  state: Annotation<string>(),
});

const builder = new StateGraph(State)
  .addNode('intake', ({ request }) => {
    intake(request);
    return { state: 'plan' };
  })
  .addNode('planner', ({ request }) => ({ given: plan(request), state: 'execute' }))
  .addNode('execute', async ({ request, given }) => ({
    evidence: evidenceOf(request, await reverseWire(given)),
    state: 'verify',
  }))
  .addNode('verify', ({ request, evidence }) => ({
    state: isVerified(request, evidence) ? 'policy' : 'fail_safe',
  }))
  .addNode('policy', ({ request }) => {
    const isReviewed = decide(request, null) === 'needs_review';
    const approval = isReviewed ? interrupt<object, Approval>({ requestId: request.requestId }) : null;
    return { approval, state: decide(request, approval) === 'allow' ? 'deliver' : 'fail_safe' };
  })
  .addNode('deliver', () => ({ state: 'deliver' }))
  .addNode('fail_safe', () => ({ state: 'fail_safe' }))
  .addEdge(START, 'intake')
  .addEdge('intake', 'planner')
  .addEdge('planner', 'execute')
  .addEdge('execute', 'verify')
  .addConditionalEdges('verify', ({ state }) => state, { policy: 'policy', fail_safe: 'fail_safe' })
  .addConditionalEdges('policy', ({ state }) => state, { deliver: 'deliver', fail_safe: 'fail_safe' })
  .addEdge('deliver', END)
  .addEdge('fail_safe', END);

interface Config {
  readonly configurable: { readonly thread_id: string };
  readonly durability?: 'sync';
}

/** Does the work in a thread of its own each time, whose name no other process uses. */
export const engineOn = (
  saver: BaseCheckpointSaver,
  settings: Omit<Config, 'configurable'> = {},
  ended: (thread: string) => Promise<void> = async () => {},
): Engine => {
  const graph = builder.compile({ checkpointer: saver });
  const process = randomUUID();
  let threads = 0;
  const inThread = async (work: (config: Config) => Promise<string>): Promise<string> => {
    threads += 1;
    const thread_id = `${process}-${threads}`;
    const state = await work({ configurable: { thread_id }, ...settings });
    await ended(thread_id);
    return state;
  };
  return {
    gated: (request, approval) =>
      inThread(async (config) => {
        const paused = await graph.invoke({ request }, config);
        if (paused.state !== 'policy') throw new Error('the run did not pause');
        return (await graph.invoke(new Command({ resume: approval }), config)).state;
      }),
    straight: (request) => inThread(async (config) => (await graph.invoke({ request }, config)).state),
  };
};

const memory = new MemorySaver();

/** In memory. Threads are removed when they end, so that the heap stays small. */
export const engine: Engine = engineOn(memory, {}, (thread) => memory.deleteThread(thread));
