import { Agent, Runner, RunState, setTracingDisabled, tool as sdkTool, type Tool } from '@openai/agents';
import {
  guardTools,
  resumeAgent,
  runAgent,
  tool,
  type AgentStop,
  type KeptAgent,
} from 'agentcharter/adapters/openai-agents';
import type { z } from 'zod';
import type { CallContext } from '../../../../src/base/ports/tool.ts';
import type { Opened, Setup, Stop, Subject, ToolSpec, Unguarded } from '../subject.ts';
import { answeredKept, approvedKept, editedKept, editedState, key } from './blobs.ts';
import { Scripted } from './scripted.ts';
import { swapsOf } from './swaps.ts';

setTracingDisabled(true);

type Played = Pick<Setup, 'script' | 'signal' | 'sees'>;

const agentOf = (tools: Tool[], { script, sees }: Played): Agent =>
  new Agent({ name: 'teller', instructions: 'Answer in JSON.', model: new Scripted(script, sees), tools });

const payloadOf = (output: unknown): Record<string, unknown> =>
  JSON.parse(String(output)) as Record<string, unknown>; // an answer of the script

const stopOf = (stop: AgentStop<KeptAgent>): Stop => {
  switch (stop.status) {
    case 'delivered':
      return { status: 'delivered', payload: stop.payload };
    case 'paused':
      return { status: 'paused', kept: stop.kept };
    case 'ended':
      return { status: 'ended', said: stop.reasons.map(({ code }) => code).join(', ') };
    case 'refused':
      return { status: 'ended', said: stop.code };
  }
};

const optionsOf = ({ run, waits = false, signal }: Setup) => ({
  run,
  key,
  waits,
  ...(signal && { signal }),
  draftOf: (output: unknown) => ({ payload: payloadOf(output) }),
});

const open = (specs: readonly ToolSpec[], own: Parameters<Subject['open']>[1]): Opened => {
  const { tools, bind } = guardTools(
    specs.map(({ name, description = '', input, execute }) =>
      // the tools of the suite need no context
      tool({ name, description, parameters: input, execute: (given) => execute(given, {} as CallContext) }),
    ),
    Object.fromEntries(specs.map(({ name, contract }) => [name, contract])),
    own,
  );
  const approved = new Map<string, string>();
  const inState = async ({ run, ...setup }: Setup, stop: AgentStop<KeptAgent>): Promise<Stop> => {
    if (stop.status === 'paused')
      approved.set(stop.kept, await approvedKept(agentOf(bind(run), setup), stop.kept, run.taskId));
    return stopOf(stop);
  };
  const boundTo = (setup: Setup): Agent => agentOf(bind(setup.run, { waits: setup.waits ?? false }), setup);
  return {
    tools,
    begin: async (setup) => inState(setup, await runAgent(boundTo(setup), 'Do it.', optionsOf(setup))),
    goOn: async (setup, kept) => inState(setup, await resumeAgent(boundTo(setup), kept, optionsOf(setup))),
    approved: (kept) => approved.get(kept) ?? kept,
    edited: editedKept,
    answered: answeredKept,
    swaps: swapsOf(
      bind,
      async (stop) => stopOf(stop),
      (output) => ({ payload: payloadOf(output) }),
    ),
  };
};

interface Stored {
  readonly state: string;
  readonly isApproved: boolean;
}

const stored = (kept: string): Stored => JSON.parse(kept) as Stored;

const load = async (agent: Agent, { state: text, isApproved }: Stored) => {
  const state = await RunState.fromString(agent, text);
  if (isApproved) for (const item of state.getInterruptions()) state.approve(item);
  return state;
};

/** As its guide on human in the loop has it: the state is stored as text, loaded again, approved, and resumed. */
const unguarded = (specs: readonly ToolSpec[], risky: readonly string[]): Unguarded => {
  const tools = specs.map(({ name, description = '', input, execute }) =>
    sdkTool({
      name,
      description,
      parameters: input as unknown as z.ZodObject, // as those of the suite are
      needsApproval: risky.includes(name),
      execute: async (given) => execute(given, {} as CallContext),
    }),
  );
  const follow = async (played: Played, from: Stored | null): Promise<Stop> => {
    const agent = agentOf(tools, played);
    const input = from === null ? 'Do it.' : await load(agent, from);
    const result = await new Runner().run(agent, input, played.signal ? { signal: played.signal } : {});
    return result.interruptions.length > 0
      ? { status: 'paused', kept: JSON.stringify({ state: result.state.toString(), isApproved: false }) }
      : { status: 'delivered', payload: payloadOf(result.finalOutput) };
  };
  return {
    begin: (played) => follow(played, null),
    goOn: (played, kept) => follow(played, stored(kept)),
    approved: (kept) => JSON.stringify({ ...stored(kept), isApproved: true }),
    edited: (kept, call, input) =>
      JSON.stringify({ ...stored(kept), state: editedState(stored(kept).state, call, input) }),
  };
};

export const subject: Subject = {
  framework: 'OpenAI Agents SDK',
  package: '@openai/agents',
  open,
  unguarded,
};
