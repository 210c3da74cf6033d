import {
  RunContext,
  RunResult,
  RunState,
  user,
  type Agent,
  type AgentInputItem,
  type AgentOutputType,
} from '@openai/agents';
import type { Delivered, Ended, Refused, Repairing } from '../../guard/outcome.ts';
import type { Draft } from '../../guard/run.ts';
import { isObject } from '../../boundary/is-object.ts';
import { unreadable } from '../../canonical/unreadable.ts';
import { answerFeedback } from '../../guard/tool-feedback.ts';
import { agentGuardOf } from './agent-guard.ts';
import { anyAgent, checkAgent, type AnyAgent } from './agents.ts';
import type { AgentRunOptions, AgentStop, KeptAgent } from './options.ts';
import { checkKey, sealRun, unsealRun } from './seal.ts';
import { step, type Next, type Result } from './step.ts';
import { rejectUnreadable } from './unreadable.ts';
import { waitingCalls } from './waiting.ts';

const draftOfOutput = (output: unknown): Draft => ({ payload: isObject(output) ? output : { text: output } });

const keep = async (
  { state, interruptions }: Result,
  draft: Draft | null,
  { run, key }: AgentRunOptions,
): Promise<KeptAgent> => ({
  status: 'paused',
  kept: await sealRun({ taskId: run.taskId, state: state.toString(), draft }, key),
  waiting: await waitingCalls(run, interruptions),
});

/** Returns the next SDK input after a rejected answer: the same model, with the issues. */
const nextAfterRejection = (result: Result, verdict: Refused | Repairing, agent: AnyAgent): Next => ({
  agent: result.lastAgent ?? agent,
  input: [...result.history, user(answerFeedback(verdict))],
});

const conclude = async (
  result: Result,
  draft: Draft,
  { agent, ...options }: AgentRunOptions & Pick<Next, 'agent'>,
): Promise<AgentStop | Next> => {
  const { run, waits = false, signal } = options;
  const verdict = await run.conclude(draft, { waits, ...(signal && { signal }) });
  switch (verdict.status) {
    case 'delivered':
    case 'ended':
      return verdict;
    case 'paused':
      return keep(result, draft, options);
    case 'refused':
    case 'repairing':
      // the resumed state holds another answer than the recorded one: no model can repair that
      if (verdict.status === 'refused' && verdict.code === 'PROPOSAL_CHANGED') return verdict;
      return nextAfterRejection(result, verdict, agent);
  }
};

const follow = async (first: Next, options: AgentRunOptions): Promise<AgentStop> => {
  const { draftOf = draftOfOutput } = options;
  let next: Next | AgentStop = first;
  while (!('status' in next)) {
    const { agent }: Next = next;
    const result: Result | Delivered | Ended = await step(next, options);
    if ('status' in result) return result;
    const { state, interruptions } = result;
    if (rejectUnreadable(state, interruptions)) next = { agent, input: state };
    else if (interruptions.length > 0) next = await keep(result, null, options);
    else next = await conclude(result, draftOf(result.finalOutput), { ...options, agent });
  }
  return next;
};

/** Throws for the SDK's own `RunState`, which has no seal. */
const checkInput = (input: unknown): void => {
  if (typeof input !== 'string' && !Array.isArray(input))
    throw unreadable(
      'input of runAgent',
      [],
      'it is a RunState or another unsealed object',
      'a text or an array of messages; to resume an agent, call resumeAgent with the `kept` of its last stop',
    );
};

const checked = <Context, Output extends AgentOutputType>(
  agent: Agent<Context, Output>,
  { run, providerKeys }: AgentRunOptions<Context>,
): AnyAgent => {
  const source = anyAgent(agent);
  checkAgent(source, run);
  return agentGuardOf(run, providerKeys).agent(source);
};

/**
 * Runs an agent of the OpenAI Agents SDK until its run delivers, pauses or ends.
 *
 * Throws `definition_invalid` for a weak key, and if the agent, or one that it hands over to, can bypass its
 * run; this is checked before the first turn and at each turn. Throws `input_unreadable` for a `RunState`:
 * pass `kept` to `resumeAgent`. Throws what the SDK throws; the task stays open.
 */
export const runAgent = async <Context, Output extends AgentOutputType>(
  agent: Agent<Context, Output>,
  input: string | AgentInputItem[],
  options: AgentRunOptions<Context>,
): Promise<AgentStop> => {
  checkKey(options.key);
  checkInput(input);
  return follow({ agent: checked(agent, options), input }, options);
};

/**
 * Resumes a paused agent, also in another process. Ignores approvals in the SDK's own state.
 *
 * A repeated resume returns the recorded outcome. Throws `input_unreadable` for a changed or foreign `kept`,
 * and what `runAgent` throws.
 */
export const resumeAgent = async <Context, Output extends AgentOutputType>(
  keptAgent: Agent<Context, Output>,
  kept: string,
  options: AgentRunOptions<Context>,
): Promise<AgentStop> => {
  const { run, key, context } = options;
  const agent = checked(keptAgent, options);
  const { state: text, draft } = await unsealRun(kept, key, run.taskId);
  const fresh = new RunContext<unknown>(context);
  const input = await RunState.fromStringWithContext<unknown, AnyAgent>(agent, text, fresh, {
    contextStrategy: 'replace',
  });
  if (draft === null) return follow({ agent, input }, options);
  const next = await conclude(new RunResult(input), draft, { ...options, agent });
  return 'status' in next ? next : follow(next, options);
};
