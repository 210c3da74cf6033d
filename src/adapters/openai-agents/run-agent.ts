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
import { attending } from '../../guard/attending.ts';
import type { Draft } from '../../guard/run.ts';
import { saveState } from '../../guard/save-state.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { unreadable } from '../../base/canonical/unreadable.ts';
import { answerFeedback } from '../../guard/tool-feedback.ts';
import { agentGuardOf } from './agent-guard.ts';
import { anyAgent, checkAgent, type AnyAgent } from './agents.ts';
import type { AgentRunOptions, AgentStop, KeptAgent, PausedAgent, SealedRunOptions } from './options.ts';
import { checkKey, savedRun, sealRun, unsealRun, type SavedRun } from './seal.ts';
import { step, type Next, type Result } from './step.ts';
import { rejectUnreadable } from './unreadable.ts';
import { waitingCalls } from './waiting.ts';

const draftOfOutput = (output: unknown): Draft => ({ payload: isObject(output) ? output : { text: output } });

/** A state that a run continued from, and how often the model had answered by then. */
interface Continued {
  readonly state: string;
  readonly responses: number;
}

const keep = async (
  result: Result,
  draft: Draft | null,
  { run, key }: AgentRunOptions,
  from?: Continued,
): Promise<PausedAgent | KeptAgent> => {
  // the SDK cannot read the state of a response of which some calls were made after it was resumed; the guard makes none twice
  const isSame = from !== undefined && from.responses === result.rawResponses.length;
  const state = isSame ? from.state : result.state.toString();
  const paused = { status: 'paused', waiting: await waitingCalls(run, result.interruptions) } as const;
  if (key !== undefined) return { ...paused, kept: await sealRun({ taskId: run.taskId, state, draft }, key) };
  await saveState(run, { state, draft: draft && { ...draft } }, 'pass a `key`, and keep what it returns');
  return paused;
};

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

const follow = async (first: Next, options: AgentRunOptions, from?: Continued): Promise<AgentStop> => {
  const { draftOf = draftOfOutput } = options;
  let next: Next | AgentStop = first;
  while (!('status' in next)) {
    const { agent }: Next = next;
    const result: Result | Delivered | Ended = await step(next, options);
    if ('status' in result) return result;
    const { state, interruptions } = result;
    if (rejectUnreadable(state, interruptions)) next = { agent, input: state };
    else if (interruptions.length > 0) next = await keep(result, null, options, from);
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
      'a text or an array of messages; to resume an agent, call runAgent again for the same run',
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

const resumed = async <Context>(
  agent: AnyAgent,
  { state, draft }: SavedRun,
  options: AgentRunOptions<Context>,
): Promise<AgentStop> => {
  const fresh = new RunContext<unknown>(options.context);
  const input = await RunState.fromStringWithContext<unknown, AnyAgent>(agent, state, fresh, {
    contextStrategy: 'replace',
  });
  const result = new RunResult(input);
  if (draft === null)
    return follow({ agent, input }, options, { state, responses: result.rawResponses.length });
  const next = await conclude(result, draft, { ...options, agent });
  return 'status' in next ? next : follow(next, options);
};

/**
 * Runs an agent of the OpenAI Agents SDK until its run delivers, pauses or ends.
 *
 * Where it pauses, its state is saved with the task, and the next `runAgent` of this run continues from it, also in
 * another process; `input` counts only at the first time. With a `key`, you keep the state instead: pass `kept` to
 * `resumeAgent`.
 *
 * Throws `definition_invalid` for a weak key, and if the agent, or one that it hands over to, can bypass its
 * run; this is checked before the first turn and at each turn. Throws `input_unreadable` for a `RunState`. Throws what
 * the SDK throws; the task stays open.
 */
export function runAgent<Context, Output extends AgentOutputType>(
  agent: Agent<Context, Output>,
  input: string | AgentInputItem[],
  options: SealedRunOptions<Context>,
): Promise<AgentStop<KeptAgent>>;
export function runAgent<Context, Output extends AgentOutputType>(
  agent: Agent<Context, Output>,
  input: string | AgentInputItem[],
  options: AgentRunOptions<Context>,
): Promise<AgentStop>;
export async function runAgent<Context, Output extends AgentOutputType>(
  agent: Agent<Context, Output>,
  input: string | AgentInputItem[],
  options: AgentRunOptions<Context>,
): Promise<AgentStop> {
  const { run, key } = options;
  if (key !== undefined) checkKey(key);
  checkInput(input);
  const guarded = checked(agent, options);
  return attending(run, async () => {
    const saved = key === undefined ? await savedRun(run) : undefined;
    if (saved !== undefined) return resumed(guarded, saved, options);
    return follow({ agent: guarded, input }, options);
  });
}

/**
 * Resumes a paused agent from `kept`, also in another process. Ignores approvals in the SDK's own state.
 *
 * A repeated resume returns the recorded outcome. Throws `input_unreadable` for a changed or foreign `kept`,
 * and what `runAgent` throws.
 */
export const resumeAgent = async <Context, Output extends AgentOutputType>(
  keptAgent: Agent<Context, Output>,
  kept: string,
  options: SealedRunOptions<Context>,
): Promise<AgentStop<KeptAgent>> => {
  const { run, key } = options;
  const agent = checked(keptAgent, options);
  const saved = await unsealRun(kept, key, run.taskId);
  const stop = await attending(run, () => resumed(agent, saved, options));
  return stop as AgentStop<KeptAgent>; // `keep` seals with a key
};
