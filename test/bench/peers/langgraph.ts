import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
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

const saver = new MemorySaver();

const graph = new StateGraph(State)
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
  .addEdge('fail_safe', END)
  .compile({ checkpointer: saver });

let threads = 0;

/** Does the work in a thread of its own, and removes the thread, so that the heap stays small. */
const inThread = async (
  work: (config: { readonly configurable: { readonly thread_id: string } }) => Promise<string>,
): Promise<string> => {
  threads += 1;
  const thread_id = `t${threads}`;
  const state = await work({ configurable: { thread_id } });
  await saver.deleteThread(thread_id);
  return state;
};

export const engine: Engine = {
  gated: (request, approval) =>
    inThread(async (config) => {
      const paused = await graph.invoke({ request }, config);
      if (paused.state !== 'policy') throw new Error('the run did not pause');
      return (await graph.invoke(new Command({ resume: approval }), config)).state;
    }),
  straight: (request) => inThread(async (config) => (await graph.invoke({ request }, config)).state),
};
