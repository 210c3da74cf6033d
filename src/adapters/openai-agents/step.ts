import { Runner, RunState, type AgentInputItem, type RunResult } from '@openai/agents';
import { untilAborted } from '../../base/boundary/until-aborted.ts';
import type { Delivered, Ended } from '../../guard/outcome.ts';
import { overIn } from '../../guard/tool-feedback.ts';
import { agentGuardOf } from './agent-guard.ts';
import type { AnyAgent } from './agents.ts';
import { guardedRunner } from './guarded-runner.ts';
import type { AgentRunOptions } from './options.ts';

/** The result of an SDK run. */
export type Result = Pick<
  RunResult<unknown, AnyAgent>,
  'state' | 'interruptions' | 'history' | 'lastAgent' | 'finalOutput' | 'rawResponses'
>;

/** The next input of the SDK. */
export interface Next {
  readonly agent: AnyAgent;
  readonly input: string | AgentInputItem[] | RunState<unknown, AnyAgent>;
}

const ran = async (
  { agent, input }: Next,
  { run, runner: given = new Runner(), shows = false, ...options }: AgentRunOptions,
): Promise<Result> => {
  const runner = guardedRunner(given, agentGuardOf(run));
  const { context, maxTurns, signal } = options;
  const settings = {
    ...(context !== undefined && !(input instanceof RunState) && { context }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(signal !== undefined && { signal }),
  };
  if (!shows) return runner.run(agent, input, settings);
  const streamed = await runner.run(agent, input, { ...settings, stream: true });
  let isShown = false;
  for await (const event of streamed) {
    if (event.type !== 'raw_model_stream_event') continue;
    if (event.data.type === 'response_started') isShown = true;
    // after a rejected part, show nothing more: a gap would change the text
    if (event.data.type === 'output_text_delta') isShown &&= run.show(event.data.delta);
  }
  await streamed.completed;
  signal?.throwIfAborted();
  return streamed;
};

/** Runs the SDK once. If the run ends meanwhile, returns that and ignores the SDK's error. */
export const step = async (next: Next, options: AgentRunOptions): Promise<Result | Delivered | Ended> => {
  const guard = agentGuardOf(options.run);
  guard.begin();
  try {
    const { signal } = options;
    const work = ran(next, options);
    // the SDK does not stop while it awaits an approval check, in which a call waits
    const result = await (signal === undefined ? work : untilAborted(work, signal));
    guard.throwRefusal();
    return result;
  } catch (error) {
    const over = overIn(await options.run.progress());
    guard.throwRefusal();
    if (over === null) throw error;
    return over;
  }
};
