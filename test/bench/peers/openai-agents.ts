import { Agent, Runner, setTracingDisabled, tool, Usage, type Model } from '@openai/agents';
import { z } from 'zod';
import { callWithEvidence, decide, intake, plan, type Engine, type WireRequest } from '../work.ts';

interface Context {
  readonly request: WireRequest;
}

setTracingDisabled(true);

let calls = 0;

/** A model that calls the tool once, and then says `deliver`. */
const model: Model = {
  getResponse: async ({ input }) => {
    const usage = new Usage();
    const last = typeof input === 'string' ? undefined : input.at(-1);
    if (last?.type === 'function_call_result') {
      const content = [{ type: 'output_text' as const, text: 'deliver' }];
      const message = { id: 'm', type: 'message' as const, role: 'assistant' as const, content };
      return { usage, output: [{ ...message, status: 'completed' }] };
    }
    const [first] = typeof input === 'string' ? [] : input;
    const said = first !== undefined && 'content' in first ? first.content : input;
    const requestId = typeof said === 'string' ? said : '';
    calls += 1;
    const given = JSON.stringify(plan({ requestId, text: '', risk: 'read_only' }));
    const call = { id: 'f', callId: `c${calls}`, name: 'reverseWire', arguments: given };
    return { usage, output: [{ type: 'function_call', status: 'completed', ...call }] };
  },
  getStreamedResponse: () => {
    throw new Error('the bench does not stream');
  },
};

const agentOf = (needsApproval: boolean): Agent<Context> =>
  new Agent<Context>({
    name: 'wire',
    instructions: 'Reverse the wire.',
    model,
    tools: [
      tool({
        name: 'reverseWire',
        description: 'Reverses a wire.',
        parameters: z.object({ id: z.number(), requestId: z.string() }),
        needsApproval,
        execute: async (given, context) => {
          const { request } = context!.context;
          return JSON.stringify(await callWithEvidence(request, given));
        },
      }),
    ],
  });

const gated = agentOf(true);
const straight = agentOf(false);
const runner = new Runner({ tracingDisabled: true });

export const engine: Engine = {
  gated: async (request, approval) => {
    intake(request);
    const { state, interruptions } = await runner.run(gated, request.requestId, { context: { request } });
    const [asked] = interruptions;
    if (asked === undefined) throw new Error('the run did not pause');
    const isAllowed = decide(request, approval) === 'allow';
    if (isAllowed) state.approve(asked);
    else state.reject(asked);
    const { finalOutput } = await runner.run(gated, state);
    return isAllowed ? String(finalOutput) : 'fail_safe';
  },
  straight: async (request) => {
    intake(request);
    const { finalOutput } = await runner.run(straight, request.requestId, { context: { request } });
    return String(finalOutput);
  },
};
