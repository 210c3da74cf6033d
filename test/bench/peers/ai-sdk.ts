import { generateText, stepCountIs, tool, type ModelMessage } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';
import { callWithEvidence, decide, intake, plan, type Engine, type WireRequest } from '../work.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const input = z.object({ id: z.number(), requestId: z.string() });
const steps = 12;

let calls = 0;

/** A model that asks for this many calls, one after another, and then says `deliver`. */
const modelOf = (request: WireRequest, wanted: number): MockLanguageModelV3 => {
  let left = wanted;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      if (left === 0)
        return {
          content: [{ type: 'text', text: 'deliver' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage,
          warnings: [],
        };
      left -= 1;
      calls += 1;
      const call = { toolCallId: `c${calls}`, toolName: 'reverseWire', input: JSON.stringify(plan(request)) };
      return {
        content: [{ type: 'tool-call', ...call }],
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage,
        warnings: [],
      };
    },
  });
};

const toolsOf = (request: WireRequest, needsApproval: boolean) => ({
  reverseWire: tool({
    description: 'Reverses a wire.',
    inputSchema: input,
    needsApproval,
    execute: (given) => callWithEvidence(request, given),
  }),
});

const settingOf = (request: WireRequest, needsApproval: boolean, wanted = 1) => ({
  model: modelOf(intake(request), wanted),
  tools: toolsOf(request, needsApproval),
  stopWhen: stepCountIs(steps),
});

/** Runs the tool loop with this many calls. */
export const callInLoop = async (request: WireRequest, wanted: number): Promise<string> => {
  const { text } = await generateText({ ...settingOf(request, false, wanted), prompt: request.requestId });
  return text;
};

export const engine: Engine = {
  gated: async (request, approval) => {
    const setting = settingOf(request, true);
    const opening: ModelMessage[] = [{ role: 'user', content: request.requestId }];
    const paused = await generateText({ ...setting, messages: opening });
    const asked = paused.content.find((part) => part.type === 'tool-approval-request');
    if (asked === undefined) throw new Error('the run did not pause');
    const approved = decide(request, approval) === 'allow';
    const reply = { type: 'tool-approval-response' as const, approvalId: asked.approvalId, approved };
    const messages = [...opening, ...paused.response.messages, { role: 'tool' as const, content: [reply] }];
    const { text } = await generateText({ ...setting, messages });
    return approved ? text : 'fail_safe';
  },
  straight: (request) => callInLoop(request, 1),
};
